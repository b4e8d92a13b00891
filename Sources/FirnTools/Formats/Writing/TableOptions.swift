/// How a table is drawn.
package struct TableOptions: Sendable {
    /// The columns of the terminal that a line may take; `nil` if nothing is to be shortened.
    package var width: Int?
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
    var bar: StaticString { drawsUnicode ? "│" : "|" }
    var rule: StaticString { drawsUnicode ? "─" : "-" }
    var crossing: StaticString { drawsUnicode ? "┼" : "+" }
    /// Stands for what was cut off.
    var ellipsis: StaticString { drawsUnicode ? "…" : "~" }
}
