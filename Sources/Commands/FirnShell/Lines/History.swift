import FirnPlatform
import FirnValues

/// The statements typed in this session and in earlier ones.
///
/// They are stored in `$XDG_STATE_HOME/firn/history`, or else in `~/.local/state/firn/history`,
/// which only the user can read. Each statement is appended when it is complete, so that concurrent
/// sessions share one history instead of overwriting it. A read or write error is ignored: the
/// shell works without a history.
final class History {
    /// The maximum number of stored statements.
    static let entriesMax = 10_000
    /// The maximum size of a statement that is stored.
    static let entryBytesMax = 64 << 10
    /// The maximum size of a file that is read; a larger one cannot be a history.
    private static let fileBytesMax = 16 << 20

    /// All statements, from oldest to latest.
    private(set) var entries: [HistoryEntry] = []
    /// Called with the index of each deleted statement.
    var didRemove: (Int) -> Void = { _ in }
    private let file: PrivateFile?
    private let clock: any Clock

    /// Reads the history of earlier sessions.
    ///
    /// - Parameter path: the file; `nil` for a history that ends with the session.
    init(path: String?, clock: any Clock = SystemClock()) {
        file = path.map { PrivateFile($0) }
        self.clock = clock
        guard let file, let bytes = try? file.read(bytesMax: History.fileBytesMax) else { return }
        entries = Array(HistoryEntry.parse(bytes).suffix(History.entriesMax))
    }

    /// Returns the path of a user's history; `nil` if there is none.
    ///
    /// - Parameter variable: returns the value of an environment variable that is not empty.
    static func path(_ variable: (String) -> String?) -> String? {
        // The specification of these folders requires that a relative path is ignored.
        if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") {
            return state + "/firn/history"
        }
        guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
        return home + "/.local/state/firn/history"
    }

    /// Returns whether a statement is stored: not if it begins with a space or is empty.
    static func keeps(_ statement: String) -> Bool {
        guard let first = statement.utf8.first, first != UInt8(ascii: " "),
            first != UInt8(ascii: "\t")
        else { return false }
        return statement.utf8.count <= entryBytesMax
            && statement.utf8.contains { $0 > UInt8(ascii: " ") }
    }

    /// Adds a statement at the end.
    ///
    /// - Returns: whether it was added; not if it is not to be stored, or equals the latest
    ///   statement.
    @discardableResult
    func add(_ statement: String) -> Bool {
        guard History.keeps(statement), statement != entries.last?.statement else { return false }
        let entry = HistoryEntry(time: clock.wallTime().seconds, statement: statement)
        entries.append(entry)
        if entries.count > History.entriesMax { entries.removeFirst() }
        try? file?.append(entry.bytes)
        return true
    }

    /// Deletes a statement, including from the file.
    ///
    /// - Parameter index: its index in ``entries``.
    func remove(at index: Int) {
        guard entries.indices.contains(index) else { return }
        let removed = entries.remove(at: index)
        didRemove(index)
        rewrite { kept in
            kept.filter { $0.time != removed.time || $0.statement != removed.statement }
        }
    }

    /// Truncates the file to the maximum number of statements; called at the end of a session.
    func truncate() {
        rewrite { kept in
            // The file is rewritten rarely, not for each excess statement.
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
    /// The time in seconds since 1970 in UTC; 0 if unknown.
    let time: Int64
    /// The statement, which can have several lines.
    let statement: String

    /// The entry in the file: `#` and the time, followed by the statement.
    var bytes: [UInt8] {
        // No other line of a statement has the form of the first line of an entry.
        Array("#\(time)\n\(statement)\n".utf8)
    }

    /// Parses the entries of a file; lines before the first time are separate entries.
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
        let digits = line.utf8.dropFirst()
        guard digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(Substring(digits))
    }
}
