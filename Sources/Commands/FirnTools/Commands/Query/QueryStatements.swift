import FirnQuery
import FirnSyntax
import FirnValues

/// Splits standard input into statements, as the interactive shell does: each ends at a `;`, or at
/// the end of a line if it is complete.
///
/// A line that begins with a sign or word that follows an expression, such as `|`, `AND` or `SORT(`,
/// belongs to the previous statement.
struct QueryStatements {
    /// A statement, and the line of the input where it begins, counted from 1.
    struct Statement: Hashable {
        let text: String
        let line: Int
    }

    private(set) var all: [Statement] = []
    private var scanner = StatementScanner()
    private var firstLine = 1
    /// Whether the lines so far are a complete statement, unless the next line continues it.
    private var isComplete = false

    /// - Complexity: O(length)
    init(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let isWindows = line.utf8.last == UInt8(ascii: "\r")
            add(isWindows ? Substring(line.utf8.dropLast()) : line, number: index + 1)
        }
        finish()
    }

    private mutating func add(_ line: Substring, number: Int) {
        if isComplete, scanner.isClosed || !StatementScanner.continues(line) { finish() }
        if scanner.isEmpty { firstLine = number }
        for statement in scanner.add(line: String(line)) {
            all.append(Statement(text: statement, line: firstLine))
            firstLine = number
        }
        isComplete = !scanner.isEmpty && scanner.missing == nil
    }

    private mutating func finish() {
        if !scanner.isEmpty { all.append(Statement(text: scanner.take(), line: firstLine)) }
        isComplete = false
    }
}
