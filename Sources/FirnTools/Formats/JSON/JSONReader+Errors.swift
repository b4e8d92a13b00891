import FirnValues

extension JSONReader {
    /// How much of the text before a mistake is shown.
    private static let excerptBytesMax = 40

    /// The text up to and with what is wrong at ``position``, safe to show.
    private var excerpt: String {
        let lineStart = lineOffset > buffer.bytesBefore ? Int(lineOffset - buffer.bytesBefore) : 0
        var start = max(lineStart, position - JSONReader.excerptBytesMax)
        // Not from the middle of a character.
        while start < position, buffer.base[start] & 0xC0 == 0x80 { start += 1 }
        let end = max(start, min(buffer.end, position + 12))
        let bytes = UnsafeBufferPointer(start: buffer.base + start, count: end - start)
        return SafeText.excerpt(of: bytes.prefix { $0 != 0x0A })
    }

    /// Which character of its line is at ``position``, counted from 1.
    var character: Int { charactersBefore + charactersAtHand(to: position) + 1 }

    /// How many characters of the current line the buffer has before a position.
    func charactersAtHand(to end: Int) -> Int {
        let start = lineOffset > buffer.bytesBefore ? Int(lineOffset - buffer.bytesBefore) : 0
        var count = 0
        for index in min(start, end)..<end where buffer.base[index] & 0xC0 != 0x80 { count += 1 }
        return count
    }

    /// A mistake at ``position``.
    @inline(never)
    func syntaxError(_ message: String, remedy: String? = nil) -> InputError {
        InputError(
            .syntax, message, name: name, line: line, character: character, offset: bytesRead,
            excerpt: excerpt, remedy: remedy)
    }

    /// Something else than what must stand at ``position``.
    @inline(never)
    func unexpected(_ expected: String) -> InputError {
        guard position < buffer.end else { return endError() }
        let byte = buffer.base[position]
        if byte == 0 {
            return InputError(
                .encoding, "a NUL byte", name: name, line: line, offset: bytesRead,
                remedy: "convert the input to UTF-8; UTF-16 files contain NUL bytes")
        }
        return syntaxError("not JSON: expected \(expected)", remedy: remedy(byte))
    }

    /// What helps against a mistake that begins with this byte.
    private func remedy(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "'"): "JSON uses double quotes"
        case UInt8(ascii: "N"), UInt8(ascii: "I"):
            "write \"NaN\", \"Infinity\" and \"-Infinity\" in quotes"
        case UInt8(ascii: "+"): "write the number without its plus sign"
        case UInt8(ascii: "/"), UInt8(ascii: "#"): "JSON has no comments"
        default: nil
        }
    }

    @inline(never)
    func endError() -> InputError {
        InputError(
            .syntax, "not JSON: the input ends inside a value", name: name, line: line,
            character: character, offset: bytesRead, excerpt: excerpt)
    }

    func duplicateName(_ duplicate: String, at place: JSONPlace) -> InputError {
        let shown = SafeText.excerpt(of: duplicate.utf8)
        return InputError(
            .syntax, "an object has the name \"\(shown)\" twice", name: name, line: place.line,
            offset: place.offset)
    }

    func limitError(_ message: String) -> InputError {
        InputError(
            .limit, message, name: name, line: line, offset: bytesRead,
            remedy: "check that quotes, brackets and braces are closed")
    }
}
