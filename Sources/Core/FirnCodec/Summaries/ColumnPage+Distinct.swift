package import FirnValues

extension ColumnPage {
    /// Returns the distinct values of the selected rows, each with its first row, in row order.
    ///
    /// Null counts as a value. The result is `nil` if the page has no small codes.
    package func firstOccurrences(in selection: Bitmap) -> [(row: UInt32, value: Value)]? {
        precondition(selection.count == rowCount)
        switch content {
        case .constant: return firsts(selection, codeCount: 1) { _ in 0 }
        case .packed(let codes), .decimal(let codes, _):
            guard codes.frame.maxCode < UInt64(CodecLimits.smallCodesMax) else { return nil }
            return firsts(
                selection, codes.array, codeCount: Int(truncatingIfNeeded: codes.frame.maxCode) + 1)
        case .dictionary(let codes, let entries):
            return firsts(selection, codes, codeCount: entries.count)
        case .pairs, .fixed, .heap: return nil
        }
    }

    private func firsts(
        _ selection: Bitmap, _ lanes: CodeArray, codeCount: Int
    ) -> [(row: UInt32, value: Value)] {
        switch lanes {
        case .u8(let codes): firsts(selection, codeCount: codeCount) { Int(codes[$0]) }
        case .u16(let codes): firsts(selection, codeCount: codeCount) { Int(codes[$0]) }
        // Codes of at most 16 bits are always in a narrower array.
        case .u32, .u64: preconditionFailure("lanes wider than their codes")
        }
    }

    /// Finds the first row of each code.
    ///
    /// Stops once all codes are found, which is early for few codes.
    @inline(__always)
    private func firsts(
        _ selection: Bitmap, codeCount: Int, _ code: (Int) -> Int
    ) -> [(row: UInt32, value: Value)] {
        var seen = [Bool](repeating: false, count: codeCount)
        var missing = codeCount - (nullCount == rowCount ? 1 : 0)
        var missesNull = nullCount > 0
        var found: [(row: UInt32, value: Value)] = []
        seen.withUnsafeMutableBufferPointer { seen in
            selection.words.withUnsafeBufferPointer { words in
                for index in 0..<words.count where missing > 0 || missesNull {
                    var rest = words[index]
                    while rest != 0 {
                        let row = index &<< 6 &+ rest.trailingZeroBitCount
                        rest &= rest &- 1
                        if nullCount > 0, hasNull(row) {
                            if missesNull { found.append((UInt32(row), .null)) }
                            missesNull = false
                        } else if !seen[code(row)] {
                            seen[code(row)] = true
                            missing -= 1
                            found.append((UInt32(row), content.value(row, kind: kind)))
                        }
                    }
                }
            }
        }
        return found
    }
}
