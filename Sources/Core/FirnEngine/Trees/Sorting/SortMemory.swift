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
        entries.memoryByteCount + entries.count * MemoryLayout<Item>.stride
    }

    /// Returns the size of one entry.
    static func byteCount(key: Int, value: Int) -> Int {
        key + value + 8 + MemoryLayout<Item>.stride
    }

    mutating func append(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        entries.append(key: key, value: value)
    }

    mutating func removeAll() { entries.removeAll() }

    /// Visits the entries by key; those of equal keys keep the order in which they were added.
    func forEachSorted(
        _ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        var items: [Item] = []
        items.reserveCapacity(entries.count)
        for index in 0..<entries.count {
            let head = entries.withEntry(at: index) { key, _ in SortMemory.head(key) }
            items.append(Item(head: head, index: UInt32(truncatingIfNeeded: index)))
        }
        let entries = entries
        items.sort { left, right in
            if left.head != right.head { return left.head < right.head }
            switch entries.order(
                at: Int(left.index), relativeTo: entries, at: Int(right.index))
            {
            case .less: return true
            case .equal: return left.index < right.index
            case .greater: return false
            }
        }
        for item in items {
            try entries.withEntry(at: Int(item.index)) { key, value throws(StoreError) in
                try visit(key, value)
            }
        }
    }

    /// Returns the first eight bytes as a number of the same order.
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
