import FirnCodec
import FirnValues

extension ColumnVector {
    /// Appends a value of this kind, or null.
    mutating func append(_ value: Value) {
        var nanoseconds: Int32 = 0
        switch (kind, value) {
        case (.bool, .bool(let flag)): ints.append(flag ? 1 : 0)
        case (.int, .int(let number)): ints.append(number)
        case (.double, .double(let number)): doubles.append(number)
        case (.date, .date(let date)):
            ints.append(date.seconds)
            nanoseconds = date.nanoseconds
        case (.string, .string(let text)): bytes.append(contentsOf: text.utf8)
        default: appendNullPlace()
        }
        if kind == .date { self.nanoseconds.append(nanoseconds) }
        if kind == .string { offsets.append(UInt32(truncatingIfNeeded: bytes.count)) }
        count += 1
    }

    private mutating func appendNullPlace() {
        while nulls.count <= count >> 6 { nulls.append(0) }
        nulls[count >> 6] |= 1 << UInt64(count & 63)
        switch kind {
        case .double: doubles.append(0)
        case .string: break
        default: ints.append(0)
        }
    }

    /// Appends rows of another vector of the same kind.
    mutating func append(_ other: ColumnVector, rows: ArraySlice<UInt32>) {
        for row in rows {
            let row = Int(row)
            if other.isNull(row) {
                while nulls.count <= count >> 6 { nulls.append(0) }
                nulls[count >> 6] |= 1 << UInt64(count & 63)
            }
            switch kind {
            case .double: doubles.append(other.doubles[row])
            case .string:
                let range = Int(other.offsets[row])..<Int(other.offsets[row + 1])
                bytes.append(contentsOf: other.bytes[range])
                offsets.append(UInt32(truncatingIfNeeded: bytes.count))
            case .date:
                ints.append(other.ints[row])
                nanoseconds.append(other.nanoseconds[row])
            default: ints.append(other.ints[row])
            }
            count += 1
        }
    }
}
