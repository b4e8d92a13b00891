import FirnValues

/// The codes of a page: rows with equal codes have equal values.
extension ColumnPage {
    /// The maximum number of codes per row for which a table of all codes is worthwhile.
    private static let codesPerRowMax = 4

    /// The number of codes, the last of which means null; `nil` if the page has no codes, or too
    /// many for a table.
    package var codeCount: Int? {
        let count: Int
        switch content {
        case .constant: count = 1
        case .dictionary(_, let entries): count = entries.count
        case .packed(let codes), .decimal(let codes, _):
            switch codes.array {
            case .u8, .u16: count = Int(truncatingIfNeeded: codes.frame.maxCode) + 1
            case .u32, .u64: return nil
            }
        case .pairs, .fixed, .heap: return nil
        }
        return count <= max(1 << 8, rowCount * Self.codesPerRowMax) ? count + 1 : nil
    }

    /// Returns the codes of rows in any order, of a page that has codes.
    package func codes(of rows: UnsafeBufferPointer<UInt32>) -> [UInt32] {
        var largest: UInt32 = 0
        for row in rows { largest = max(largest, row) }
        precondition(rows.isEmpty || Int(largest) < rowCount)
        guard let codeCount else { preconditionFailure("a page without codes") }
        var codes: [UInt32]
        switch content {
        case .dictionary(let array, _): codes = Self.codes(array, rows)
        case .packed(let packed), .decimal(let packed, _): codes = Self.codes(packed.array, rows)
        default: codes = [UInt32](repeating: 0, count: rows.count)
        }
        guard nullCount > 0 else { return codes }
        let null = UInt32(truncatingIfNeeded: codeCount - 1)
        for index in rows.indices where hasNull(Int(rows[index])) { codes[index] = null }
        return codes
    }

    private static func codes(
        _ array: CodeArray, _ rows: UnsafeBufferPointer<UInt32>
    ) -> [UInt32] {
        guard !rows.isEmpty else { return [] }
        let range = rows.consecutiveRows
        func gathered<T: FixedWidthInteger>(_ lanes: UnsafePointer<T>) -> [UInt32] {
            [UInt32](unsafeUninitializedCapacity: rows.count) { codes, count in
                if let range {
                    let lanes = lanes + range.lowerBound
                    for index in rows.indices {
                        codes[index] = UInt32(truncatingIfNeeded: lanes[index])
                    }
                } else {
                    for index in rows.indices {
                        codes[index] = UInt32(truncatingIfNeeded: lanes[Int(rows[index])])
                    }
                }
                count = rows.count
            }
        }
        switch array {
        case .u8(let lanes): return gathered(lanes)
        case .u16(let lanes): return gathered(lanes)
        case .u32(let lanes): return gathered(lanes)
        case .u64(let lanes): return gathered(lanes)
        }
    }
}
