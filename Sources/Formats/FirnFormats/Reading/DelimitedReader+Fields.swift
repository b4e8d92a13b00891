import FirnText
import FirnValues

extension DelimitedReader {
    /// Reads the field at ``position`` and its terminator.
    ///
    /// - Returns: whether another field of the same row follows.
    @inline(__always)
    mutating func readField() throws(InputError) -> Bool {
        guard try hasByte() else {
            // The input ends after a delimiter, so the last field is empty.
            addField(from: position, to: position, isQuoted: false)
            return false
        }
        if hasQuotes, buffer.base[position] == quote {
            return try readQuotedField()
        }
        return try readPlainField()
    }

    @inline(__always)
    private mutating func readPlainField() throws(InputError) -> Bool {
        let startInRow = position &- buffer.rowStart
        while true {
            let meaning = scanText()
            if meaning == CharacterClass.delimiter {
                try endField(startInRow)
                position &+= 1
                return true
            }
            if meaning == CharacterClass.lineFeed {
                try endField(startInRow)
                position &+= 1
                line &+= 1
                return false
            }
            if try !continueField(meaning, startInRow) { return false }
        }
    }

    /// Skips bytes without special meaning.
    ///
    /// - Returns: the meaning of the byte at ``position``, or ``CharacterClass/text`` at the end of
    ///   the buffer.
    @inline(__always)
    private mutating func scanText() -> UInt8 {
        let table = meanings.table
        let base = buffer.base
        let end = base + buffer.end
        var next = base + position
        var bits = seenBits
        var meaning = CharacterClass.text
        while next < end {
            let byte = next.pointee
            meaning = table[Int(byte)]
            if meaning != CharacterClass.text { break }
            bits |= byte
            next += 1
        }
        position = next - base
        seenBits = bits
        return meaning
    }

    /// Handles the rare cases: the end of the buffer, carriage returns, escapes and errors.
    ///
    /// - Returns: whether the field continues; if not, the field and the row have ended.
    private mutating func continueField(_ meaning: UInt8, _ startInRow: Int) throws(InputError)
        -> Bool
    {
        switch meaning {
        case CharacterClass.text:
            try checkField(startInRow)
            if try hasByte() { return true }
            try endField(startInRow)
            return false
        case CharacterClass.carriageReturn:
            return try endLine(startInRow)
        case CharacterClass.escape:
            try readEscape()
            return true
        case CharacterClass.quote:
            throw syntaxError(
                "a quote inside a field that does not begin with a quote",
                remedy:
                    "--quote none reads quotes as part of the texts; otherwise put the whole field in "
                    + "quotes, and double each quote in it")
        default: throw nulError()
        }
    }

    /// Ends the row at a carriage return if a line feed follows.
    private mutating func endLine(_ startInRow: Int) throws(InputError) -> Bool {
        try endField(startInRow)
        position += 1
        guard try hasByte() else { return false }
        guard buffer.base[position] == UInt8(ascii: "\n") else {
            position -= 1
            throw syntaxError(
                "a carriage return without a line feed",
                remedy: "tr '\\r' '\\n' makes line feeds of the line ends of old Macs")
        }
        position += 1
        line += 1
        return false
    }

    @inline(__always)
    private mutating func endField(_ startInRow: Int) throws(InputError) {
        try checkField(startInRow)
        let start = buffer.rowStart &+ startInRow
        guard hasEscapes else { return addField(from: start, to: position, isQuoted: false) }
        hasEscapes = false
        let text = UnsafeBufferPointer(start: buffer.base + start, count: position - start)
        let isNull = text.elementsEqual("\\N".utf8)
        let length = isNull ? 0 : unescape(from: start, to: position)
        addField(from: start, to: start + length, isQuoted: false)
    }

    /// Checks the length of the field, whose start is relative to the row.
    ///
    /// The method is mutating, because a borrowing method would copy the reader for each field.
    @inline(__always)
    mutating func checkField(_ startInRow: Int) throws(InputError) {
        if position &- buffer.rowStart &- startInRow > limits.fieldBytesMax {
            throw fieldTooLong()
        }
    }

    @inline(never)
    private mutating func fieldTooLong() -> InputError {
        limitError("a field is longer than \(limits.fieldBytesMax) bytes")
    }

    /// Skips the character after a backslash; ``unescape(from:to:)`` replaces the escape later.
    private mutating func readEscape() throws(InputError) {
        position += 1
        hasEscapes = true
        guard try hasByte() else { return }
        if buffer.base[position] == 0 { throw nulError() }
        if buffer.base[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    /// Replaces the escapes of a field in place.
    ///
    /// - Returns: the length of the remaining text.
    private mutating func unescape(from start: Int, to end: Int) -> Int {
        var read = start
        var write = start
        while read < end {
            var byte = buffer.base[read]
            if byte == UInt8(ascii: "\\"), read + 1 < end {
                byte = DelimitedReader.escaped(buffer.base[read + 1])
                read += 1
            }
            buffer.base[write] = byte
            read += 1
            write += 1
        }
        return write - start
    }

    /// Returns the character for the one after a backslash.
    private static func escaped(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "t"): UInt8(ascii: "\t")
        case UInt8(ascii: "n"): UInt8(ascii: "\n")
        case UInt8(ascii: "r"): UInt8(ascii: "\r")
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "v"): 0x0B
        case UInt8(ascii: "f"): 0x0C
        default: letter
        }
    }
}
