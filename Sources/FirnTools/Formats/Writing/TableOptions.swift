/// What a table is made of.
package enum TableStyle: Sendable {
    /// Bars between the columns, and a line under their names.
    case plain
    /// Lines on all sides.
    case box
    /// A table of GitHub flavoured Markdown.
    case markdown
    /// One line per property, with an empty line between objects.
    case lines
}

/// How a table is drawn.
package struct TableOptions: Sendable {
    package var style = TableStyle.plain
    /// The columns of the terminal that a line may take; `nil` if nothing is to be shortened.
    package var width: Int?
    /// Whether a long value goes on below instead of being shortened.
    package var wraps = false
    /// Whether lines are drawn with characters outside of ASCII.
    package var drawsUnicode = true
    /// Whether null is dimmed with an escape sequence.
    package var colour = false
    /// Whether the names of the columns stand above.
    package var header = true
    /// What stands for null.
    package var nullText = "null"
    /// How many rows are shown; all of them if it is `nil`.
    package var rowsMax: Int?

    package init() {}

    /// Between two columns.
    var bar: StaticString { drawsUnicode && style != .markdown ? "│" : "|" }
    var rule: StaticString { drawsUnicode && style != .markdown ? "─" : "-" }
    var crossing: StaticString { drawsUnicode ? "┼" : "+" }
    /// Stands for what was cut off.
    var ellipsis: StaticString { drawsUnicode ? "…" : "~" }

    /// Whether a bar stands at both ends of a line.
    var isClosed: Bool { style == .box || style == .markdown }
}
