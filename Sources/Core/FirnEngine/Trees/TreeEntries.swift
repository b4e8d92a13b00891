import FirnValues

/// An entry of a tree: a key and a value, both byte strings.
struct TreeEntry: Hashable, Sendable {
    var key: [UInt8]
    var value: [UInt8]

    init(key: [UInt8], value: [UInt8] = []) {
        self.key = key
        self.value = value
    }
}

/// Entries in one flat buffer: key, value, key, value, ...
///
/// The starts ascend; the key of an entry ends where its value begins, and the value ends where the
/// next key begins.
struct TreeEntries: Sendable {
    private(set) var bytes: [UInt8] = []
    private var keyStarts: [UInt32] = []
    private var valueStarts: [UInt32] = []

    init() {}

    /// Adopts a decoded buffer.
    ///
    /// - Precondition: There are as many lengths as entries, and their sum is the size of the
    ///   buffer.
    init(bytes: [UInt8], keyByteCounts: [UInt32], valueByteCounts: [UInt32]) {
        self.bytes = bytes
        keyStarts.reserveCapacity(keyByteCounts.count)
        valueStarts.reserveCapacity(keyByteCounts.count)
        var start: UInt32 = 0
        for (keyByteCount, valueByteCount) in zip(keyByteCounts, valueByteCounts) {
            keyStarts.append(start)
            start &+= keyByteCount
            valueStarts.append(start)
            start &+= valueByteCount
        }
    }

    var count: Int { keyStarts.count }
    var isEmpty: Bool { keyStarts.isEmpty }
    var memoryByteCount: Int { bytes.count + keyStarts.count * 8 }

    func keyByteCount(at index: Int) -> Int { keyRange(index).count }
    func valueByteCount(at index: Int) -> Int { valueRange(index).count }
    func key(at index: Int) -> [UInt8] { Array(bytes[keyRange(index)]) }
    func value(at index: Int) -> [UInt8] { Array(bytes[valueRange(index)]) }

    subscript(index: Int) -> TreeEntry {
        TreeEntry(key: key(at: index), value: value(at: index))
    }

    private func keyRange(_ index: Int) -> Range<Int> {
        Int(keyStarts[index])..<Int(valueStarts[index])
    }

    private func valueRange(_ index: Int) -> Range<Int> {
        Int(valueStarts[index])..<end(of: index)
    }

    private func end(of index: Int) -> Int {
        index + 1 < keyStarts.count ? Int(keyStarts[index + 1]) : bytes.count
    }

    // MARK: Adding

    mutating func append(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        keyStarts.append(UInt32(truncatingIfNeeded: bytes.count))
        bytes.append(contentsOf: key)
        valueStarts.append(UInt32(truncatingIfNeeded: bytes.count))
        bytes.append(contentsOf: value)
    }

    mutating func append(_ entry: TreeEntry) {
        entry.key.withUnsafeBytes { key in
            entry.value.withUnsafeBytes { value in append(key: key, value: value) }
        }
    }

    /// Adds some entries of another buffer.
    mutating func append(_ other: TreeEntries, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        let first = Int(other.keyStarts[range.lowerBound])
        let last = other.end(of: range.upperBound - 1)
        // The shift wraps if the entries move to the front of a buffer; the sums are still correct.
        let shift = UInt32(truncatingIfNeeded: bytes.count &- first)
        bytes.append(contentsOf: other.bytes[first..<last])
        for index in range {
            keyStarts.append(other.keyStarts[index] &+ shift)
            valueStarts.append(other.valueStarts[index] &+ shift)
        }
    }

    /// Removes the last entry.
    mutating func removeLast() {
        guard let start = keyStarts.popLast() else { return }
        valueStarts.removeLast()
        bytes.removeSubrange(Int(start)...)
    }

    /// Removes the entries and keeps the memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        keyStarts.removeAll(keepingCapacity: true)
        valueStarts.removeAll(keepingCapacity: true)
    }

    // MARK: Searching

    /// Passes the bytes of one entry to a closure.
    func withEntry<Result, Failure: Error>(
        at index: Int,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (keyRange, valueRange) = (keyRange(index), valueRange(index))
        return try bytes.withBytes { bytes throws(Failure) in
            try body(
                UnsafeRawBufferPointer(rebasing: bytes[keyRange]),
                UnsafeRawBufferPointer(rebasing: bytes[valueRange]))
        }
    }

    /// Returns the order of the key of an entry relative to another key.
    func order(at index: Int, relativeTo key: [UInt8]) -> Ordering {
        withEntry(at: index) { own, _ in
            key.withUnsafeBytes { KeyOrder.order(own, $0) }
        }
    }

    /// Returns the order of the keys of two entries, possibly of two buffers.
    func order(at index: Int, relativeTo other: TreeEntries, at otherIndex: Int) -> Ordering {
        withEntry(at: index) { own, _ in
            other.withEntry(at: otherIndex) { key, _ in KeyOrder.order(own, key) }
        }
    }

    /// Returns the index of the first entry that is not before a key.
    func lowerBound(of key: [UInt8]) -> Int { partition(by: key, takingEqual: false) }

    /// Returns the index of the first entry that is after a key.
    func upperBound(of key: [UInt8]) -> Int { partition(by: key, takingEqual: true) }

    /// Returns the number of entries before a key, optionally including equal ones.
    private func partition(by key: [UInt8], takingEqual: Bool) -> Int {
        bytes.withUnsafeBytes { bytes in
            key.withUnsafeBytes { key in
                var low = 0
                var high = count
                while low < high {
                    let middle = (low + high) / 2
                    let own = UnsafeRawBufferPointer(rebasing: bytes[keyRange(middle)])
                    let order = KeyOrder.order(own, key)
                    if order == .less || (takingEqual && order == .equal) {
                        low = middle + 1
                    } else {
                        high = middle
                    }
                }
                return low
            }
        }
    }
}
