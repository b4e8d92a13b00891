import FirnText
import FirnValues

extension DelimitedReader {
    /// Reads the quoted field at ``position`` and its terminator.
    ///
    /// - Returns: whether another field of the same row follows.
    mutating func readQuotedField() throws(InputError) -> Bool {
        let firstLine = line
        position += 1
        let startInRow = position - buffer.rowStart
        var hasDoubledQuotes = false
        while true {
            try scanQuotedText(startInRow, firstLine)
            position += 1
            guard try hasByte(), buffer.base[position] == quote else { break }
            hasDoubledQuotes = true
            position += 1
        }
        let start = buffer.rowStart + startInRow
        let end = position - 1
        let length = hasDoubledQuotes ? undouble(from: start, to: end) : end - start
        addField(from: start, to: start + length, isQuoted: true)
        return try endQuotedField()
    }

    /// Skips to the next quote.
    private mutating func scanQuotedText(_ startInRow: Int, _ firstLine: UInt64) throws(InputError)
    {
        while true {
            let base = buffer.base
            let end = buffer.end
            let quote = quote
            var index = position
            while index < end {
                let byte = base[index]
                if byte == quote || byte == 0 { break }
                if byte == UInt8(ascii: "\n") { line &+= 1 }
                seenBits |= byte
                index &+= 1
            }
            position = index
            try checkField(startInRow)
            if index < end {
                if base[index] == 0 { throw nulError() }
                return
            }
            guard try hasByte() else {
                throw InputError(
                    .syntax, "the input ends inside a quoted field", name: name,
                    line: firstLine, excerpt: rowExcerpt,
                    remedy: "the quote that opens the field is on line \(firstLine)")
            }
        }
    }

    /// Reads the terminator after the closing quote: a delimiter, a line end or the end of the
    /// input.
    private mutating func endQuotedField() throws(InputError) -> Bool {
        guard try hasByte() else { return false }
        switch buffer.base[position] {
        case delimiter:
            position += 1
            return true
        case UInt8(ascii: "\n"):
            position += 1
            line += 1
            return false
        case UInt8(ascii: "\r"):
            position += 1
            guard try hasByte() else { return false }
            guard buffer.base[position] == UInt8(ascii: "\n") else {
                position -= 1
                throw syntaxError("a carriage return without a line feed")
            }
            position += 1
            line += 1
            return false
        default:
            throw syntaxError(
                "text after the closing quote of a field",
                remedy:
                    "double each quote inside a quoted field; --quote none reads quotes as part of the texts"
            )
        }
    }

    /// Replaces each pair of quotes by one, in place.
    ///
    /// - Returns: the length of the remaining text.
    private mutating func undouble(from start: Int, to end: Int) -> Int {
        var read = start
        var write = start
        while read < end {
            let byte = buffer.base[read]
            if byte == quote { read += 1 }
            buffer.base[write] = byte
            read += 1
            write += 1
        }
        return write - start
    }
}
