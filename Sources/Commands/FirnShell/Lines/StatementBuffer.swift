import FirnQuery
import FirnSyntax
import FirnValues

/// Collects lines until they are complete.
struct StatementBuffer {
    /// A complete entry, of one or several lines.
    enum Entry: Hashable {
        /// A line that begins with a dot.
        case command(String)
        /// The text of one statement, without a `;`.
        case statement(String)
    }

    /// The result of adding a line.
    enum Addition: Hashable {
        case complete([Entry])
        /// The entries that ended in the line, and the missing part of the last statement.
        case needs(StatementScanner.Missing, after: [Entry])
    }

    private var scanner = StatementScanner()

    /// Whether no statement has begun.
    var isEmpty: Bool { scanner.isEmpty }

    /// The lines of the unfinished statement.
    var text: String { scanner.text }

    /// The missing part of the unfinished statement.
    var missing: StatementScanner.Missing? { isEmpty ? nil : scanner.missing }

    /// Whether a complete statement waits for the next line, which may continue it.
    var isComplete: Bool { !isEmpty && scanner.missing == nil }

    /// Removes and returns the waiting statement if a line does not continue it.
    mutating func take(before line: String) -> Entry? {
        guard isComplete, !StatementScanner.continues(line) else { return nil }
        return .statement(scanner.take())
    }

    /// Adds a line without its line end.
    ///
    /// - Parameter mayContinue: whether a complete statement waits for the next line.
    mutating func add(_ line: String, mayContinue: Bool = false) -> Addition {
        if isEmpty, let entry = StatementBuffer.command(line) { return .complete([entry]) }
        var entries = scanner.add(line: line).map { Entry.statement($0) }
        if scanner.isEmpty { return .complete(entries) }
        if let missing = scanner.missing { return .needs(missing, after: entries) }
        if mayContinue, !scanner.isClosed { return .complete(entries) }
        entries.append(.statement(scanner.take()))
        return .complete(entries)
    }

    /// Removes and returns the unfinished statement; `nil` if there is none.
    mutating func take() -> String? { isEmpty ? nil : scanner.take() }

    private static func command(_ line: String) -> Entry? {
        let words = line.drop { $0 == " " || $0 == "\t" }
        // `.5` is a number, which does not begin a statement either, but its error is more helpful.
        guard words.first == ".", words.dropFirst().first.map({ !$0.isNumber }) ?? true else {
            return nil
        }
        return .command(String(words))
    }
}
