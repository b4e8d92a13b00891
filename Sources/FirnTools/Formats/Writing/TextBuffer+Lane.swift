import FirnCodec
import FirnValues

extension TextBuffer {
    /// Appends a value that is neither null nor text; text differs between the formats.
    @inline(__always)
    mutating func append(scalarOf lane: borrowing ColumnLane, row: Int) {
        switch lane.form {
        case .int, .wideInt: append(int: lane.numbers[row])
        case .bool: appendBool(lane.numbers[row] != 0)
        case .double: append(double: lane.double(row))
        case .fixed(let places): append(double: lane.double(row), places: places)
        case .rounded(let places): append(double: lane.double(row), roundedTo: places)
        case .date: append(seconds: lane.numbers[row], nanoseconds: lane.nanoseconds[row])
        case .dateOnly: append(dateOnly: lane.numbers[row], nanoseconds: lane.nanoseconds[row])
        case .float: append(float: Float(narrowing: lane.double(row)))
        case .data: Base64.encode(lane.text(row), to: &self)
        case .uuid: append(uuid: lane.text(row))
        case .objectID: append(hexadecimal: lane.text(row))
        case .decimal128:
            append(string: Value(columnBytes: lane.text(row), kind: .decimal128).description)
        case .string, .json: break
        }
    }

    private mutating func appendBool(_ value: Bool) {
        if value { append("true") } else { append("false") }
    }

    /// Appends a value that is not null as JSON.
    @inline(__always)
    mutating func append(jsonOf lane: borrowing ColumnLane, row: Int) {
        switch lane.form {
        case .int, .bool: append(scalarOf: lane, row: row)
        case .string: append(jsonString: lane.text(row))
        case .double, .fixed, .rounded, .float: append(jsonDoubleOf: lane, row: row)
        case .json:
            let text = lane.text(row)
            if let base = text.baseAddress { append(base, count: text.count) }
        case .wideInt, .date, .dateOnly, .data, .uuid, .objectID, .decimal128:
            append(UInt8(ascii: "\""))
            append(scalarOf: lane, row: row)
            append(UInt8(ascii: "\""))
        }
    }

    /// JSON has no NaN or infinities, so they become strings.
    @inline(__always)
    private mutating func append(jsonDoubleOf lane: borrowing ColumnLane, row: Int) {
        let isQuoted = !lane.double(row).isFinite
        if isQuoted { append(UInt8(ascii: "\"")) }
        append(scalarOf: lane, row: row)
        if isQuoted { append(UInt8(ascii: "\"")) }
    }
}
