import FirnValues

extension Lexer {
    /// Scans a keyword or name.
    ///
    /// A name consists of letters, digits, `_`, `$` except at the start, characters beyond ASCII
    /// other than blanks, quotes and controls, and blanks that follow a backslash.
    mutating func scanWord() throws(QueryError) -> Token.Kind {
        if let byte = peek(), byte == UInt8(ascii: "T"), let date = try scanSecondsDate() {
            return date
        }
        let start = position
        var unescaped: [UInt8]?
        while let byte = peek() {
            if byte >= 0x80 {
                guard Lexer.belongsToNames(scalar(), isFirst: false) else { break }
                let end = position + characterLength()
                unescaped?.append(contentsOf: bytes[position..<end])
                position = end
            } else if Lexer.isNamePart(byte) || byte == UInt8(ascii: "$") {
                unescaped?.append(byte)
                position += 1
            } else if byte == UInt8(ascii: "\\"),
                let blank = peek(1), blank == UInt8(ascii: " ") || blank == UInt8(ascii: "\t")
            {
                var name = unescaped ?? Array(bytes[start..<position])
                name.append(blank)
                unescaped = name
                position += 2
            } else {
                break
            }
        }
        if let unescaped { return .name(String(decoding: unescaped, as: UTF8.self)) }
        let word = text(start..<position)
        if word == "B64", let quote = peek(),
            quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        {
            return .base64(try scanBase64())
        }
        return .word(word)
    }

    /// Scans the digits of `uuid(...)` or `oid(...)`, which need no quotes.
    ///
    /// - Returns: `nil` if something else is here.
    mutating func scanIdentifier() -> String? {
        guard tokens.count >= 2, tokens.last?.kind == .symbol(.leftParenthesis),
            case .word(let word) = tokens[tokens.count - 2].kind
        else { return nil }
        let length: Int
        switch word.lowercased() {
        case "uuid": length = 36
        case "oid": length = 24
        default: return nil
        }
        guard position + length < bytes.count,
            bytes[position..<position + length].allSatisfy({ byte in
                Lexer.isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 6
                    || byte == UInt8(ascii: "-")
            }), !Lexer.isNamePart(bytes[position + length])
        else { return nil }
        defer { position += length }
        return text(position..<position + length)
    }

    /// Scans the text between backquotes.
    ///
    /// A doubled backquote represents a single one.
    mutating func scanBackquotedName() throws(QueryError) -> String {
        let start = position
        var name: [UInt8] = []
        position += 1
        while let byte = peek() {
            position += 1
            if byte != UInt8(ascii: "`") {
                name.append(byte)
            } else if peek() == byte {
                name.append(byte)
                position += 1
            } else if name.isEmpty {
                throw syntaxError("a name in backquotes cannot be empty", start..<position)
            } else {
                return String(decoding: name, as: UTF8.self)
            }
        }
        openQuote = UInt8(ascii: "`")
        throw syntaxError("this name has no closing backquote", start..<start + 1)
    }

    /// Scans `$name`, `$0` or `@name`.
    mutating func scanPrefixedName() throws(QueryError) -> Token.Kind {
        let start = position
        let isArgument = peek() == UInt8(ascii: "$")
        position += 1
        while let byte = peek() {
            if byte < 0x80 {
                guard Lexer.isNamePart(byte) || (isArgument && isHyphenInName(start)) else {
                    break
                }
                position += 1
            } else {
                guard Lexer.belongsToNames(scalar(), isFirst: false) else { break }
                position += characterLength()
            }
        }
        guard position > start + 1 else {
            let sign = isArgument ? "$" : "@"
            let example = isArgument ? "$name" : "@count"
            throw syntaxError(
                "a name is missing after \"\(sign)\"", start..<position,
                hint: "such as \(example)")
        }
        return isArgument
            ? .argument(text(start + 1..<position)) : .attribute(text(start..<position))
    }

    /// Returns whether a hyphen here is part of the argument that begins at a position.
    ///
    /// A letter follows it. `$a-1` and `$a - b` are subtractions.
    private func isHyphenInName(_ start: Int) -> Bool {
        guard position > start + 1, peek() == UInt8(ascii: "-"), let next = peek(1) else {
            return false
        }
        return (next | 0x20) &- UInt8(ascii: "a") < 26
    }

    /// Scans `%@` or `%K` of a format string, a numeric conversion of `printf` such as `%lld`, or
    /// the operator `%`.
    mutating func scanPlaceholder() -> Token.Kind {
        guard startsPlaceholder else {
            position += 1
            return .symbol(.percent)
        }
        let number = placeholderCount
        placeholderCount += 1
        if let length = numberPlaceholderLength() {
            position += length
            return .placeholder(number)
        }
        position += 2
        return peek(-1) == UInt8(ascii: "@") ? .placeholder(number) : .pathPlaceholder(number)
    }

    /// Whether the `%` here is not an operator because no operand precedes it.
    private var startsPlaceholder: Bool {
        guard let next = peek(1) else { return false }
        return next == UInt8(ascii: "@") || next == UInt8(ascii: "K")
            || numberPlaceholderLength() != nil
    }

    /// Returns the length in bytes of a numeric conversion of `printf`; `nil` if none starts here.
    private func numberPlaceholderLength() -> Int? {
        var length = 1
        while let byte = peek(length), "hlqLzjt".utf8.contains(byte), length < 4 { length += 1 }
        guard let conversion = peek(length), "diDuUxXoOfFeEgGaA".utf8.contains(conversion) else {
            return nil
        }
        if let next = peek(length + 1), Lexer.isNamePart(next) { return nil }
        return length + 1
    }

    /// Throws an error if the character beyond ASCII that starts here cannot begin or continue a
    /// name.
    func checkNameScalar(isFirst: Bool) throws(QueryError) {
        let scalar = scalar()
        guard !Lexer.belongsToNames(scalar, isFirst: isFirst) else { return }
        throw unexpectedCharacter(scalar)
    }

    /// Returns the error for a character that cannot start a token.
    func unexpectedCharacter(_ scalar: Unicode.Scalar?) -> QueryError {
        let range = position..<position + characterLength()
        guard let scalar else { return syntaxError("unexpected character", range) }
        let hexadecimal = String(scalar.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - hexadecimal.count)) + hexadecimal
        let isVisible = scalar.value > 0x20 && !Lexer.isInvisible(scalar)
        let shown = isVisible ? "\"\(scalar)\" (\(code))" : code
        var hint: String?
        if Lexer.isTypographicQuote(scalar) { hint = "use \" or '" }
        if scalar.properties.isWhitespace { hint = "use an ordinary blank" }
        if scalar == "&" { hint = "use && or AND" }
        if scalar == "~" { hint = "use MATCHES for a regular expression, LIKE for * and ?" }
        return syntaxError("unexpected character \(shown)", range, hint: hint)
    }

    /// Returns whether a character can be part of a name.
    ///
    /// Invisible characters cannot, except for the joiners inside a name, which some scripts
    /// require.
    static func belongsToNames(_ scalar: Unicode.Scalar?, isFirst: Bool) -> Bool {
        guard let scalar else { return false }
        if isTypographicQuote(scalar) || scalar.properties.isWhitespace { return false }
        if scalar.value == 0x200C || scalar.value == 0x200D { return !isFirst }
        return !isInvisible(scalar)
    }

    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator,
            .spaceSeparator, .unassigned:
            true
        default: false
        }
    }

    private static func isTypographicQuote(_ scalar: Unicode.Scalar) -> Bool {
        (0x2018...0x201F).contains(scalar.value)
    }
}
