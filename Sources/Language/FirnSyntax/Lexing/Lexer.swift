import FirnValues

/// Splits a text into tokens in one pass over its UTF-8.
///
/// Invariant: between two steps, `position` is at the start of a character. Every range is
/// therefore valid UTF-8.
package struct Lexer {
    let bytes: [UInt8]
    var position = 0
    /// The number of `%@` and `%K` so far.
    var placeholderCount = 0
    /// The unclosed quote at which scanning stopped.
    var openQuote: UInt8?
    /// Whether `| ! command` is recognized.
    private let readsCommands: Bool
    private(set) var tokens: [Token] = []

    /// Returns all tokens of a text.
    ///
    /// The last one is ``Token/Kind/end``.
    ///
    /// - Complexity: O(length)
    package static func tokens(of text: String, entry: QueryEntry) throws(QueryError) -> [Token] {
        let count = text.utf8.count
        guard count <= QueryLimits.textBytesMax else {
            throw QueryError(
                .limit,
                "the query has \(count) bytes, more than \(QueryLimits.textBytesMax)", at: 0..<0)
        }
        var lexer = Lexer(bytes: Array(text.utf8), entry: entry)
        try lexer.run()
        return lexer.tokens
    }

    init(bytes: [UInt8], entry: QueryEntry) {
        self.bytes = bytes
        readsCommands = entry == .repl
    }

    mutating func run() throws(QueryError) {
        while true {
            skipBlanksAndComments()
            let start = position
            guard let byte = peek() else {
                tokens.append(Token(kind: .end, range: SourceRange(start..<start)))
                return
            }
            let kind = try startsCommand(byte) ? scanCommand() : scanToken(startingWith: byte)
            tokens.append(Token(kind: kind, range: SourceRange(start..<position)))
        }
    }

    /// Returns whether `! command` starts here.
    ///
    /// Without the blank, `!` is a negation.
    private func startsCommand(_ byte: UInt8) -> Bool {
        guard readsCommands, byte == UInt8(ascii: "!"), tokens.last?.kind == .symbol(.pipe) else {
            return false
        }
        return peek(1).map { $0 == UInt8(ascii: " ") || (9...13).contains($0) } ?? true
    }

    /// Scans the rest of the line as a shell command.
    private mutating func scanCommand() -> Token.Kind {
        let start = position + 1
        while let byte = peek(), byte != UInt8(ascii: "\n") { position += 1 }
        return .shellCommand(text(start..<position).trimmed)
    }

    private mutating func scanToken(startingWith byte: UInt8) throws(QueryError) -> Token.Kind {
        if let text = scanIdentifier() { return .string(text) }
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try scanNumberOrDate()
        case UInt8(ascii: "."):
            if let next = peek(1), Lexer.isDigit(next) { return try scanNumberOrDate() }
            position += 1
            return .symbol(.dot)
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return .string(try scanString())
        case UInt8(ascii: "`"):
            return .name(try scanBackquotedName())
        case UInt8(ascii: "$"), UInt8(ascii: "@"):
            return try scanPrefixedName()
        case UInt8(ascii: "%"):
            return scanPlaceholder()
        default:
            if Lexer.isNameStart(byte) { return try scanWord() }
            if byte >= 0x80 {
                try checkNameScalar(isFirst: true)
                return try scanWord()
            }
            return .symbol(try scanSymbol())
        }
    }

    /// Skips blanks and comments.
    ///
    /// A comment begins with `--` at the start of a line or after a blank, and extends to the end
    /// of the line.
    private mutating func skipBlanksAndComments() {
        var afterBlank = position == 0
        while let byte = peek() {
            if byte == UInt8(ascii: " ") || (9...13).contains(byte) {
                afterBlank = true
                position += 1
            } else if byte == UInt8(ascii: "-"), peek(1) == byte, afterBlank {
                while let byte = peek(), byte != UInt8(ascii: "\n") { position += 1 }
            } else {
                return
            }
        }
    }

    // MARK: Characters

    /// Returns the byte at a distance, or `nil` after the end.
    func peek(_ distance: Int = 0) -> UInt8? {
        let index = position + distance
        return index < bytes.count ? bytes[index] : nil
    }

    /// Returns the text of a range that starts and ends at character boundaries.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    static func isNameStart(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    /// Returns whether a byte is an ASCII letter, a digit, or part of a non-ASCII character.
    static func isNamePart(_ byte: UInt8) -> Bool {
        isNameStart(byte) || isDigit(byte) || byte >= 0x80
    }

    /// Returns the number of bytes of the character that starts here.
    func characterLength() -> Int {
        guard let byte = peek() else { return 0 }
        let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        return min(length, bytes.count - position)
    }

    /// Returns the Unicode scalar that starts here.
    func scalar() -> Unicode.Scalar? {
        text(position..<position + characterLength()).unicodeScalars.first
    }

    func syntaxError(
        _ message: String, _ range: Range<Int>, hint: String? = nil
    ) -> QueryError {
        QueryError(.syntax, message, at: range, hint: hint)
    }
}

extension String {
    /// The text without leading and trailing blanks.
    fileprivate var trimmed: String {
        let start = drop(while: \.isWhitespace)
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }
}
