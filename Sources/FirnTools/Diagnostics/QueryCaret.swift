import FirnQuery

/// Shows the line of a query text that is wrong, with a caret below what is wrong:
///
///     Person nme == "Ann"
///            ^^^ did you mean "name"?
enum QueryCaret {
    /// A longer line is cut around the place in question.
    private static let lineLengthMax = 100

    static func lines(for error: QueryError, in text: String) -> [String] {
        let position = Diagnostic.position(of: error.range, in: text)
        let all = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let column = position.column, Int(position.line) <= all.count else { return [] }
        var line = Substring(all[Int(position.line) - 1])
        var start = column - 1
        if line.count > lineLengthMax {
            let drop = max(0, start - lineLengthMax / 2)
            line = line.dropFirst(drop).prefix(lineLengthMax)
            start -= drop
        }
        let shown = SafeText.escaping(String(line))
        let before = SafeText.escaping(String(line.prefix(start)))
        let marked = SafeText.escaping(String(line.dropFirst(start).prefix(position.length ?? 1)))
        let indent = String(repeating: " ", count: DisplayWidth.columns(of: before))
        let carets = String(repeating: "^", count: max(1, DisplayWidth.columns(of: marked)))
        return [shown, indent + carets + (error.hint.map { " " + $0 } ?? "")]
    }
}
