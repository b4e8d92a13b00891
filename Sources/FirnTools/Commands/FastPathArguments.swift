/// Words of a command line that mean the same with the parser and without it.
enum FastPathArguments {
    /// Whether a word can be nothing but a value: no option, no mark of ``WriteStep``, not empty.
    static func isName(_ word: String) -> Bool {
        switch word.utf8.first {
        case nil, UInt8(ascii: "-"), 0: false
        default: true
        }
    }
}
