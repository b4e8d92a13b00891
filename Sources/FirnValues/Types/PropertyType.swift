/// The declared type of a property: what it holds, whether it may be nil, and in what collection.
public struct PropertyType: Hashable, Sendable {
    /// In what the values stand.
    public enum Container: UInt8, Sendable {
        case single = 0
        case list = 1
        case set = 2
        case map = 3
    }

    /// The kind of the value, or of each element.
    public let base: ValueTag
    /// Whether the value, or each element, may be nil.
    public let isOptional: Bool
    /// In what collection the values stand.
    public let container: Container
    /// The class that a link leads to.
    public let target: ClassID?

    /// Makes a type.
    ///
    /// - Parameters:
    ///   - base: the kind of the value, or of each element.
    ///   - isOptional: whether it may be nil.
    ///   - container: in what collection the values stand.
    ///   - target: the class that a link leads to.
    public init(
        _ base: ValueTag, isOptional: Bool = false, container: Container = .single,
        target: ClassID? = nil
    ) {
        self.base = base
        self.isOptional = isOptional
        self.container = container
        self.target = target
    }

    /// The name in schemas and errors, such as `Int?`.
    public var name: String {
        let element = base.name + (isOptional ? "?" : "")
        switch container {
        case .single: return element
        case .list: return "List<\(element)>"
        case .set: return "Set<\(element)>"
        case .map: return "Map<\(element)>"
        }
    }

    /// Reads the name of a scalar type, in any case, with `?` behind it when optional.
    public init?(scalarNamed name: String) {
        let isOptional = name.hasSuffix("?")
        let base = (isOptional ? String(name.dropLast()) : name).lowercased()
        let scalars = ValueTag.allCases.filter { tag in
            ![.null, .link, .list, .set, .map].contains(tag)
        }
        guard let tag = scalars.first(where: { $0.name.lowercased() == base }) else { return nil }
        self.init(tag, isOptional: isOptional)
    }
}
