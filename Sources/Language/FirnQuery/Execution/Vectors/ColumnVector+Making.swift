import FirnCodec
import FirnEngine
import FirnValues

extension ColumnVector {
    /// Creates an empty vector for values of a type.
    ///
    /// Links become row ids; collections are nested.
    init(of type: PropertyType) {
        let element = ColumnVector(kind: type.columnKind)
        switch type.container {
        case .single: self = element
        case .list: self.init(kind: .list, children: [element])
        case .set: self.init(kind: .set, children: [element])
        case .map: self.init(kind: .map, children: [element, ColumnVector(kind: .string)])
        }
    }

    /// An empty vector of the same kind.
    var emptied: ColumnVector {
        kind.isCollection
            ? ColumnVector(kind: kind, children: children.map(\.emptied)) : ColumnVector(kind: kind)
    }

    /// Creates a vector that repeats one value.
    init(repeating value: Value, kind: ValueTag, count: Int) {
        self.init(kind: kind)
        var one = ColumnVector(kind: kind)
        one.append(value)
        append(one, rows: [UInt32](repeating: 0, count: count)[...])
    }

    /// Creates a vector of Bools, which are true for the rows of a set.
    init(_ rows: Bitmap) {
        self.init(kind: .bool)
        count = rows.count
        ints = [Int64](repeating: 0, count: rows.count)
        for row in 0..<rows.count where rows[row] { ints[row] = 1 }
    }

    /// Returns the values converted to another kind of numbers, or nulls of any kind.
    func converted(to kind: ValueTag) -> ColumnVector {
        if kind == self.kind { return self }
        var result = ColumnVector(kind: kind)
        if kind == .double, self.kind == .int || self.kind == .float {
            result.count = count
            result.nulls = nulls
            result.doubles = self.kind == .int ? ints.map { Double($0) } : doubles
            return result
        }
        for row in 0..<count { result.append(converting: value(at: row)) }
        return result
    }

    /// The approximate memory size of the values.
    var byteSize: Int {
        let fixed = ints.count * 8 + doubles.count * 8 + nanoseconds.count * 4 + offsets.count * 4
        return fixed + bytes.count + children.reduce(0) { $0 + $1.byteSize }
    }

    /// Marks a row of a vector of numbers as null, and stores 0 as its value, which sums rely on.
    mutating func setNull(_ row: Int) {
        while nulls.count <= row >> 6 { nulls.append(0) }
        nulls[row >> 6] |= 1 << UInt64(row & 63)
        if kind.isStoredAsDoubles { doubles[row] = 0 } else { ints[row] = 0 }
        if kind == .date { nanoseconds[row] = 0 }
    }

    /// Appends a value, and converts a number to the kind of this vector.
    mutating func append(converting value: Value) {
        switch (kind, value) {
        case (.double, .int(let number)): append(.double(Double(number)))
        case (.double, .float(let number)): append(.double(Double(number)))
        case (.decimal128, .int(let number)): append(.decimal128(Decimal128(number)))
        default: append(value)
        }
    }

    /// Appends all rows of another vector of the same kind.
    mutating func append(_ other: ColumnVector) {
        if count == 0 {
            self = other
            return
        }
        append(other, rows: (0..<UInt32(truncatingIfNeeded: other.count)).map { $0 }[...])
    }

    /// Returns the values of the given rows, in the given order.
    func picking(_ rows: [UInt32]) -> ColumnVector {
        var vector = emptied
        vector.append(self, rows: rows[...])
        return vector
    }

    /// Distributes the values to rows of a larger vector, whose other rows are null.
    ///
    /// - Parameter rows: the row of each value. Each row occurs at most once.
    func spread(to rows: [UInt32], of rowCount: Int) -> ColumnVector {
        if rows.count == rowCount { return self }
        // Appends one null, for the rows that have no value.
        var padded = self
        padded.appendNull()
        var indices = [UInt32](repeating: UInt32(truncatingIfNeeded: count), count: rowCount)
        for (index, row) in rows.enumerated() {
            indices[Int(row)] = UInt32(truncatingIfNeeded: index)
        }
        return padded.picking(indices)
    }

    /// Calls `body` with the bytes of a value.
    ///
    /// The kind must be stored as bytes.
    func withBytes<Result>(
        of row: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            body(UnsafeBufferPointer(rebasing: bytes[Int(offsets[row])..<Int(offsets[row + 1])]))
        }
    }

    /// Compares two values that are ordered by their bytes.
    ///
    /// Strings are ordered by code point.
    static func byteOrder(
        _ left: ColumnVector, _ leftRow: Int, _ right: ColumnVector, _ rightRow: Int
    ) -> Ordering {
        let leftRange = Int(left.offsets[leftRow])..<Int(left.offsets[leftRow + 1])
        let rightRange = Int(right.offsets[rightRow])..<Int(right.offsets[rightRow + 1])
        return left.bytes.withUnsafeBufferPointer { leftBytes in
            right.bytes.withUnsafeBufferPointer { rightBytes in
                for offset in 0..<min(leftRange.count, rightRange.count) {
                    let leftByte = leftBytes[leftRange.lowerBound + offset]
                    let rightByte = rightBytes[rightRange.lowerBound + offset]
                    if leftByte != rightByte { return Ordering(leftByte, rightByte) }
                }
                return Ordering(leftRange.count, rightRange.count)
            }
        }
    }
}
