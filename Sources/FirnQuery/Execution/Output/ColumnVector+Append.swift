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
        if kind == .string { offsets.append(UInt32(bytes.count)) }
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
        rows.withUnsafeBufferPointer { rows in
            switch kind {
            case .double: Self.append(rows, of: other.doubles, to: &doubles)
            case .string: appendStrings(rows, of: other)
            case .date:
                Self.append(rows, of: other.ints, to: &ints)
                Self.append(rows, of: other.nanoseconds, to: &nanoseconds)
            default: Self.append(rows, of: other.ints, to: &ints)
            }
            if !other.nulls.isEmpty {
                for index in 0..<rows.count where other.isNull(Int(rows[index])) {
                    let row = count + index
                    while nulls.count <= row >> 6 { nulls.append(0) }
                    nulls[row >> 6] |= 1 << UInt64(row & 63)
                }
            }
            count += rows.count
        }
    }

    private static func append<T>(
        _ rows: UnsafeBufferPointer<UInt32>, of source: [T], to target: inout [T]
    ) {
        // Only once: reserving again and again would undo the doubling of the storage.
        if target.isEmpty { target.reserveCapacity(rows.count) }
        source.withUnsafeBufferPointer { source in
            for row in rows { target.append(source[Int(row)]) }
        }
    }

    private mutating func appendStrings(
        _ rows: UnsafeBufferPointer<UInt32>, of other: ColumnVector
    ) {
        if count == 0 { offsets.reserveCapacity(rows.count + 1) }
        other.offsets.withUnsafeBufferPointer { ends in
            other.bytes.withUnsafeBufferPointer { text in
                for row in rows {
                    let range = Int(ends[Int(row)])..<Int(ends[Int(row) + 1])
                    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[range]))
                    // Callers bound the bytes of a vector far below 4 GiB.
                    offsets.append(UInt32(bytes.count))
                }
            }
        }
    }
}
