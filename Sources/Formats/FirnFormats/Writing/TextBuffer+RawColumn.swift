import FirnCodec
import FirnText
import FirnValues

extension TextBuffer {
    /// Appends a value that is neither null nor text; text differs between the formats.
    @inline(__always)
    package mutating func append(scalarOf column: borrowing RawColumn, row: Int) {
        switch column.form {
        case .int, .wideInt: append(int: column.numbers[row])
        case .bool: appendBool(column.numbers[row] != 0)
        case .double: append(double: column.double(row))
        case .fixed(let places): append(double: column.double(row), places: places)
        case .rounded(let places): append(double: column.double(row), roundedTo: places)
        case .date: append(seconds: column.numbers[row], nanoseconds: column.nanoseconds[row])
        case .dateOnly: append(dateOnly: column.numbers[row], nanoseconds: column.nanoseconds[row])
        case .float: append(float: Float(narrowing: column.double(row)))
        case .data: Base64.encode(column.text(row), to: &self)
        case .uuid: append(uuid: column.text(row))
        case .objectID: append(hexadecimal: column.text(row))
        case .decimal128:
            append(string: Value(columnBytes: column.text(row), kind: .decimal128).description)
        case .string, .json: break
        }
    }

    private mutating func appendBool(_ value: Bool) {
        if value { append("true") } else { append("false") }
    }

    /// Appends a value that is not null as JSON.
    @inline(__always)
    package mutating func append(jsonOf column: borrowing RawColumn, row: Int) {
        switch column.form {
        case .int, .bool: append(scalarOf: column, row: row)
        case .string: append(jsonString: column.text(row))
        case .double, .fixed, .rounded, .float: append(jsonDoubleOf: column, row: row)
        case .json:
            let text = column.text(row)
            if let base = text.baseAddress { append(base, count: text.count) }
        case .wideInt, .date, .dateOnly, .data, .uuid, .objectID, .decimal128:
            append(UInt8(ascii: "\""))
            append(scalarOf: column, row: row)
            append(UInt8(ascii: "\""))
        }
    }

    /// JSON has no NaN or infinities, so they become strings.
    @inline(__always)
    private mutating func append(jsonDoubleOf column: borrowing RawColumn, row: Int) {
        let isQuoted = !column.double(row).isFinite
        if isQuoted { append(UInt8(ascii: "\"")) }
        append(scalarOf: column, row: row)
        if isQuoted { append(UInt8(ascii: "\"")) }
    }
}
