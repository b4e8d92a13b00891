import FirnText
import FirnValues

extension TextBuffer {
    /// Appends a name in quotes.
    ///
    /// - Parameter name: the name, free of control characters.
    mutating func append(sqlName name: String) {
        append(UInt8(ascii: "\""))
        append(string: name.replacing("\"", with: "\"\""))
        append(UInt8(ascii: "\""))
    }

    /// Appends a value that is not null as a literal.
    mutating func append(sqlOf column: borrowing RawColumn, row: Int) {
        switch column.form {
        case .int, .wideInt: append(scalarOf: column, row: row)
        case .bool: append(UInt8(ascii: column.numbers[row] != 0 ? "1" : "0"))
        case .float, .double, .fixed, .rounded: append(sqlDoubleOf: column, row: row)
        case .string, .json: append(sqlText: column.text(row))
        case .data: append(sqlBlob: column.text(row))
        case .date, .dateOnly, .uuid, .objectID, .decimal128:
            append(UInt8(ascii: "'"))
            append(scalarOf: column, row: row)
            append(UInt8(ascii: "'"))
        }
    }

    private mutating func append(sqlDoubleOf column: borrowing RawColumn, row: Int) {
        let value = column.double(row)
        if value.isNaN {
            append("NULL")
        } else if value.isInfinite {
            // A value outside the range of a double, in a form that SQLite reads as infinity.
            append(value < 0 ? "-9e999" : "9e999")
        } else {
            append(scalarOf: column, row: row)
        }
    }

    private mutating func append(sqlBlob bytes: UnsafeBufferPointer<UInt8>) {
        append("X'")
        for byte in bytes { append(hexadecimal: byte) }
        append(UInt8(ascii: "'"))
    }

    /// Appends a text in quotes, or as its bytes if it contains control characters: a literal
    /// cannot contain a NUL, and line-based readers drop carriage returns.
    mutating func append(sqlText text: UnsafeBufferPointer<UInt8>) {
        guard !hasControls(text) else {
            append("CAST(")
            append(sqlBlob: text)
            append(" AS TEXT)")
            return
        }
        append(UInt8(ascii: "'"))
        for byte in text {
            if byte == UInt8(ascii: "'") { append(byte) }
            append(byte)
        }
        append(UInt8(ascii: "'"))
    }

    private func hasControls(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var found: UInt8 = 0
        var before: UInt8 = 0
        for byte in text {
            // Without a branch, so that the compiler can vectorize the loop.
            found |= byte < 0x20 && byte != 0x0A && byte != 0x09 ? 1 : 0
            found |= byte == 0x7F ? 1 : 0
            // U+0080 to U+009F.
            found |= before == 0xC2 && byte < 0xA0 ? 1 : 0
            before = byte
        }
        return found != 0
    }
}
