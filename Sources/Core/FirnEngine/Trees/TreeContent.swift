import FirnCodec
import FirnValues

/// The entry of a node in its parent.
struct TreeChild: Hashable, Sendable {
    /// The key of the first entry below the child.
    let firstKey: [UInt8]
    /// The number of entries of all leaves below the child, at least 1.
    let entryCount: UInt64
    let reference: PageReference
}

/// The items of one level of a tree: the content of a node, or items that are to become nodes.
///
/// At level 0 the items are the entries of the tree. Above it they are children, whose first keys
/// are stored in `entries` with empty values.
struct TreeContent: Sendable {
    let level: Int
    private(set) var entries = TreeEntries()
    /// One reference per child; empty at level 0.
    private(set) var references: [PageReference] = []
    private(set) var counts: [UInt64] = []

    init(level: Int) { self.level = level }

    init(level: Int, entries: TreeEntries, references: [PageReference], counts: [UInt64]) {
        self.level = level
        self.entries = entries
        self.references = references
        self.counts = counts
    }

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }

    func child(at index: Int) -> TreeChild {
        TreeChild(
            firstKey: entries.key(at: index), entryCount: counts[index],
            reference: references[index])
    }

    mutating func append(_ entry: TreeEntry) { entries.append(entry) }

    mutating func append(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        entries.append(key: key, value: value)
    }

    mutating func append(_ child: TreeChild) {
        entries.append(TreeEntry(key: child.firstKey))
        references.append(child.reference)
        counts.append(child.entryCount)
    }

    mutating func append(_ other: TreeContent, _ range: Range<Int>) {
        entries.append(other.entries, range)
        guard level > 0 else { return }
        references.append(contentsOf: other.references[range])
        counts.append(contentsOf: other.counts[range])
    }

    mutating func removeLast() {
        entries.removeLast()
        guard level > 0 else { return }
        references.removeLast()
        counts.removeLast()
    }

    mutating func removeAll() {
        entries.removeAll()
        references.removeAll(keepingCapacity: true)
        counts.removeAll(keepingCapacity: true)
    }

    // MARK: Sizes

    /// The largest size of the count and the reference of a child: four varints and a checksum.
    static let childByteCountMax = 10 + 10 + 5 + 5 + 8

    /// Returns an upper bound of the size of an item in a node.
    func byteCount(at index: Int) -> Int {
        TreeContent.byteCount(
            level: level, key: entries.keyByteCount(at: index),
            value: entries.valueByteCount(at: index))
    }

    /// Returns an upper bound of the size in a node of an item with a given key and value size.
    static func byteCount(level: Int, key: Int, value: Int) -> Int {
        let table = ByteWriter.varintByteCount(key)
        guard level == 0 else { return table + key + childByteCountMax }
        return table + key + ByteWriter.varintByteCount(value) + value
    }

    /// Returns the number of leaf entries below some items.
    func entryCount(_ range: Range<Int>) -> UInt64 {
        level == 0 ? UInt64(range.count) : counts[range].reduce(0, &+)
    }
}

extension ByteWriter {
    /// Returns the length of a varint that encodes a length.
    fileprivate static func varintByteCount(_ value: Int) -> Int {
        max(1, (Int.bitWidth - value.leadingZeroBitCount + 6) / 7)
    }
}
