import FirnQuery

/// Splits standard input into statements, as the interactive shell does: each ends at a `;`, or at
/// the end of a line if it is complete.
///
/// There is no earlier result to refine, so a line that begins with `|`, with `AND` or `OR`, or
/// with a descriptor such as `SORT(` belongs to the previous statement.
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
        for (index, line) in lines.enumerated() { add(line, number: index + 1) }
        finish()
    }

    private mutating func add(_ line: Substring, number: Int) {
        let words = line.drop(while: \.isWhitespace)
        let isEmpty = words.isEmpty || words.hasPrefix("--")
        if isComplete, !isEmpty, !QueryStatements.goesOn(words) { finish() }
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

    private static func goesOn(_ line: Substring) -> Bool {
        if line.hasPrefix("|") || line.hasPrefix("&&") { return true }
        let word = line.prefix { $0.isLetter }
        let rest = line[word.endIndex...].drop(while: \.isWhitespace)
        switch word.uppercased() {
        case "AND", "OR": return true
        case "SORT", "DISTINCT", "LIMIT", "SKIP": return rest.hasPrefix("(")
        default: return false
        }
    }
}
