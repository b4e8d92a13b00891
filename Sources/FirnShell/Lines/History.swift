import FirnPlatform

/// The statements that were typed, in this session and in earlier ones.
///
/// They are kept in `$XDG_STATE_HOME/firn/history`, or else in `~/.local/state/firn/history`, which
/// only the user may read. Each statement is added when it is finished, so that sessions side by
/// side add to one history instead of overwriting it. That it cannot be read or written is never an
/// error: the shell works without.
final class History {
    /// How many statements are kept.
    static let entriesMax = 10_000
    /// A longer statement is not worth a place in the file.
    static let entryBytesMax = 64 << 10
    /// More of a file is not read: it is not one of ours.
    private static let fileBytesMax = 16 << 20

    /// All statements, the latest last.
    private(set) var entries: [HistoryEntry] = []
    /// Told of each statement that is forgotten, by its place.
    var didRemove: (Int) -> Void = { _ in }
    private let file: PrivateFile?
    private let clock: any Clock

    /// Reads what earlier sessions kept.
    ///
    /// - Parameter path: `nil` for a history that ends with the session.
    init(path: String?, clock: any Clock = SystemClock()) {
        file = path.map { PrivateFile($0) }
        self.clock = clock
        guard let file, let bytes = try? file.read(bytesMax: History.fileBytesMax) else { return }
        entries = Array(HistoryEntry.parse(bytes).suffix(History.entriesMax))
    }

    /// Where the history of a user is kept; `nil` if there is no such place.
    ///
    /// - Parameter variable: the value of an environment variable that is not empty.
    static func path(_ variable: (String) -> String?) -> String? {
        // A relative path is to be ignored, says the specification of these folders.
        if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") {
            return state + "/firn/history"
        }
        guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
        return home + "/.local/state/firn/history"
    }

    /// Whether a statement belongs into the history: not if it begins with a blank or is empty.
    static func keeps(_ statement: String) -> Bool {
        guard let first = statement.utf8.first, first != UInt8(ascii: " "),
            first != UInt8(ascii: "\t")
        else { return false }
        return statement.utf8.count <= entryBytesMax
            && statement.utf8.contains { $0 > UInt8(ascii: " ") }
    }

    /// Adds a statement at the end.
    ///
    /// - Returns: whether it was added: not if it is not to be kept, or is the latest one already.
    @discardableResult
    func add(_ statement: String) -> Bool {
        guard History.keeps(statement), statement != entries.last?.statement else { return false }
        let entry = HistoryEntry(time: clock.wallTime().seconds, statement: statement)
        entries.append(entry)
        if entries.count > History.entriesMax { entries.removeFirst() }
        try? file?.append(entry.bytes)
        return true
    }

    /// Forgets a statement, in the file too.
    ///
    /// - Parameter index: its place among ``entries``.
    func remove(at index: Int) {
        guard entries.indices.contains(index) else { return }
        let removed = entries.remove(at: index)
        didRemove(index)
        rewrite { kept in
            kept.filter { $0 != removed }
        }
    }

    /// Cuts the file to as many statements as are kept; called at the end of a session.
    func truncate() {
        rewrite { kept in
            // The file is rewritten seldom: not for each statement too many.
            kept.count > History.entriesMax ? kept.suffix(History.entriesMax * 9 / 10) : nil
        }
    }

    private func rewrite(_ body: ([HistoryEntry]) -> [HistoryEntry]?) {
        try? file?.change(bytesMax: History.fileBytesMax) { bytes in
            body(HistoryEntry.parse(bytes))?.flatMap(\.bytes)
        }
    }
}

/// One statement of the history.
struct HistoryEntry: Hashable, Sendable {
    /// Seconds since 1970 in UTC; 0 if nobody knows.
    let time: Int64
    /// It may have several lines.
    let statement: String

    /// The entry as it stands in the file: `#` and the time, and below it the statement.
    var bytes: [UInt8] {
        // No other line of a statement looks like the first line of an entry.
        Array("#\(time)\n\(statement)\n".utf8)
    }

    /// The entries of a file; lines before the first time are entries of their own.
    static func parse(_ bytes: [UInt8]) -> [HistoryEntry] {
        var entries: [HistoryEntry] = []
        var time: Int64?
        var lines: [Substring] = []
        func finish() {
            let statement = lines.joined(separator: "\n")
            if !statement.isEmpty {
                entries.append(HistoryEntry(time: time ?? 0, statement: statement))
            }
            lines = []
        }
        let text = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
        var all = text.split(separator: "\n", omittingEmptySubsequences: false)
        if all.last?.isEmpty == true { all.removeLast() }
        for line in all {
            if let stamp = HistoryEntry.time(line) {
                finish()
                time = stamp
            } else {
                lines.append(line)
                if time == nil { finish() }
            }
        }
        finish()
        return entries
    }

    private static func time(_ line: Substring) -> Int64? {
        guard line.utf8.first == UInt8(ascii: "#"), line.utf8.count > 1 else { return nil }
        let digits = line.dropFirst()
        guard digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(digits)
    }
}
