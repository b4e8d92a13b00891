import FirnCodec
import FirnValues

extension JSONReader {
    /// Reads a string, starting at its quote.
    @inline(__always)
    mutating func readString() throws(InputError) -> String {
        String(decoding: try readText(), as: UTF8.self)
    }

    /// Reads a string, starting at its quote, and advances past it.
    ///
    /// - Returns: its bytes, which are UTF-8; valid until more is read.
    @inline(__always)
    mutating func readText() throws(InputError) -> UnsafeBufferPointer<UInt8> {
        position &+= 1
        let start = position &- buffer.rowStart
        var seen: UInt64 = 0
        while true {
            let special = scanText(&seen)
            if special == UInt8(ascii: "\"") {
                let base = buffer.base + (buffer.rowStart &+ start)
                let text = UnsafeBufferPointer(
                    start: base, count: position &- buffer.rowStart &- start)
                if seen & 0x8080_8080_8080_8080 != 0 { try validate(text, at: position) }
                position &+= 1
                return text
            }
            if special == UInt8(ascii: "\\") { return try readEscapedText(from: start, seen) }
            guard special == nil else { throw controlError() }
            guard try hasByte() else { throw endError() }
        }
    }

    /// Skips bytes without special meaning.
    ///
    /// - Parameter seen: receives the bitwise OR of all the bytes; if bit 7 is clear, they are
    ///   ASCII.
    /// - Returns: the quote, backslash or control character at ``position``; `nil` at the end of
    ///   the
    /// buffer.
    @inline(__always)
    private mutating func scanText(_ seen: inout UInt64) -> UInt8? {
        let base = UnsafeRawPointer(buffer.base)
        let end = buffer.end
        var index = position
        while end &- index >= 8 {
            let word = UInt64(
                littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let marks = JSONReader.specialMarks(word)
            guard marks == 0 else {
                // Only bytes above the lowest mark can be marked incorrectly.
                let offset = marks.trailingZeroBitCount &>> 3
                seen |= word & ((1 &<< UInt64(truncatingIfNeeded: offset &* 8)) &- 1)
                position = index &+ offset
                return base.load(fromByteOffset: position, as: UInt8.self)
            }
            seen |= word
            index &+= 8
        }
        while index < end {
            let byte = base.load(fromByteOffset: index, as: UInt8.self)
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                position = index
                return byte
            }
            seen |= UInt64(byte)
            index &+= 1
        }
        position = index
        return nil
    }

    /// Sets bit 7 of the lowest byte of a word that is a quote, a backslash or a control character.
    @inline(__always)
    private static func specialMarks(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        let quotes = word ^ ones &* 0x22
        let backslashes = word ^ ones &* 0x5C
        let controls = (word &- ones &* 0x20) & ~word
        let marks =
            controls | ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
        return marks & tops
    }

    /// - Parameter end: the position after the text.
    @inline(never)
    private mutating func validate(
        _ text: UnsafeBufferPointer<UInt8>, at end: Int
    ) throws(InputError) {
        guard let offset = UTF8Validation.firstError(in: UnsafeRawBufferPointer(text)) else {
            return
        }
        position = end - text.count + offset
        throw InputError(
            .encoding, "text that is not UTF-8", name: name, line: line, offset: bytesRead,
            excerpt: SafeText.excerpt(of: text),
            remedy: "convert the input, for example with: iconv -f latin1 -t utf-8")
    }

    private mutating func controlError() -> InputError {
        if buffer.base[position] == 0 {
            return InputError(
                .encoding, "a NUL byte", name: name, line: line, offset: bytesRead,
                remedy: "convert the input to UTF-8; UTF-16 files contain NUL bytes")
        }
        return syntaxError(
            "a control character in a string", remedy: "write \\n for a line end, \\t for a tab")
    }
}

extension JSONReader {
    /// Reads the rest of a string, starting at its first backslash.
    ///
    /// - Parameters:
    ///   - start: the start of the text, counted from the start of the record.
    ///   - bits: the bitwise OR of the bytes before the backslash.
    @inline(never)
    private mutating func readEscapedText(
        from start: Int, _ bits: UInt64
    ) throws(InputError) -> UnsafeBufferPointer<UInt8> {
        var seen = bits
        var pieceStart = start
        scratch.removeAll()
        var special: UInt8? = UInt8(ascii: "\\")
        while true {
            switch special {
            case UInt8(ascii: "\\"):
                try appendPiece(from: pieceStart, seen)
                try readEscape()
                pieceStart = position - buffer.rowStart
                seen = 0
            case UInt8(ascii: "\""):
                try appendPiece(from: pieceStart, seen)
                position += 1
                return scratch.bytes.bindMemory(to: UInt8.self)
            case nil: guard try hasByte() else { throw endError() }
            default: throw controlError()
            }
            special = scanText(&seen)
        }
    }

    /// Appends the bytes up to ``position``.
    private mutating func appendPiece(from start: Int, _ seen: UInt64) throws(InputError) {
        let base = buffer.base + (buffer.rowStart + start)
        let piece = UnsafeBufferPointer(start: base, count: position - buffer.rowStart - start)
        if seen & 0x8080_8080_8080_8080 != 0 { try validate(piece, at: position) }
        scratch.append(UnsafePointer(base), count: piece.count)
    }

    /// Appends the character of an escape, starting at its backslash, and advances past it.
    private mutating func readEscape() throws(InputError) {
        position += 1
        guard try hasByte() else { throw endError() }
        let letter = buffer.base[position]
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(letter)
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0C)
        case UInt8(ascii: "n"): scratch.append(0x0A)
        case UInt8(ascii: "r"): scratch.append(0x0D)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "u"):
            position += 1
            return try readCodePoint()
        default:
            throw syntaxError(
                "a backslash that does not begin a JSON escape",
                remedy: "write \\\\ for a backslash")
        }
        position += 1
    }

    /// Appends a character after `\u`, which can be a pair of escapes.
    private mutating func readCodePoint() throws(InputError) {
        let unit = try readCodeUnit()
        guard unit & 0xF800 == 0xD800 else { return append(codePoint: unit) }
        let message = "an unpaired surrogate: \\ud800 to \\udfff must come in pairs"
        guard unit < 0xDC00 else { throw syntaxError(message) }
        for byte in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
            guard try hasByte(), buffer.base[position] == byte else { throw syntaxError(message) }
            position += 1
        }
        let second = try readCodeUnit()
        guard second & 0xFC00 == 0xDC00 else { throw syntaxError(message) }
        append(codePoint: 0x10000 + (unit & 0x3FF) << 10 + (second & 0x3FF))
    }

    private mutating func readCodeUnit() throws(InputError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard try hasByte() else { throw endError() }
            let byte = buffer.base[position]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt32(byte & 15)
            case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
                unit = unit << 4 | UInt32(byte & 15 + 9)
            default: throw syntaxError("an escape \\u without four hexadecimal digits")
            }
            position += 1
        }
        return unit
    }

    /// - Parameter codePoint: a code point that is not a surrogate.
    private mutating func append(codePoint: UInt32) {
        guard let scalar = Unicode.Scalar(codePoint) else { return }
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { scratch.append(byte) }
    }
}
