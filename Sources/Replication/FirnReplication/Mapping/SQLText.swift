/// Quoting of names and texts in SQL.
enum SQLText {
    /// Returns an identifier in quotes.
    static func name(_ name: String) -> String {
        "\""
            + name.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
    }

    /// Returns a string constant, for definitions, which take no parameters.
    static func literal(_ text: String) -> String {
        "'"
            + text.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "''") + "'"
    }
}
