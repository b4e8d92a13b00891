import FirnPlatform
import FirnValues

/// A builder that writes a new tree from ordered entries, with leaves as full as possible.
///
/// One node per level is in memory.
struct TreeBuilder {
    private let name: String
    private let nodeByteCount: Int
    /// The node being filled, for every level from the leaves up.
    private var levels = [TreeContent(level: 0)]
    private var byteCounts = [0]
    private(set) var entryCount: UInt64 = 0

    /// - Parameters:
    ///   - name: A name of the tree for errors, such as `key index of Flight`.
    ///   - nodeByteCount: The size to which nodes are filled; it is small only in tests.
    init(name: String, nodeByteCount: Int = TreeNode.byteCountTarget) {
        self.name = name
        self.nodeByteCount = min(nodeByteCount, TreeContent.nodeByteCountMax - 64)
    }

    /// Adds an entry, whose key is at least the key of the previous one.
    mutating func append(
        key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, to writer: inout PageWriter
    ) throws(StoreError) {
        try TreeLevelWriter.checkSize(key: key.count, value: value.count, writer.file.path)
        try checkOrder(key, writer.file.path)
        try makeRoom(
            level: 0, TreeContent.byteCount(level: 0, key: key.count, value: value.count), &writer)
        levels[0].append(key: key, value: value)
        entryCount += 1
    }

    /// Adds an entry, whose key is at least the key of the previous one.
    mutating func append(
        _ entry: TreeEntry, to writer: inout PageWriter
    ) throws(StoreError) {
        try entry.key.withBytes { key throws(StoreError) in
            try entry.value.withBytes { value throws(StoreError) in
                try append(key: key, value: value, to: &writer)
            }
        }
    }

    /// Writes the last nodes.
    ///
    /// - Returns: The root, or `nil` if there were no entries.
    mutating func finish(_ writer: inout PageWriter) throws(StoreError) -> TreeRoot? {
        guard entryCount > 0 else { return nil }
        var level = 0
        while true {
            if level > 0, level == levels.count - 1, levels[level].count == 1 {
                return TreeRoot(
                    reference: levels[level].child(at: 0).reference, level: level - 1,
                    entryCount: entryCount)
            }
            try writeNode(level: level, &writer)
            level += 1
        }
    }

    /// Checks the order of the entries.
    ///
    /// Damaged input, such as a duplicate key in a page, must not become a tree that cannot be
    /// searched.
    private func checkOrder(_ key: UnsafeRawBufferPointer, _ path: String) throws(StoreError) {
        guard let last = levels[0].entries.isEmpty ? nil : levels[0].count - 1 else { return }
        let order = levels[0].entries.withEntry(at: last) { last, _ in KeyOrder.order(last, key) }
        guard order != .greater else {
            throw .corrupt(path, "the \(name) would be out of order")
        }
    }

    private mutating func makeRoom(
        level: Int, _ byteCount: Int, _ writer: inout PageWriter
    ) throws(StoreError) {
        let isFull = byteCounts[level] + byteCount > nodeByteCount
        if isFull, levels[level].count >= (level == 0 ? 1 : 2) {
            try writeNode(level: level, &writer)
        }
        byteCounts[level] += byteCount
    }

    private mutating func writeNode(
        level: Int, _ writer: inout PageWriter
    ) throws(StoreError) {
        let child = try TreeLevelWriter.write(levels[level], 0..<levels[level].count, &writer)
        levels[level].removeAll()
        byteCounts[level] = 0
        if level + 1 == levels.count {
            levels.append(TreeContent(level: level + 1))
            byteCounts.append(0)
        }
        try makeRoom(
            level: level + 1,
            TreeContent.byteCount(level: level + 1, key: child.firstKey.count, value: 0), &writer)
        levels[level + 1].append(child)
    }
}
