import FirnValues

/// A cursor for accesses to a tree that are usually close to each other; it keeps the last leaf.
struct TreeCursor {
    let tree: Tree
    private var leaf: Tree.Leaf?

    init(_ tree: Tree) { self.tree = tree }

    /// Like ``Tree/lowerBound(_:)``.
    mutating func lowerBound(_ key: [UInt8]) throws(StoreError) -> UInt64 {
        if let leaf, leaf.entries.order(at: 0, relativeTo: key) == .less,
            leaf.entries.order(at: leaf.entries.count - 1, relativeTo: key) != .less
        {
            return leaf.start + UInt64(leaf.entries.lowerBound(of: key))
        }
        return try keepLeaf(at: try tree.lowerBound(key))
    }

    /// Like ``Tree/upperBound(_:)``.
    mutating func upperBound(_ key: [UInt8]) throws(StoreError) -> UInt64 {
        if let leaf, leaf.entries.order(at: 0, relativeTo: key) != .greater,
            leaf.entries.order(at: leaf.entries.count - 1, relativeTo: key) == .greater
        {
            return leaf.start + UInt64(leaf.entries.upperBound(of: key))
        }
        return try keepLeaf(at: try tree.upperBound(key))
    }

    /// Like ``Tree/entry(at:)``.
    mutating func entry(at rank: UInt64) throws(StoreError) -> TreeEntry {
        if let leaf, rank >= leaf.start, rank < leaf.end {
            return leaf.entries[Int(rank - leaf.start)]
        }
        let leaf = try tree.leaf(holding: rank)
        self.leaf = leaf
        return leaf.entries[Int(rank - leaf.start)]
    }

    private mutating func keepLeaf(at rank: UInt64) throws(StoreError) -> UInt64 {
        if rank < tree.count { leaf = try tree.leaf(holding: rank) }
        return rank
    }
}
