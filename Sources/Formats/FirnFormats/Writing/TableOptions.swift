package import FirnValues

/// The style of a table.
package enum TableStyle: Sendable {
    /// Bars between the columns, and a line under their names.
    case plain
    /// Lines on all sides.
    case box
    /// A table in GitHub Flavored Markdown.
    case markdown
    /// One line per property, with an empty line between objects.
    case lines
}

/// The options for drawing a table.
package struct TableOptions: Sendable {
    package var style = TableStyle.plain
    /// The maximum width of a line; `nil` if nothing is truncated.
    package var width: Int?
    /// Whether a long value is wrapped instead of truncated.
    package var wraps = false
    /// Whether lines are drawn with characters outside ASCII.
    package var drawsUnicode = true
    /// Whether null is dimmed with an escape sequence.
    package var colour = false
    /// Whether the column names are shown.
    package var header = true
    /// The text for null.
    package var nullText = "null"
    /// The maximum number of rows; `nil` for all.
    package var rowsMax: Int?
    /// The names of the columns that come first if not all columns fit.
    package var leadingColumns: [String] = []
    /// The names of the sort keys, and whether each is descending; with colours, an arrow marks
    /// them.
    package var sortKeys: TextMap<Bool> = [:]

    package init() {}

    /// The bar between two columns.
    package var bar: StaticString { drawsUnicode && style != .markdown ? "│" : "|" }
    package var rule: StaticString { drawsUnicode && style != .markdown ? "─" : "-" }
    package var crossing: StaticString { drawsUnicode ? "┼" : "+" }
    /// The mark of a truncated text.
    package var ellipsis: StaticString { drawsUnicode ? "…" : "~" }

    /// Returns a column name with the mark of a sort key.
    func heading(_ name: String) -> String {
        guard colour, let isDescending = sortKeys[name] else { return name }
        if drawsUnicode { return name + (isDescending ? " ↓" : " ↑") }
        return name + (isDescending ? " v" : " ^")
    }

    /// Whether a line has a bar at both ends.
    var isClosed: Bool { style == .box || style == .markdown }
}
