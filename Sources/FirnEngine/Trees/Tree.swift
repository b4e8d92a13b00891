import FirnCodec
import FirnPlatform
import FirnValues

/// Where a tree begins.
struct TreeRoot: Hashable, Sendable {
    let reference: PageReference
    /// 0: the root is a leaf.
    let level: Int
    let entryCount: UInt64

    /// In the catalog: the reference, u8 level, varint entries.
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

/// A counted B+tree over byte strings, read node by node when needed.
///
/// Entries ascend by key; entries of equal keys keep the order in which they were put. The rank of
/// an entry is how many come before it: as every inner node counts what is below it, an entry is
/// found by its rank as fast as by its key.
struct Tree: Sendable {
    /// `nil`: no entries.
    let root: TreeRoot?
    let pages: PageStore
    /// What the tree is, for errors: `key index of Flight`.
    let name: String

    /// A leaf, and how many entries come before it.
    struct Leaf: Sendable {
        let node: TreeNode
        let start: UInt64

        var entries: TreeEntries { node.entries }
        var end: UInt64 { start + node.entryCount }
    }

    var count: UInt64 { root?.entryCount ?? 0 }

    // MARK: By key

    /// How many entries come before the first that is not less than the key.
    ///
    /// - Complexity: O(log n)
    func lowerBound(_ key: [UInt8]) throws(StoreError) -> UInt64 {
        // Entries of that very key may begin in the child in front of the one that begins with it.
        guard let leaf = try leaf(where: { $0.lowerBound(of: key) - 1 }) else { return 0 }
        return leaf.start + UInt64(leaf.entries.lowerBound(of: key))
    }

    /// How many entries are less than the key or equal to it.
    ///
    /// - Complexity: O(log n)
    func upperBound(_ key: [UInt8]) throws(StoreError) -> UInt64 {
        guard let leaf = try leaf(where: { $0.upperBound(of: key) - 1 }) else { return 0 }
        return leaf.start + UInt64(leaf.entries.upperBound(of: key))
    }

    /// The value of the first entry of that key.
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

    /// The ranks of the entries whose keys begin with those bytes.
    ///
    /// - Complexity: O(log n)
    func ranks(withPrefix prefix: [UInt8]) throws(StoreError) -> Range<UInt64> {
        let lower = try lowerBound(prefix)
        guard let next = TreeKey.successor(ofPrefix: prefix) else {
            return lower..<max(lower, count)
        }
        let upper = try lowerBound(next)
        // A damaged tree may answer anything.
        return lower..<max(lower, upper)
    }

    // MARK: By rank

    /// The entry of a rank.
    ///
    /// - Complexity: O(log n)
    func entry(at rank: UInt64) throws(StoreError) -> TreeEntry {
        let leaf = try leaf(holding: rank)
        return leaf.entries[Int(rank - leaf.start)]
    }

    /// Walks entries in order, leaf by leaf; no other leaf is read.
    ///
    /// - Parameter visit: gets key and value, which are valid only during the call; returns whether
    ///   to go on.
    /// - Complexity: O(log n) per leaf
    func forEach(
        in ranks: Range<UInt64>,
        _ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try checkClaim(ranks)
        var rank = ranks.lowerBound
        // Every leaf has an entry, and all of them add up to the count of the root: this ends.
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

    /// The leaf with the entry of a rank.
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

    /// Descends to a leaf; the choice among the first keys of the children is the caller's, and a
    /// choice before the first means the first.
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

    /// The root node.
    func load(_ root: TreeRoot) throws(StoreError) -> TreeNode {
        let node: TreeNode = try pages.node(root.reference, context: name)
        guard node.level == root.level, node.entryCount == root.entryCount else {
            throw contradiction
        }
        return node
    }

    /// A child, which must be what its parent says: this also bounds the depth of hostile trees
    /// and makes ranks add up.
    func load(childOf parent: TreeNode, at index: Int) throws(StoreError) -> TreeNode {
        let content = parent.content
        let node: TreeNode = try pages.node(content.references[index], context: name)
        guard node.level == parent.level - 1, node.entryCount == content.counts[index],
            node.entries.order(at: 0, relativeTo: content.entries, at: index) == .equal
        else { throw contradiction }
        return node
    }

    /// A child that waits outside of its parent; see ``load(childOf:at:)``.
    func load(_ child: TreeChild, level: Int) throws(StoreError) -> TreeNode {
        let node: TreeNode = try pages.node(child.reference, context: name)
        guard node.level == level, node.entryCount == child.entryCount,
            node.entries.order(at: 0, relativeTo: child.firstKey) == .equal
        else { throw contradiction }
        return node
    }

    /// Before a very long walk, the file must be large enough to hold what the root counts: nodes
    /// that several parents share could claim any number.
    private func checkClaim(_ ranks: Range<UInt64>) throws(StoreError) {
        guard ranks.count > Tree.uncheckedEntryCount else { return }
        let size: UInt64
        do throws(PlatformError) {
            size = try pages.file.status().size
        } catch {
            throw StoreError(error, doing: "find the size of the database")
        }
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
