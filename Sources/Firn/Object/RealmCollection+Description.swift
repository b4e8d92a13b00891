/// Textual representations of collections.
extension RealmCollection {
    /// A textual representation of the type and of at most the first 100 elements with positions.
    public var description: String { describe(depth: 0) }

    /// - Parameter depth: The depth of the object that owns the collection.
    func describe(depth: Int) -> String {
        let type = "\(Self.self)".split(separator: "<").first ?? ""
        let head = "\(type)<\(Element.self)>"
        guard !isInvalidated else { return "\(head) (invalid)" }
        let indentation = String(repeating: "    ", count: depth)
        let count = self.count
        var lines: [String] = []
        for (index, element) in self.prefix(100).enumerated() {
            lines.append("\(indentation)    [\(index)] \(ObjectBase.text(element, depth + 1))")
        }
        if count > lines.count { lines.append("\(indentation)    ... \(count - lines.count) more") }
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
