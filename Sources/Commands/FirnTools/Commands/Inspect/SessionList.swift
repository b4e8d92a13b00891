import FirnEngine
import FirnFormats
import FirnValues

/// The other processes that have a database open, for `stats --sessions`.
struct SessionList {
    private let sessions: [StoreClient]

    init(_ sessions: [StoreClient]) {
        // The command itself is gone by the time the list is read.
        self.sessions = sessions.filter { !$0.isThisProcess }
    }

    var text: String {
        guard !sessions.isEmpty else { return "no other process has it open\n" }
        var rows = [["pid", "age", "does", "reads", "command"]]
        rows += sessions.map { session in
            [
                session.process.map { "\($0.pid)" } ?? "?",
                session.process.map { Formatting.age($0.ageSeconds) } ?? "?",
                session.activities.joined(separator: ", "),
                session.pinned.map { "\($0.rawValue)" }.joined(separator: ", "),
                session.process?.shownCommand ?? "",
            ]
        }
        return TextColumns.aligned(rows, right: [0, 1])
    }

    var records: [JSONObject] { sessions.map(\.record) }
}

extension StoreClient {
    /// The current activities.
    ///
    /// That a process is stopped comes first, because it explains the others.
    fileprivate var activities: [String] {
        var words: [String] = []
        if process?.isStopped == true { words.append("stopped") }
        if isWriting { words.append("writing") }
        if isCheckpointing { words.append("checkpointing") }
        if isAttached { words.append("attached") }
        return words.isEmpty ? ["reading"] : words
    }

    fileprivate var record: JSONObject {
        var json = JSONObject()
        if let process {
            json.add("pid", Int64(process.pid))
            json.add("command", process.command)
            json.add("age", Int64(clamping: process.ageSeconds))
            json.add("stopped", process.isStopped)
        } else {
            json.addNull("pid")
        }
        json.add("attached", isAttached)
        json.add("writing", isWriting)
        json.add("checkpointing", isCheckpointing)
        json.add("pins", pinned.map { Int64(clamping: $0.rawValue) })
        return json
    }
}
