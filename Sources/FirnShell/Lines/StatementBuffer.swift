import FirnQuery

/// Gathers lines until they are something to carry out.
struct StatementBuffer {
    /// What a whole line or several of them are.
    enum Entry: Hashable {
        /// A line that begins with a dot.
        case command(String)
        /// The text of one statement, without a `;`.
        case statement(String)
    }

    /// What came of a line.
    enum Addition: Hashable {
        case complete([Entry])
        /// The entries that ended in it, and what the last statement still needs.
        case needs(StatementScanner.Missing, after: [Entry])
    }

    private var scanner = StatementScanner()

    /// Whether no statement has begun.
    var isEmpty: Bool { scanner.isEmpty }

    /// The lines of the unfinished statement.
    var text: String { scanner.text }

    /// What the unfinished statement needs.
    var missing: StatementScanner.Missing? { isEmpty ? nil : scanner.missing }

    /// Adds a line without its end.
    mutating func add(_ line: String) -> Addition {
        if isEmpty, let entry = StatementBuffer.command(line) { return .complete([entry]) }
        var entries = scanner.add(line: line).map { Entry.statement($0) }
        if scanner.isEmpty { return .complete(entries) }
        if let missing = scanner.missing { return .needs(missing, after: entries) }
        entries.append(.statement(scanner.take()))
        return .complete(entries)
    }

    /// Takes the unfinished statement out; `nil` if there is none.
    mutating func take() -> String? { isEmpty ? nil : scanner.take() }

    private static func command(_ line: String) -> Entry? {
        let words = line.drop { $0 == " " || $0 == "\t" }
        // `.5` is a number, which begins no statement either, but its error says more.
        guard words.first == ".", words.dropFirst().first.map({ !$0.isNumber }) ?? true else {
            return nil
        }
        return .command(String(words))
    }
}
