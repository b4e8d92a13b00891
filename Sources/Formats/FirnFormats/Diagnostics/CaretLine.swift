import FirnValues

/// A line with a caret under the position of an error, followed by a hint.
struct CaretLine {
    private let offset: Int
    private let length: Int
    private let hint: String

    /// - Returns: `nil` for any other line.
    init?(_ detail: String) {
        let carets = detail.drop { $0 == " " }
        offset = detail.count - carets.count
        length = carets.prefix { $0 == "^" }.count
        guard length > 0 else { return nil }
        hint = SafeText.escaping(String(carets.dropFirst(length).drop { $0 == " " }))
    }

    /// Returns the excerpt and the caret in a window: both lose the same columns on the left, and
    /// the hint has its own line if it does not fit.
    ///
    /// - Parameter excerpt: the line above, indented by two spaces.
    func lines(below excerpt: String, columns: Int) -> [String] {
        var excerpt = excerpt
        var start = offset + 2
        let end = min(start + length, excerpt.count)
        if DisplayWidth.columns(of: excerpt) > columns {
            let excess = max(0, end - columns)
            excerpt = "  " + excerpt.dropFirst(2 + excess)
            start -= excess
            while DisplayWidth.columns(of: excerpt) > columns { excerpt.removeLast() }
        }
        let shown = max(1, min(length, columns - max(2, start)))
        let caret =
            String(repeating: " ", count: max(2, start)) + String(repeating: "^", count: shown)
        guard !hint.isEmpty else { return [excerpt, caret] }
        let line = "\(caret) \(hint)"
        return DisplayWidth.columns(of: line) <= columns
            ? [excerpt, line] : [excerpt, caret, "  " + hint]
    }
}
