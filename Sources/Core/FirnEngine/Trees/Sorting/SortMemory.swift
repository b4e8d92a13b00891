import FirnValues

/// Entries in memory, which are sorted when they are visited.
struct SortMemory {
    /// The part of an entry that is compared first: most keys differ in their first eight bytes.
    private struct Item {
        let head: UInt64
        let index: UInt32
    }

    private var entries = TreeEntries()

    var count: Int { entries.count }
    /// The size of the entries and of the work memory to sort them.
    var byteCount: Int {
        entries.memoryByteCount + entries.count * 2 * MemoryLayout<Item>.stride
    }

    /// Returns the size of one entry.
    static func byteCount(key: Int, value: Int) -> Int {
        key + value + 8 + 2 * MemoryLayout<Item>.stride
    }

    mutating func append(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        entries.append(key: key, value: value)
    }

    mutating func removeAll() { entries.removeAll() }

    /// Visits the entries by key; entries with equal keys keep the order in which they were added.
    func forEachSorted(
        _ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        for item in sortedItems() {
            try entries.withEntry(at: Int(item.index)) { key, value throws(StoreError) in
                try visit(key, value)
            }
        }
    }

    /// Returns the entries by key.
    private func sortedItems() -> [Item] {
        let prefix = commonPrefixByteCount
        var items: [Item] = []
        items.reserveCapacity(entries.count)
        for index in 0..<entries.count {
            let head = entries.withEntry(at: index) { key, _ in
                SortMemory.head(UnsafeRawBufferPointer(rebasing: key[prefix...]))
            }
            items.append(Item(head: head, index: UInt32(truncatingIfNeeded: index)))
        }
        SortMemory.sortByHead(&items)
        sortEqualHeads(&items)
        return items
    }

    /// The length of the common prefix of all keys, which no comparison needs.
    private var commonPrefixByteCount: Int {
        guard entries.count > 1 else { return 0 }
        let first = entries.key(at: 0)
        return first.withUnsafeBytes { first in
            var count = first.count
            for index in 1..<entries.count where count > 0 {
                entries.withEntry(at: index) { key, _ in
                    count = min(count, key.count)
                    var same = 0
                    while same < count, key[same] == first[same] { same += 1 }
                    count = same
                }
            }
            return count
        }
    }

    /// Sorts by the heads, and keeps the order of items with equal heads.
    ///
    /// It is a radix sort from the last byte to the first (Knuth, The Art of Computer Programming,
    /// vol. 3, 5.2.5), without the bytes that all heads share.
    private static func sortByHead(_ items: inout [Item]) {
        var counts = [Int](repeating: 0, count: 8 * 256)
        for item in items {
            for byte in 0..<8 { counts[byte << 8 | Int(item.head >> UInt64(8 * byte) & 0xFF)] += 1 }
        }
        var other = items
        for byte in 0..<8 {
            var next = Array(counts[byte << 8..<(byte + 1) << 8])
            if next.contains(items.count) { continue }
            var start = 0
            for digit in next.indices { (next[digit], start) = (start, start + next[digit]) }
            items.withUnsafeBufferPointer { source in
                other.withUnsafeMutableBufferPointer { target in
                    for item in source {
                        let digit = Int(item.head >> UInt64(8 * byte) & 0xFF)
                        target[next[digit]] = item
                        next[digit] += 1
                    }
                }
            }
            swap(&items, &other)
        }
    }

    /// Sorts the items that have the same head by their whole keys.
    private func sortEqualHeads(_ items: inout [Item]) {
        let entries = entries
        var start = 0
        while start < items.count {
            var end = start + 1
            while end < items.count, items[end].head == items[start].head { end += 1 }
            if end - start > 1 {
                items[start..<end].sort { left, right in
                    switch entries.order(
                        at: Int(left.index), relativeTo: entries, at: Int(right.index))
                    {
                    case .less: true
                    case .equal: left.index < right.index
                    case .greater: false
                    }
                }
            }
            start = end
        }
    }

    /// Returns the first eight bytes as a number with the same order.
    ///
    /// Short keys are padded with zeros, and ties are compared in full.
    static func head(_ key: UnsafeRawBufferPointer) -> UInt64 {
        guard key.count < 8 else {
            return UInt64(bigEndian: key.loadUnaligned(as: UInt64.self))
        }
        var head: UInt64 = 0
        for byte in key { head = head << 8 | UInt64(byte) }
        return head << (8 * UInt64(8 - key.count))
    }
}
