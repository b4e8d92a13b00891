/// Arguments that mean the same with and without the parser.
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
