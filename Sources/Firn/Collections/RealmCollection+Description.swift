/// Texts of collections.
extension RealmCollection {
    /// The type and the elements with their positions, at most the first hundred.
    public var description: String {
        let shown = prefix(100).enumerated().map { index, element in
            "\t[\(index)] "
                + "\(element)".split(separator: "\n", omittingEmptySubsequences: false)
                .joined(separator: "\n\t")
        }
        let rest = count > 100 ? ["\t... \(count - 100) more"] : []
        let type = "\(Self.self)".split(separator: "<").first ?? ""
        return "\(type)<\(Element.self)> (\n" + (shown + rest).joined(separator: ",\n") + "\n)"
    }
}

/// Coding.
extension RealmCollection where Element: Encodable {
    /// Writes the elements as an array.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}
