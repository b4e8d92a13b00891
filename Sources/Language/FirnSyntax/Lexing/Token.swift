package import FirnValues

/// A token of the language with its range in the text.
package struct Token {
    package enum Kind: Hashable {
        /// A keyword or name as written.
        case word(String)
        /// A name in backquotes, or one with escaped blanks: never a keyword.
        case name(String)
        /// The magnitude of an integer, at most 2^63, which is valid only with a minus sign.
        case integer(UInt64)
        /// A number with a point or an exponent, or an integer beyond 2^63.
        case number(NumberLiteral)
        case string(String)
        /// Binary data: `B64"..."`.
        case base64([UInt8])
        case date(Timestamp)
        case duration(milliseconds: Int64)
        /// `$name`, without the `$`.
        case argument(String)
        /// `%@`, with its index among the `%@` and `%K` of the text.
        case placeholder(Int)
        /// `%K`, with its index.
        case pathPlaceholder(Int)
        /// `@count`, with the `@`.
        case attribute(String)
        case symbol(Symbol)
        /// The rest of the line after `| !` and a blank; only in the interactive shell.
        case shellCommand(String)
        case end
    }

    package enum Symbol: String, Hashable, CaseIterable {
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
        case percent = "%"
        /// A single `=`, which can also be an assignment.
        case assign = "="
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    package let kind: Kind
    package let range: SourceRange

    /// Returns whether the token is a keyword, in any case.
    func isWord(_ keyword: String) -> Bool {
        guard case .word(let word) = kind else { return false }
        return word.uppercased() == keyword
    }
}
