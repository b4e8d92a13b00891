/// A hand-written parser for the command lines that are run most often: `query` and `write` with
/// only names, a class, a format, some flags or statements.
///
/// The parser of the package reflects the declarations of all options of a command, which takes
/// longer than the command itself if it prints a few rows or changes one object. Measured with a
/// release binary on a database of two objects, as the shortest of 300 runs:
///
///     firn query FILE 'Person | count' -q     3.2 ms, with the parser 5.0 ms
///     firn write FILE -x STATEMENT -q         3.6 ms, with the parser 5.4 ms
///
/// The initializers `init?(fastPath:)` of ``QueryOptions`` and ``WriteOptions`` return `nil` for
/// any other command line, which the parser then parses or rejects. A command line that they accept
/// means the same to the parser; tests compare both.
enum FastPathArguments {
    /// Returns whether a word can only be a value: not an option, not a mark of ``WriteStep``, not
    /// empty.
    static func isName(_ word: String) -> Bool {
        switch word.utf8.first {
        case nil, UInt8(ascii: "-"), 0: false
        default: true
        }
    }
}
