import FirnTools
import FirnValues

/// The stream that a client requests; clients that request the same stream share a live query.
struct StreamQuery: Hashable, Sendable {
    private let pathKey: TextKey
    private let wordKeys: [TextKey]

    init(path: String, words: [String]) {
        pathKey = TextKey(path)
        wordKeys = words.map(TextKey.init)
    }

    var path: String { pathKey.text }
    /// The arguments of the command line: options, then the query.
    var words: [String] { wordKeys.map(\.text) }

    /// Returns the command line that delivers the changes after a position, and ends.
    ///
    /// - Parameters:
    ///   - token: The position; `nil` to begin with the result.
    ///   - initial: The content of the first line; `nil` for all objects.
    func catchUp(after token: String?, initial: String?) -> [String] {
        ["observe", path, "-q", "-f", "ndjson", "--catch-up"]
            + [token.map { "--since=\($0)" }, initial.map { "--initial=\($0)" }]
            .compactMap(\.self) + words
    }

    /// Returns the command line that follows the commits after a position, one by one.
    func follow(after token: String) -> [String] {
        [
            "observe", path, "-q", "-f", "ndjson", "--every-commit", "--heartbeat=15s",
            "--since=\(token)",
        ] + words
    }
}
