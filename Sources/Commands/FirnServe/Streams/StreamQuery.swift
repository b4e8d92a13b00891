import FirnTools
import FirnValues

/// The stream that a client wants: clients with equal ones share a live query.
struct StreamQuery: Hashable, Sendable {
    let path: String
    /// The options, and the query.
    let words: [String]

    /// The command line that delivers what has happened after a position, and ends.
    ///
    /// - Parameter token: The position; `nil` to begin with all objects.
    func catchUp(after token: String?) -> [String] {
        ["observe", path, "-q", "-f", "ndjson", "--catch-up"]
            + [token.map { "--since=\($0)" }].compactMap(\.self) + words
    }

    /// The command line that follows the commits after a position, one by one.
    func follow(after token: String) -> [String] {
        [
            "observe", path, "-q", "-f", "ndjson", "--every-commit", "--heartbeat=15s",
            "--since=\(token)",
        ] + words
    }
}
