import FirnValues

extension ColumnPage {
    /// Appends consecutive rows.
    package func decode(_ rows: Range<Int>, into vector: inout ColumnVector) {
        precondition(vector.kind == kind && rows.lowerBound >= 0 && rows.upperBound <= rowCount)
        let start = rows.lowerBound
        append(rows.count, to: &vector) { start &+ $0 }
    }

    /// Appends rows in any order.
    package func gather(_ rows: UnsafeBufferPointer<UInt32>, into vector: inout ColumnVector) {
        if let range = rows.consecutiveRows { return decode(range, into: &vector) }
        precondition(vector.kind == kind)
        var largest: UInt32 = 0
        for row in rows { largest = max(largest, row) }
        precondition(rows.isEmpty || Int(largest) < rowCount)
        append(rows.count, to: &vector) { Int(rows[$0]) }
    }

    /// Appends `count` rows, whose numbers `row` returns.
    @inline(__always)
    private func append(
        _ count: Int, to vector: inout ColumnVector, _ row: (Int) -> Int
    ) {
        let first = vector.count
        vector.count += count
        switch content {
        case .constant(let value): append(constant: value, count, to: &vector, row)
        case .packed(let codes):
            vector.appendInts(count) { fill(codes, $0, count, row) }
            if kind == .date { vector.appendNanoseconds(count) { _ in } }
        case .pairs(let seconds, let nanoseconds):
            vector.appendInts(count) { fill(seconds, $0, count, row) }
            vector.appendNanoseconds(count) { target in
                for index in 0..<count {
                    target[index] = Int32(truncatingIfNeeded: nanoseconds[row(index)])
                }
            }
        case .decimal(let codes, let scale) where kind == .float:
            vector.appendDoubles(count) { target in
                for index in 0..<count {
                    target[index] = DecimalScaling.float(codes[row(index)], scale: scale)
                }
            }
        case .decimal(let codes, let scale):
            vector.appendDoubles(count) { fill(codes, scale, $0, count, row) }
        case .fixed(let values):
            vector.appendDoubles(count) { target in
                for index in 0..<count { target[index] = values[row(index)] }
            }
        case .dictionary(let codes, let entries):
            vector.appendStrings(count) { index in
                let row = row(index)
                return nullCount > 0 && hasNull(row)
                    ? UnsafeBufferPointer(start: nil, count: 0)
                    : entries[Int(truncatingIfNeeded: codes[row])]
            }
        case .heap(let strings): vector.appendStrings(count) { strings[row($0)] }
        }
        if nullCount > 0 { appendNulls(count, first, to: &vector, row) }
    }

    /// Marks nulls, and sets the values decoded from their code 0 to zero.
    @inline(__always)
    private func appendNulls(
        _ count: Int, _ first: Int, to vector: inout ColumnVector, _ row: (Int) -> Int
    ) {
        for index in 0..<count where hasNull(row(index)) {
            vector.insertNull(first + index)
            switch kind {
            case .double, .float: vector.doubles[first + index] = 0
            case .string, .data, .uuid, .objectID, .decimal128, .any: break
            case .date:
                vector.ints[first + index] = 0
                vector.nanoseconds[first + index] = 0
            default: vector.ints[first + index] = 0
            }
        }
    }

    @inline(__always)
    private func fill(
        _ codes: PackedCodes, _ target: UnsafeMutablePointer<Int64>, _ count: Int,
        _ row: (Int) -> Int
    ) {
        switch codes.array {
        case .u8(let lanes): fill(lanes, codes.frame, target, count, row)
        case .u16(let lanes): fill(lanes, codes.frame, target, count, row)
        case .u32(let lanes): fill(lanes, codes.frame, target, count, row)
        case .u64(let lanes): fill(lanes, codes.frame, target, count, row)
        }
    }

    /// Writes the codes divided by a scale.
    @inline(__always)
    private func fill(
        _ codes: PackedCodes, _ scale: Double, _ target: UnsafeMutablePointer<Double>,
        _ count: Int, _ row: (Int) -> Int
    ) {
        switch codes.array {
        case .u8(let lanes): fill(lanes, codes.frame, scale, target, count, row)
        case .u16(let lanes): fill(lanes, codes.frame, scale, target, count, row)
        case .u32(let lanes): fill(lanes, codes.frame, scale, target, count, row)
        case .u64(let lanes): fill(lanes, codes.frame, scale, target, count, row)
        }
    }

    @inline(__always)
    private func fill<T: FixedWidthInteger & UnsignedInteger>(
        _ lanes: UnsafePointer<T>, _ frame: IntegerFrame, _ scale: Double,
        _ target: UnsafeMutablePointer<Double>, _ count: Int, _ row: (Int) -> Int
    ) {
        let (base, step) = (frame.base, frame.step)
        for index in 0..<count {
            let distance = step &* UInt64(truncatingIfNeeded: lanes[row(index)])
            target[index] = Double(base &+ Int64(bitPattern: distance)) / scale
        }
    }

    @inline(__always)
    private func fill<T: FixedWidthInteger & UnsignedInteger>(
        _ lanes: UnsafePointer<T>, _ frame: IntegerFrame, _ target: UnsafeMutablePointer<Int64>,
        _ count: Int, _ row: (Int) -> Int
    ) {
        let (base, step) = (frame.base, frame.step)
        if step == 1 {
            for index in 0..<count {
                target[index] = base &+ Int64(truncatingIfNeeded: lanes[row(index)])
            }
        } else {
            for index in 0..<count {
                let distance = step &* UInt64(truncatingIfNeeded: lanes[row(index)])
                target[index] = base &+ Int64(bitPattern: distance)
            }
        }
    }

    @inline(__always)
    private func append(
        constant: Value, _ count: Int, to vector: inout ColumnVector, _ row: (Int) -> Int
    ) {
        switch (kind, constant) {
        case (.double, _), (.float, _):
            let number =
                switch constant {
                case .double(let value): value
                case .float(let value): Double(widening: value)
                default: 0.0
                }
            vector.appendDoubles(count) { $0.update(repeating: number, count: count) }
        case (_, .null) where kind.isStoredAsBytes:
            vector.appendStrings(count) { _ in UnsafeBufferPointer(start: nil, count: 0) }
        case _ where kind.isStoredAsBytes:
            withConstantBytes { bytes in
                vector.appendStrings(count) { index in
                    nullCount > 0 && hasNull(row(index))
                        ? UnsafeBufferPointer(start: nil, count: 0) : bytes
                }
            }
        default:
            let (integer, rest): (Int64, Int32) =
                switch constant {
                case .bool(let value): (value ? 1 : 0, 0)
                case .int(let value): (value, 0)
                case .date(let value): (value.seconds, value.nanoseconds)
                default: (0, 0)
                }
            vector.appendInts(count) { $0.update(repeating: integer, count: count) }
            if kind == .date {
                vector.appendNanoseconds(count) { $0.update(repeating: rest, count: count) }
            }
        }
    }
}

extension UnsafeBufferPointer<UInt32> {
    /// The rows as a range, if each row follows the previous one; loops over a range are faster.
    var consecutiveRows: Range<Int>? {
        guard let first, let last, Int(last) - Int(first) == count - 1 else { return nil }
        var differences: UInt32 = 0
        for index in indices {
            differences |= self[index] &- UInt32(truncatingIfNeeded: index) &- first
        }
        return differences == 0 ? Int(first)..<Int(last) + 1 : nil
    }
}
