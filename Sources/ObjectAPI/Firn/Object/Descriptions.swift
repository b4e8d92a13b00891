import FirnValues

extension ObjectBase: CustomStringConvertible {
    /// The maximum nesting depth of objects that are shown.
    static let depthMaximum = 5

    /// A textual representation of the properties and values, with objects up to five levels deep.
    ///
    ///     Dog {
    ///         name = Rex;
    ///         owner = Person {
    ///             name = Ann;
    ///         };
    ///     }
    public var description: String { describe(depth: 1) }

    final func describe(depth: Int) -> String {
        let layout = self.layout
        let name = layout.className
        guard !isInvalidated else { return "\(name) (invalid)" }
        guard depth <= ObjectBase.depthMaximum else { return "\(name) { ... }" }
        let indentation = String(repeating: "\t", count: depth)
        let lines = layout.properties.indices.map { index in
            let property = layout.properties[index]
            let value = layout.value(index, of: self)
            return "\(indentation)\(property.name) = \(ObjectBase.text(value, depth));\n"
        }
        let end = String(repeating: "\t", count: depth - 1)
        return "\(name) {\n\(lines.joined())\(end)}"
    }

    static func text(_ value: Any, _ depth: Int) -> String {
        if isNothing(value) { return "nil" }
        if let object = value as? ObjectBase { return object.describe(depth: depth + 1) }
        if let collection = value as? any RealmCollection {
            return collection.describe(depth: depth)
        }
        if let map = value as? any DescribedMap { return map.describe(depth: depth) }
        if let any = value as? AnyRealmValue {
            switch any {
            case .object(let object): return "object(\(text(object, depth)))"
            case .list(let list): return "list(\(list.describe(depth: depth)))"
            case .dictionary(let map): return "dictionary(\(map.describe(depth: depth)))"
            default: return String(describing: any)
            }
        }
        // For an optional, its content is shown.
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional, let inner = mirror.children.first {
            return text(inner.value, depth)
        }
        return String(describing: value)
    }
}

/// A map with values of any type.
private protocol DescribedMap {
    func describe(depth: Int) -> String
}

extension Map: DescribedMap {}

/// Textual representations of collections.
extension RealmCollection {
    /// A textual representation of the type and of at most the first 100 elements with positions.
    public var description: String { describe(depth: 0) }

    /// - Parameter depth: The depth of the object that owns the collection.
    func describe(depth: Int) -> String {
        let type = "\(Self.self)".split(separator: "<").first ?? ""
        let head = "\(type)<\(Element.self)>"
        guard !isInvalidated else { return "\(head) (invalid)" }
        let indentation = String(repeating: "\t", count: depth)
        let count = self.count
        var lines: [String] = []
        for (index, element) in self.prefix(100).enumerated() {
            lines.append("\(indentation)\t[\(index)] \(ObjectBase.text(element, depth + 1))")
        }
        if count > lines.count { lines.append("\(indentation)\t... \(count - lines.count) more") }
        guard !lines.isEmpty else { return "\(head) ()" }
        return "\(head) (\n" + lines.joined(separator: ",\n") + "\n\(indentation))"
    }
}

/// Encoding of collections.
extension RealmCollection where Element: Encodable {
    /// Encodes the elements as an array.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}

extension Map: CustomStringConvertible {
    /// A textual representation of the type and of at most the first 100 entries.
    public var description: String { describe(depth: 0) }

    /// - Parameter depth: The depth of the object that owns the map.
    func describe(depth: Int) -> String {
        let head = "Map<string, \(Value._element.described)>"
        guard !isInvalidated else { return "\(head) (invalid)" }
        let indentation = String(repeating: "\t", count: depth)
        let shown = prefix(100).map { key, value in
            "\(indentation)\t[\(key)]: \(ObjectBase.text(value, depth + 1))"
        }
        let rest = count > 100 ? ["\(indentation)\t... \(count - 100) more"] : []
        return "\(head) (\n" + (shown + rest).joined(separator: ",\n")
            + "\n\(indentation))"
    }
}

extension _PropertyDeclaration {
    /// The class of a link, or the name of the type of values.
    fileprivate var described: String { target?.className() ?? type.base.name.lowercased() }
}
