/// A contestant's answer, compared to verify that all did the same work.
struct Answer {
    private let lines: [Substring]

    init(_ csv: String) { lines = csv.split(whereSeparator: \.isNewline) }

    var summary: String { lines.count == 1 ? String(lines[0]) : "\(lines.count) rows" }

    /// Whether both have the same number of rows, and the same number if there is only one value.
    ///
    /// Rows themselves are not compared: dates have several spellings, and rows with equal sort
    /// keys may come in any order.
    func agrees(with other: Answer) -> Bool {
        guard lines.count == other.lines.count else { return false }
        guard lines.count == 1, let mine = Double(lines[0]), let others = Double(other.lines[0])
        else { return true }
        return abs(mine - others) <= 1e-9 * max(abs(mine), abs(others))
    }
}
