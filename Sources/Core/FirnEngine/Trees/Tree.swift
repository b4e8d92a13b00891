import FirnCodec
import FirnPlatform
import FirnValues

/// The root of a tree.
struct TreeRoot: Hashable, Sendable {
    let reference: PageReference
    /// The level of the root; 0 means that the root is a leaf.
    let level: Int
    let entryCount: UInt64

    /// Writes the encoding in the catalog: the reference, u8 level, varint entries.
    func write(to writer: inout ByteWriter) {
        reference.write(to: &writer)
        writer.u8(UInt8(truncatingIfNeeded: level))
        writer.varint(entryCount)
    }

    init(from reader: inout ByteReader) throws(CodecError) {
        reference = try PageReference(from: &reader)
        level = Int(try reader.u8())
        entryCount = try reader.varint()
        guard level <= TreeNode.maximumLevel, 1...TreeNode.entryCountMax ~= entryCount else {
            throw CodecError(.corrupt, "impossible root of a tree", at: reader.offset)
        }
    }

    init(reference: PageReference, level: Int, entryCount: UInt64) {
        self.reference = reference
        self.level = level
        self.entryCount = entryCount
    }
}

/// A counted B+tree over byte strings, read node by node on demand.
///
/// Entries ascend by key; entries of equal keys keep the order of their insertion. The rank of an
/// entry is the number of entries before it. Because every inner node counts the entries below it,
/// an entry is found by its rank as fast as by its key.
struct Tree: Sendable {
    /// `nil` if there are no entries.
    let root: TreeRoot?
    let pages: PageStore
    /// A name of the tree for errors, such as `key index of Flight`.
    let name: String

    /// A leaf, and the number of entries before it.
    struct Leaf: Sendable {
        let node: TreeNode
        let start: UInt64

        var entries: TreeEntries { node.entries }
        var end: UInt64 { start + node.entryCount }
    }

    var count: UInt64 { root?.entryCount ?? 0 }

    // MARK: By key

    /// Returns the number of entries before the first one that is at least a key.
    ///
    /// - Complexity: O(log n)
    func lowerBound(_ key: [UInt8]) throws(StoreError) -> UInt64 {
        // Entries equal to the key may begin in the child before the one whose first key equals it.
        guard let leaf = try leaf(where: { $0.lowerBound(of: key) - 1 }) else { return 0 }
        return leaf.start + UInt64(leaf.entries.lowerBound(of: key))
    }

    /// Returns the ranks of the entries that are at least one key and less than another.
    ///
    /// - Complexity: O(log n), once if all of them are in one leaf
    func ranks(from lower: [UInt8], to upper: [UInt8]) throws(StoreError) -> Range<UInt64> {
        guard let leaf = try leaf(where: { $0.lowerBound(of: lower) - 1 }) else { return 0..<0 }
        let start = leaf.start + UInt64(leaf.entries.lowerBound(of: lower))
        let index = leaf.entries.lowerBound(of: upper)
        let end =
            index < leaf.entries.count || leaf.end == count
            ? leaf.start + UInt64(index) : try lowerBound(upper)
        // A damaged tree may give any result.
        return start..<max(start, end)
    }

    /// Returns the number of entries that are less than or equal to a key.
    ///
    /// - Complexity: O(log n)
    func upperBound(_ key: [UInt8]) throws(StoreError) -> UInt64 {
        guard let leaf = try leaf(where: { $0.upperBound(of: key) - 1 }) else { return 0 }
        return leaf.start + UInt64(leaf.entries.upperBound(of: key))
    }

    /// Returns the value of the first entry with a key.
    ///
    /// - Complexity: O(log n)
    func value(forKey key: [UInt8]) throws(StoreError) -> [UInt8]? {
        guard let leaf = try leaf(where: { $0.lowerBound(of: key) - 1 }) else { return nil }
        let index = leaf.entries.lowerBound(of: key)
        if index < leaf.entries.count {
            guard leaf.entries.order(at: index, relativeTo: key) == .equal else { return nil }
            return leaf.entries.value(at: index)
        }
        // The key may be the first of the next leaf.
        guard leaf.end < count else { return nil }
        let entry = try entry(at: leaf.end)
        return entry.key == key ? entry.value : nil
    }

    /// Returns the ranks of the entries whose keys begin with a prefix.
    ///
    /// - Complexity: O(log n)
    func ranks(withPrefix prefix: [UInt8]) throws(StoreError) -> Range<UInt64> {
        guard let next = TreeKey.successor(ofPrefix: prefix) else {
            let lower = try lowerBound(prefix)
            return lower..<max(lower, count)
        }
        return try ranks(from: prefix, to: next)
    }

    // MARK: By rank

    /// Returns the entry at a rank.
    ///
    /// - Complexity: O(log n)
    func entry(at rank: UInt64) throws(StoreError) -> TreeEntry {
        let leaf = try leaf(holding: rank)
        return leaf.entries[Int(rank - leaf.start)]
    }

    /// Visits entries in order, and reads only the leaves that contain them.
    ///
    /// - Parameter visit: Receives key and value, which are valid only during the call; returns
    ///   whether to continue.
    /// - Complexity: O(log n) per leaf
    func forEach(
        in ranks: Range<UInt64>,
        _ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try checkClaim(ranks)
        var rank = ranks.lowerBound
        // Every leaf has an entry, and all of them add up to the count of the root, so the loop
        // ends.
        while rank < ranks.upperBound {
            let leaf = try leaf(holding: rank)
            let entries = leaf.entries
            let end = min(leaf.end, ranks.upperBound)
            while rank < end {
                let goesOn = try entries.withEntry(at: Int(rank - leaf.start)) {
                    (key, value) throws(StoreError) in try visit(key, value)
                }
                guard goesOn else { return }
                rank += 1
            }
        }
    }

    /// Returns the leaf that contains the entry at a rank.
    func leaf(holding rank: UInt64) throws(StoreError) -> Leaf {
        guard let root, rank < root.entryCount else {
            throw .corrupt(
                pages.file.path, "the \(name) has \(count) entries and none of number \(rank)")
        }
        var node = try load(root)
        var start: UInt64 = 0
        while node.level > 0 {
            let index = node.child(holding: rank - start)
            start += node.start(ofChild: index)
            node = try load(childOf: node, at: index)
        }
        return Leaf(node: node, start: start)
    }

    // MARK: Nodes

    /// Descends to a leaf; the caller chooses among the first keys of the children.
    ///
    /// A choice before the first child selects the first one.
    private func leaf(where choose: (TreeEntries) -> Int) throws(StoreError) -> Leaf? {
        guard let root else { return nil }
        var node = try load(root)
        var start: UInt64 = 0
        while node.level > 0 {
            let index = max(0, choose(node.entries))
            start += node.start(ofChild: index)
            node = try load(childOf: node, at: index)
        }
        return Leaf(node: node, start: start)
    }

    /// Returns the root node.
    func load(_ root: TreeRoot) throws(StoreError) -> TreeNode {
        let node: TreeNode = try pages.node(root.reference, context: name)
        guard node.level == root.level, node.entryCount == root.entryCount else {
            throw contradiction
        }
        return node
    }

    /// Returns a child, which must match the description in its parent.
    ///
    /// The check also bounds the depth of crafted trees and ensures that ranks add up.
    func load(childOf parent: TreeNode, at index: Int) throws(StoreError) -> TreeNode {
        let content = parent.content
        let node: TreeNode = try pages.node(content.references[index], context: name)
        guard node.level == parent.level - 1, node.entryCount == content.counts[index],
            node.entries.order(at: 0, relativeTo: content.entries, at: index) == .equal
        else { throw contradiction }
        return node
    }

    /// Returns a child whose entry is held outside its parent; see ``load(childOf:at:)``.
    func load(_ child: TreeChild, level: Int) throws(StoreError) -> TreeNode {
        let node: TreeNode = try pages.node(child.reference, context: name)
        guard node.level == level, node.entryCount == child.entryCount,
            node.entries.order(at: 0, relativeTo: child.firstKey) == .equal
        else { throw contradiction }
        return node
    }

    /// Checks, before a very long walk, that the file is large enough for the count of the root.
    ///
    /// Nodes that are shared by several parents could claim any number of entries.
    private func checkClaim(_ ranks: Range<UInt64>) throws(StoreError) {
        guard ranks.count > Tree.uncheckedEntryCount else { return }
        let size = try attempt(pages.file.status().size, to: "find the size of the database")
        // An entry takes at least two bytes in its node, and LZ4 packs at most 255 to 1.
        guard count / 128 <= size else {
            throw .corrupt(pages.file.path, "the \(name) claims \(count) entries")
        }
    }

    private static let uncheckedEntryCount = 1 << 24

    private var contradiction: StoreError {
        .corrupt(pages.file.path, "a node of the \(name) is not what its parent says")
    }
}
