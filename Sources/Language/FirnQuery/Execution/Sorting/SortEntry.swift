import FirnValues

/// The element that a sort moves: the code of one key, and the index of its row.
struct SortEntry {
    var code: UInt64
    let index: UInt32

    typealias Entries = UnsafeMutableBufferPointer<SortEntry>

    @inline(__always)
    private static func isBefore(_ left: SortEntry, _ right: SortEntry) -> Bool {
        left.code != right.code ? left.code < right.code : left.index < right.index
    }

    /// Adds the ranges of adjacent entries that are equal.
    static func collectTies(
        _ range: Range<Int>, _ ties: inout [Range<Int>],
        isEqual: (_ left: Int, _ right: Int) -> Bool
    ) {
        var start = range.lowerBound
        for end in range.lowerBound + 1...range.upperBound {
            if end < range.upperBound, isEqual(start, end) { continue }
            if end - start > 1 { ties.append(start..<end) }
            start = end
        }
    }

    /// The minimum number of entries per pass for a radix sort; with fewer entries, comparing is
    /// faster.
    private static let countPerPassMin = 32

    /// The number of entries up to which an insertion sort is faster than anything else.
    private static let insertionCountMax = 12

    /// Sorts entries by code, and equal codes by index.
    ///
    /// Large inputs use a radix sort from the last byte to the first, with one pass per byte. Bytes
    /// that are the same in all keys are skipped, which in most columns are most bytes.
    ///
    /// If the sort is cancelled, the order of the entries is undefined.
    static func sort(_ entries: Entries, _ cancellation: inout CancellationCheck) {
        guard entries.count > insertionCountMax else { return sortFew(entries) }
        var entries = entries
        let keys = KeyRange(entries)
        let passes = keys.differingBytes(of: entries)
        guard entries.count >= countPerPassMin * passes.count else {
            return entries.sort(by: isBefore)
        }
        cancellation.expect(passes.count * entries.count)
        if passes.isEmpty { return }
        let other = Entries.allocate(capacity: entries.count)
        defer { other.deallocate() }
        _ = other.initialize(from: entries)
        var (source, target) = (entries, other)
        for byte in passes {
            guard !cancellation.isOver(after: entries.count) else { return }
            scatter(source, target, keys, shift: byte * 8)
            swap(&source, &target)
        }
        if passes.count % 2 == 1 { _ = entries.update(from: source) }
    }

    private static func sortFew(_ entries: Entries) {
        for end in entries.indices.dropFirst() {
            let entry = entries[end]
            var position = end
            while position > 0, isBefore(entry, entries[position - 1]) {
                entries[position] = entries[position - 1]
                position -= 1
            }
            entries[position] = entry
        }
    }

    /// Copies the entries in the order of one byte of their keys.
    ///
    /// Equal entries keep their order.
    private static func scatter(
        _ source: Entries, _ target: Entries, _ keys: KeyRange, shift: UInt64
    ) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 257) { starts in
            starts.initialize(repeating: 0)
            for entry in source { starts[Int(keys.key(entry.code) >> shift & 0xFF) + 1] += 1 }
            for byte in 0..<256 { starts[byte + 1] += starts[byte] }
            for entry in source {
                let byte = Int(keys.key(entry.code) >> shift & 0xFF)
                target[starts[byte]] = entry
                starts[byte] += 1
            }
        }
    }

    /// Maps codes to small integers in the same order.
    ///
    /// The code of null is at a distance from all values. The mapping makes it adjacent to them.
    private struct KeyRange {
        /// The smallest and the largest code of any value.
        ///
        /// The codes of null are excluded: 0 in an ascending key, and `max` in a descending one.
        private var least = UInt64.max
        private var greatest: UInt64 = 0

        init(_ entries: Entries) {
            for entry in entries where entry.code != 0 && entry.code != .max {
                least = min(least, entry.code)
                greatest = max(greatest, entry.code)
            }
            // All codes are null, so only two keys are needed.
            if least > greatest { (least, greatest) = (1, 1) }
        }

        /// Returns 0 for code 0, 1 for the smallest code and so on, and the largest key plus 1 for
        /// code `max`.
        @inline(__always)
        func key(_ code: UInt64) -> UInt64 {
            if code == 0 { return 0 }
            return code == .max ? greatest &- least &+ 2 : code &- least &+ 1
        }

        func differingBytes(of entries: Entries) -> [UInt64] {
            guard let first = entries.first else { return [] }
            let firstKey = key(first.code)
            var differing: UInt64 = 0
            for entry in entries { differing |= key(entry.code) ^ firstKey }
            return (0..<8).filter { differing >> ($0 * 8) & 0xFF != 0 }
        }
    }
}
