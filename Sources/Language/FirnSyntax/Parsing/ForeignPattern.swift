import FirnValues

/// Finds patterns that are valid, but mean something else in SQL.
package enum ForeignPattern {
    /// Returns the first LIKE pattern in a text that has a wildcard of SQL, but no wildcard of this
    /// language.
    ///
    /// - Complexity: O(length)
    package static func like(in text: String) -> String? {
        guard let parser = try? Parser(text, entry: .pipeline) else { return nil }
        for (index, token) in parser.tokens.enumerated() where token.isWord("LIKE") {
            // `LIKE[cd] "..."` has three tokens between the word and the text.
            for case .string(let pattern) in parser.tokens[(index + 1)...].prefix(4).map(\.kind) {
                if pattern.contains(where: { "%_".contains($0) }),
                    !pattern.contains(where: { "*?".contains($0) })
                {
                    return pattern
                }
                break
            }
        }
        return nil
    }
}
