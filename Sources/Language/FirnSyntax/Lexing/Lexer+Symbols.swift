extension Lexer {
    /// Scans a symbol of one or two characters.
    ///
    /// Synonyms are unified.
    mutating func scanSymbol() throws(QueryError) -> Token.Symbol {
        guard let first = peek() else { throw unexpectedCharacter(nil) }
        if let second = peek(1), let symbol = Lexer.symbolOfTwo(first, second) {
            position += 2
            return symbol
        }
        guard let symbol = Lexer.symbolOfOne(first) else {
            throw unexpectedCharacter(Unicode.Scalar(first))
        }
        position += 1
        return symbol
    }

    private static func symbolOfTwo(_ first: UInt8, _ second: UInt8) -> Token.Symbol? {
        switch (Unicode.Scalar(first), Unicode.Scalar(second)) {
        case ("|", "|"): .or
        case ("&", "&"): .and
        case ("=", "="): .equal
        case ("!", "="), ("<", ">"): .notEqual
        case ("<", "="), ("=", "<"): .lessOrEqual
        case (">", "="), ("=", ">"): .greaterOrEqual
        default: nil
        }
    }

    private static func symbolOfOne(_ byte: UInt8) -> Token.Symbol? {
        switch Unicode.Scalar(byte) {
        case "(": .leftParenthesis
        case ")": .rightParenthesis
        case "{": .leftBrace
        case "}": .rightBrace
        case "[": .leftBracket
        case "]": .rightBracket
        case ",": .comma
        case ";": .semicolon
        case ":": .colon
        case "|": .pipe
        case "!": .not
        case "+": .plus
        case "-": .minus
        case "*": .star
        case "/": .slash
        case "=": .assign
        case "<": .less
        case ">": .greater
        default: nil
        }
    }
}
