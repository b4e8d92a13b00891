import FirnValues

extension Lexer {
    /// Scans a string in single or double quotes, and decodes its escape sequences.
    ///
    /// The sequences are `\" \' \/ \\ \b \f \n \r \t \0 \uXXXX`; a surrogate pair forms one
    /// character.
    mutating func scanString() throws(QueryError) -> String {
        let start = position
        let quote = peek()
        position += 1
        var content: [UInt8] = []
        while let byte = peek() {
            if byte == quote {
                position += 1
                return String(decoding: content, as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\") {
                content.append(contentsOf: try scanEscape().utf8)
            } else {
                content.append(byte)
                position += 1
            }
        }
        openQuote = quote
        throw syntaxError("this string has no closing quote", start..<start + 1)
    }

    private mutating func scanEscape() throws(QueryError) -> String {
        let start = position
        position += 1
        guard let byte = peek() else {
            throw syntaxError("this string has no closing quote", start..<start + 1)
        }
        if byte == UInt8(ascii: "u") {
            position += 1
            return String(try scanUnicodeEscape(from: start))
        }
        guard let decoded = Lexer.escapes[byte] else {
            let end = position + characterLength()
            throw syntaxError(
                "unknown escape \(text(start..<end))", start..<end,
                hint: "write \\\\ for a backslash")
        }
        position += 1
        return decoded
    }

    private static let escapes: [UInt8: String] = [
        UInt8(ascii: "\""): "\"", UInt8(ascii: "'"): "'", UInt8(ascii: "/"): "/",
        UInt8(ascii: "\\"): "\\", UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{c}",
        UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
        UInt8(ascii: "0"): "\0",
    ]

    /// Scans the character of `XXXX` or `XXXX\uXXXX`.
    ///
    /// The position is after the first `\u`.
    private mutating func scanUnicodeEscape(
        from start: Int
    ) throws(QueryError) -> Unicode.Scalar {
        let first = try scanFourHexDigits(from: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        if first < 0xDC00, peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") {
            let secondStart = position
            position += 2
            let second = try scanFourHexDigits(from: secondStart)
            if (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(
                    0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
            {
                return scalar
            }
        }
        throw syntaxError("half of a surrogate pair is not a character", start..<position)
    }

    private mutating func scanFourHexDigits(from start: Int) throws(QueryError) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = peek().flatMap(Lexer.hexValue) else {
                throw syntaxError("\\u needs four hexadecimal digits", start..<position)
            }
            number = number << 4 | UInt32(digit)
            position += 1
        }
        return number
    }

    static func hexValue(_ byte: UInt8) -> UInt8? {
        let lower = byte | 0x20
        if isDigit(byte) { return byte - UInt8(ascii: "0") }
        guard lower >= UInt8(ascii: "a"), lower <= UInt8(ascii: "f") else { return nil }
        return lower - UInt8(ascii: "a") + 10
    }

    /// Scans the bytes of `B64"..."`.
    ///
    /// The position is at the quote.
    mutating func scanBase64() throws(QueryError) -> [UInt8] {
        let start = position
        let digits = try scanString().utf8.filter { $0 != UInt8(ascii: "=") }
        var content: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount = 0
        for digit in digits {
            guard let value = Lexer.base64Value(digit) else {
                throw syntaxError("this is not base64", start..<position)
            }
            bits = (bits << 6 | value) & 0xFFFF
            bitCount += 6
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            content.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
        }
        // A single remaining digit has too few bits for a byte.
        guard bitCount < 6 else { throw syntaxError("this is not base64", start..<position) }
        return content
    }

    private static func base64Value(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
