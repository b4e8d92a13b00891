import FirnValues

/// Quoting of names and texts in SQL.
enum SQLText {
    /// Returns an identifier in quotes.
    static func name(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    /// Returns a string constant, for definitions, which take no parameters.
    static func literal(_ text: String) -> String {
        "'" + text.replacing("'", with: "''") + "'"
    }
}
