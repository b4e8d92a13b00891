import FirnCodec
import FirnValues

/// Ordering key by key: the codes of one key are compared as plain numbers, and only rows that
/// are equal in it are looked at again with the next.
extension SortRows {
    /// What is moved while sorting.
    private struct Entry {
        var code: UInt64
        let index: UInt32

        @inline(__always)
        static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
            left.code != right.code ? left.code < right.code : left.index < right.index
        }
    }

    private typealias Entries = UnsafeMutableBufferPointer<Entry>

    /// The numbers of the rows in order.
    func order() -> [UInt32] {
        var entries = (0..<UInt32(truncatingIfNeeded: count)).map { Entry(code: 0, index: $0) }
        entries.withUnsafeMutableBufferPointer { entries in
            var ties = entries.isEmpty ? [] : [entries.indices]
            for column in columns.indices {
                var next: [Range<Int>] = []
                for range in ties { sort(entries, range, by: column, &next) }
                ties = next
            }
            // Equal entries are in the order of arrival.
            guard !tiesByArrival else { return }
            for range in ties {
                var tied = Entries(rebasing: entries[range])
                tied.sort {
                    references[Int($0.index)] < references[Int($1.index)]
                }
            }
        }
        return entries.map(\.index)
    }

    /// Orders rows by one key, and collects the ranges of rows that are equal in it.
    private func sort(
        _ entries: Entries, _ range: Range<Int>, by column: Int, _ ties: inout [Range<Int>]
    ) {
        columns[column].codes.withUnsafeBufferPointer { codes in
            for position in range {
                entries[position].code = codes[Int(entries[position].index)]
            }
        }
        SortRows.sortByCode(Entries(rebasing: entries[range]))
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start + 1
            while end < range.upperBound, entries[end].code == entries[start].code { end += 1 }
            if end - start > 1 {
                if columns[column].isExact(entries[start].code) {
                    ties.append(start..<end)
                } else {
                    sortByValue(entries, start..<end, column, &ties)
                }
            }
            start = end
        }
    }

    /// Rows below which comparing is faster than counting.
    private static let radixCountMin = 64

    /// Orders by code; equal codes stay as they are, which is by index.
    ///
    /// Many rows are sorted byte by byte from the last, each byte with one pass; bytes that are
    /// the same in all codes, which in most columns are most bytes, cost nothing.
    private static func sortByCode(_ entries: Entries) {
        var entries = entries
        var differing: UInt64 = 0
        for entry in entries { differing |= entry.code ^ entries[0].code }
        if differing == 0 { return }
        let bytes = (0..<8).filter { differing >> UInt64($0 * 8) & 0xFF != 0 }
        guard entries.count >= radixCountMin, bytes.count <= 5 else {
            return entries.sort(by: Entry.isBefore)
        }
        let other = Entries.allocate(capacity: entries.count)
        defer { other.deallocate() }
        _ = other.initialize(from: entries)
        var (source, target) = (entries, other)
        for byte in bytes {
            scatter(source, target, shift: UInt64(byte * 8))
            swap(&source, &target)
        }
        if bytes.count % 2 == 1 { _ = entries.update(from: source) }
    }

    /// Copies entries in the order of one byte of their codes, equal ones in their order.
    private static func scatter(_ source: Entries, _ target: Entries, shift: UInt64) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 257) { starts in
            starts.initialize(repeating: 0)
            for entry in source { starts[Int(entry.code >> shift & 0xFF) + 1] += 1 }
            for byte in 0..<256 { starts[byte + 1] += starts[byte] }
            for entry in source {
                let byte = Int(entry.code >> shift & 0xFF)
                target[starts[byte]] = entry
                starts[byte] += 1
            }
        }
    }

    /// Orders rows by values that have the same code.
    private func sortByValue(
        _ entries: Entries, _ range: Range<Int>, _ column: Int, _ ties: inout [Range<Int>]
    ) {
        let isDescending = columns[column].key.descending
        var part = Entries(rebasing: entries[range])
        part.sort { left, right in
            let order = valueOrder(column, left.index, right.index)
            return order == .equal
                ? left.index < right.index : (order == .less) != isDescending
        }
        var start = range.lowerBound
        for end in range.lowerBound + 1...range.upperBound {
            if end < range.upperBound,
                valueOrder(column, entries[start].index, entries[end].index) == .equal
            {
                continue
            }
            if end - start > 1 { ties.append(start..<end) }
            start = end
        }
    }

    private func valueOrder(_ column: Int, _ left: UInt32, _ right: UInt32) -> Ordering {
        guard let left = place(column, Int(left)), let right = place(column, Int(right)) else {
            return .equal
        }
        guard columns[column].kind == .string else {
            return left.vector.value(at: left.row).order(
                relativeTo: right.vector.value(at: right.row))
        }
        return ColumnVector.stringOrder(left.vector, left.row, right.vector, right.row)
    }
}

extension ColumnVector {
    /// How two strings lie to each other, by code point.
    static func stringOrder(
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
