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
    ///
    /// A single link always may; so may every Any.
    public let isOptional: Bool
    /// In what collection the values stand.
    public let container: Container
    /// The class that a link leads to.
    public let target: ClassID?
    /// The width of an Int; 64 bits for all other kinds.
    public let integerWidth: IntegerWidth

    /// Makes a type.
    ///
    /// - Parameters:
    ///   - base: the kind of the value, or of each element.
    ///   - isOptional: whether it may be nil.
    ///   - container: in what collection the values stand.
    ///   - target: the class that a link leads to.
    ///   - integerWidth: the width of an Int.
    public init(
        _ base: ValueTag, isOptional: Bool = false, container: Container = .single,
        target: ClassID? = nil, integerWidth: IntegerWidth = .bits64
    ) {
        self.base = base
        self.isOptional = isOptional
        self.container = container
        self.target = target
        self.integerWidth = integerWidth
    }

    /// The type of one element of a collection; of a single value, the type itself.
    public var element: PropertyType {
        PropertyType(
            base, isOptional: isOptional, target: target, integerWidth: integerWidth)
    }

    /// The name in schemas and errors, such as `Int?`; a link is called `Link`, because only a
    /// schema knows the name of its class.
    public var name: String { name(ofTarget: "Link") }

    /// The name in schemas and errors.
    ///
    /// A class that is called like a type stands in backquotes, so that a link to it is read as one.
    ///
    /// - Parameter target: the name of the class that a link leads to.
    public func name(ofTarget target: String) -> String {
        let kind =
            switch base {
            case .int: integerWidth.typeName
            case .link: PropertyType(scalarNamed: target) == nil ? target : "`\(target)`"
            default: base.name
            }
        let element = kind + (isOptional && base != .any ? "?" : "")
        switch container {
        case .single: return element
        case .list: return "List<\(element)>"
        case .set: return "Set<\(element)>"
        case .map: return "Map<\(element)>"
        }
    }

    /// Reads the name of a type other than a link: a scalar in any case, with `?` behind it when
    /// optional, alone or in `List<...>`, `Set<...>` or `Map<...>`.
    public init?(named name: String) {
        for (word, container) in [
            ("list", Container.list), ("set", .set), ("map", .map),
        ] where name.lowercased().hasPrefix(word + "<") && name.hasSuffix(">") {
            let inner = String(name.dropFirst(word.count + 1).dropLast())
            guard let element = PropertyType(scalarNamed: inner) else { return nil }
            self.init(
                element.base, isOptional: element.isOptional, container: container,
                integerWidth: element.integerWidth)
            return
        }
        self.init(scalarNamed: name)
    }

    /// Reads the name of a scalar type, in any case, with `?` behind it when optional.
    public init?(scalarNamed name: String) {
        let isOptional = name.hasSuffix("?")
        let base = (isOptional ? String(name.dropLast()) : name).lowercased()
        if let width = IntegerWidth.allCases.first(where: { $0.typeName.lowercased() == base }) {
            self.init(.int, isOptional: isOptional, integerWidth: width)
            return
        }
        if base == "int64" {
            self.init(.int, isOptional: isOptional)
            return
        }
        let scalars = ValueTag.allCases.filter { tag in
            ![.null, .link, .list, .set, .map].contains(tag)
        }
        guard let tag = scalars.first(where: { $0.name.lowercased() == base }) else { return nil }
        self.init(tag, isOptional: isOptional || tag == .any)
    }
}
