import FirnCodec
import FirnEngine
import FirnValues

/// A set of row ids of one class, optimized for bulk lookups.
struct RowIDSet {
    private enum Members {
        /// Bit i represents the row id `base + i`.
        case flat(base: Int64, Bitmap)
        /// Ascending ids, for sparse sets.
        case sorted([Int64])
    }

    /// The maximum number of bits per row in a flat set.
    private static let bitsPerRowMax: Int64 = 64
    private static let bitCountMin: Int64 = 1 << 20

    private let members: Members
    /// The smallest and the largest member; `nil` if the set is empty.
    let bounds: ClosedRange<Int64>?

    /// Collects the members group by group.
    ///
    /// - Parameter rows: the rows of each group that are members.
    init(
        _ scanner: TableScanner, _ rows: (_ group: Int) throws(StoreError) -> Bitmap
    ) throws(StoreError) {
        var ids = ColumnVector(kind: .int)
        let first = scanner.groups.first.map { Int64(clamping: $0.firstRowID.rawValue) } ?? 0
        var last = first
        if let view = scanner.groups.last, view.rowCount > 0 {
            last = Int64(clamping: try view.rowID(at: view.rowCount - 1).rawValue)
        }
        let (span, overflow) = last.subtractingReportingOverflow(first)
        let spanMax = max(Self.bitCountMin, Int64(scanner.rowCount) * Self.bitsPerRowMax)
        let isFlat = !overflow && span >= 0 && span < spanMax
        var bits = Bitmap(count: isFlat ? Int(span) + 1 : 0)
        var sorted: [Int64] = []
        var bounds: ClosedRange<Int64>?
        for group in scanner.groups.indices {
            var list: [UInt32] = []
            try rows(group).appendRows(to: &list)
            guard !list.isEmpty else { continue }
            ids.removeAll()
            try scanner.gatherIDs(of: group, rows: list, into: &ids)
            guard let low = ids.ints.min(), let high = ids.ints.max() else { continue }
            bounds = min(low, bounds?.lowerBound ?? low)...max(high, bounds?.upperBound ?? high)
            guard isFlat else {
                sorted += ids.ints
                continue
            }
            for id in ids.ints where id >= first && id <= last { bits[Int(id - first)] = true }
        }
        self.bounds = bounds
        members = isFlat ? .flat(base: first, bits) : .sorted(sorted)
    }

    /// Marks the ids that are members.
    ///
    /// Null is not a member.
    func mark(_ ids: ColumnVector, into rows: inout Bitmap) {
        switch members {
        case .flat(let base, let bits): Self.mark(ids, base, bits, &rows)
        case .sorted(let sorted):
            for row in 0..<ids.count { rows[row] = sorted.containsAscending(ids.ints[row]) }
        }
        guard !ids.nulls.isEmpty else { return }
        ids.nulls.withUnsafeBufferPointer { nulls in
            rows.withUnsafeMutableWords { words in
                for index in 0..<min(words.count, nulls.count) { words[index] &= ~nulls[index] }
            }
        }
    }

    private static func mark(
        _ ids: ColumnVector, _ base: Int64, _ bits: Bitmap, _ rows: inout Bitmap
    ) {
        let bitCount = UInt64(bits.count)
        ids.ints.withUnsafeBufferPointer { ids in
            bits.words.withUnsafeBufferPointer { members in
                rows.withUnsafeMutableWords { words in
                    for index in words.indices {
                        var word: UInt64 = 0
                        for row in index << 6..<min(ids.count, (index + 1) << 6) {
                            let bit = UInt64(bitPattern: ids[row] &- base)
                            guard bit < bitCount else { continue }
                            let member = members[Int(truncatingIfNeeded: bit >> 6)] >> (bit & 63)
                            word |= (member & 1) << UInt64(row & 63)
                        }
                        words[index] = word
                    }
                }
            }
        }
    }

}
