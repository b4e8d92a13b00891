extension TextBuffer {
    /// Appends a value that is neither null nor text; text differs between the formats.
    @inline(__always)
    mutating func append(scalarOf lane: borrowing ColumnLane, row: Int) {
        switch lane.form {
        case .int: append(int: lane.numbers[row])
        case .bool: appendBool(lane.numbers[row] != 0)
        case .double: append(double: lane.double(row))
        case .fixed(let places): append(double: lane.double(row), places: places)
        case .date: append(seconds: lane.numbers[row], nanoseconds: lane.nanoseconds[row])
        case .dateOnly: append(dateOnly: lane.numbers[row], nanoseconds: lane.nanoseconds[row])
        case .string, .nothing: break
        }
    }

    private mutating func appendBool(_ value: Bool) {
        if value { append("true") } else { append("false") }
    }
}
