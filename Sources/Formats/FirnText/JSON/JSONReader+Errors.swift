import FirnValues

extension JSONReader {
    /// The maximum length of the text that is shown before an error.
    private static let excerptBytesMax = 40

    /// The text up to and including the error at ``position``, safe to show.
    private var excerpt: String {
        let lineStart = lineOffset > buffer.bytesBefore ? Int(lineOffset - buffer.bytesBefore) : 0
        var start = max(lineStart, position - JSONReader.excerptBytesMax)
        // Start at a character boundary.
        while start < position, buffer.base[start] & 0xC0 == 0x80 { start += 1 }
        let end = max(start, min(buffer.end, position + 12))
        let bytes = UnsafeBufferPointer(start: buffer.base + start, count: end - start)
        return SafeText.excerpt(of: bytes.prefix { $0 != 0x0A })
    }

    /// The character of its line at ``position``, counted from 1.
    var character: Int { charactersBefore + charactersAtHand(to: position) + 1 }

    /// Returns the number of characters of the current line in the buffer before a position.
    func charactersAtHand(to end: Int) -> Int {
        let start = lineOffset > buffer.bytesBefore ? Int(lineOffset - buffer.bytesBefore) : 0
        var count = 0
        for index in min(start, end)..<end where buffer.base[index] & 0xC0 != 0x80 { count += 1 }
        return count
    }

    /// Returns an error at ``position``.
    @inline(never)
    func syntaxError(_ message: String, remedy: String? = nil) -> InputError {
        InputError(
            .syntax, message, name: name, line: line, character: character, offset: bytesRead,
            excerpt: excerpt, remedy: remedy)
    }

    /// Returns the error for an unexpected byte at ``position``.
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

    /// Returns the remedy for an error at this byte.
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

    func duplicateName(_ duplicate: String, at start: TextPosition) -> InputError {
        let shown = SafeText.excerpt(of: duplicate.utf8)
        return InputError(
            .syntax, "an object has the name \"\(shown)\" twice", name: name, line: start.line,
            offset: start.offset, remedy: "jq -c . FILE keeps the last value of each name")
    }

    func limitError(_ message: String) -> InputError {
        InputError(
            .limit, message, name: name, line: line, offset: bytesRead,
            remedy: "check that quotes, brackets and braces are closed")
    }
}
