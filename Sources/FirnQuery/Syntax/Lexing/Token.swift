import FirnValues

/// A word of the language with its place in the text.
struct Token {
    enum Kind: Hashable {
        /// A keyword or name as written.
        case word(String)
        /// A name in backquotes, or one with escaped blanks: never a keyword.
        case name(String)
        /// The magnitude of a whole number; at most 2^63, which only a minus sign makes valid.
        case integer(UInt64)
        /// A number with a point or an exponent, or a whole one beyond 2^63.
        case number(NumberLiteral)
        case string(String)
        /// `B64"..."`
        case base64([UInt8])
        case date(Timestamp)
        case duration(milliseconds: Int64)
        /// `$name`, without the `$`.
        case argument(String)
        /// `%@`, with its number among the `%@` and `%K` of the text.
        case placeholder(Int)
        /// `%K`, with its number.
        case pathPlaceholder(Int)
        /// `@count`, with the `@`.
        case attribute(String)
        case symbol(Symbol)
        /// What follows `| !` and a blank, to the end of the line; only in the interactive shell.
        case shellCommand(String)
        case end
    }

    enum Symbol: String, Hashable, CaseIterable {
        case leftParenthesis = "("
        case rightParenthesis = ")"
        case leftBrace = "{"
        case rightBrace = "}"
        case leftBracket = "["
        case rightBracket = "]"
        case comma = ","
        case dot = "."
        case semicolon = ";"
        case colon = ":"
        case pipe = "|"
        case or = "||"
        case and = "&&"
        case not = "!"
        case plus = "+"
        case minus = "-"
        case star = "*"
        case slash = "/"
        /// One `=`, which also assigns.
        case assign = "="
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    let kind: Kind
    let range: SourceRange

    /// Whether this is the keyword, in any case.
    func isWord(_ keyword: String) -> Bool {
        guard case .word(let word) = kind else { return false }
        return word.uppercased() == keyword
    }
}
