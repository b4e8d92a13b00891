/// The declared type of a property: its kind of values, their optionality, and their container.
public struct PropertyType: Hashable, Sendable {
    /// The container of the values.
    public enum Container: UInt8, Sendable {
        case single = 0
        case list = 1
        case set = 2
        case map = 3
    }

    /// The kind of the value, or of each element.
    public let base: ValueTag
    /// A Boolean value that indicates whether the value, or each element, may be nil.
    ///
    /// A single link may always be nil, and so may every Any.
    public let isOptional: Bool
    /// The container of the values.
    public let container: Container
    /// The class that a link leads to.
    public let target: ClassID?
    /// The width of an Int; 64 bits for all other kinds.
    public let integerWidth: IntegerWidth

    /// Creates a type.
    ///
    /// - Parameters:
    ///   - base: the kind of the value, or of each element.
    ///   - isOptional: whether the value, or each element, may be nil.
    ///   - container: the container of the values.
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

    /// The type of one element of a collection; for a single value, the type itself.
    public var element: PropertyType {
        PropertyType(
            base, isOptional: isOptional, target: target, integerWidth: integerWidth)
    }

    /// The name in schemas and errors, such as `Int?`.
    ///
    /// A link is called `Link`, because only a schema knows the name of its class.
    public var name: String { name(ofTarget: "Link") }

    /// Returns the name in schemas and errors.
    ///
    /// A class with the name of a type is written in backquotes, so that a link to it is read as a
    /// link.
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

    /// Parses the name of a type other than a link.
    ///
    /// The name is a scalar type in any case, followed by `?` if it is optional, alone or in
    /// `List<...>`, `Set<...>` or `Map<...>`.
    public init?(named name: String) {
        for (word, container) in [
            ("list", Container.list), ("set", .set), ("map", .map),
        ] where name.lowercased().hasPrefix(word + "<") && name.hasSuffix(">") {
            let inner = name.trimmingBytes(first: word.utf8.count + 1, last: 1)
            guard let element = PropertyType(scalarNamed: inner) else { return nil }
            self.init(
                element.base, isOptional: element.isOptional, container: container,
                integerWidth: element.integerWidth)
            return
        }
        self.init(scalarNamed: name)
    }

    /// Parses the name of a scalar type in any case, followed by `?` if it is optional.
    public init?(scalarNamed name: String) {
        let isOptional = name.hasSuffix("?")
        let base = (isOptional ? name.trimmingBytes(last: 1) : name).lowercased()
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
