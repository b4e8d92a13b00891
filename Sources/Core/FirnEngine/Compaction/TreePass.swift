import FirnCodec
import FirnValues

/// A pass that rewrites stretches of the trees of a class whose leaves are not full, or become
/// smaller.
///
/// A step rewrites a stretch of neighbouring leaves with their ancestors, so that it is as short
/// for a large tree as for a small one. The benefit is computed before the step, while other
/// transactions write.
struct TreePass: CompactionPass {
    /// A stretch of neighbouring leaves.
    private struct Stretch {
        var ranks: Range<UInt64>
        var content = TreeContent(level: 0)
        var unitCount: UInt64 = 0
        /// The number of units that become free, without the leaves that a freeze keeps.
        var regainedUnitCount: UInt64 = 0
        var leafCount = 0
    }

    /// The limit on a stretch: compressing half a MiB well takes as long as a writer may wait.
    private static let stretchByteCountMax = 512 * 1024
    private let classID: ClassID
    /// The trees that are finished.
    private var done: Set<TreeSlot> = []
    /// The rank at which the next stretch begins.
    private var rank: UInt64 = 0

    init(_ classID: ClassID) { self.classID = classID }

    mutating func advance(_ compactor: inout Compactor) throws(StoreError) -> UInt64? {
        guard let (slot, stretch) = try nextStretch(compactor) else { return nil }
        let byteCount = stretch.unitCount * UInt64(Extent.unitByteCount)
        guard TreePass.isWorthwhile(stretch, compactor.options.compression) else {
            return byteCount
        }
        let classID = classID
        let outcome = try compactor.step { step throws(StoreError) in
            guard let table = step.table(classID) else { return false }
            return try TreePass.repack(table, slot, stretch.ranks, in: &step)
        }
        if case .blocked = outcome { return nil }
        return byteCount
    }

    /// Advances to the next stretch or tree, and releases the snapshot, which must not be pinned in
    /// the step.
    private mutating func nextStretch(
        _ compactor: Compactor
    ) throws(StoreError) -> (TreeSlot, Stretch)? {
        let snapshot = try compactor.store.snapshot()
        guard let record = snapshot.root.catalog[classID] else { return nil }
        let table = Table(root: record, snapshot.pages)
        let limit = min(
            compactor.stepUnitCount, Extent.units(forBytes: TreePass.stretchByteCountMax))
        for slot in record.treeSlots where !done.contains(slot) {
            let tree = table.tree(slot)
            if rank < tree.count {
                let stretch = try TreePass.stretch(
                    of: tree, from: rank, unitCount: limit, compactor.frozen)
                rank = stretch.ranks.upperBound
                return (slot, stretch)
            }
            done.insert(slot)
            rank = 0
        }
        return nil
    }

    /// Returns the leaves from a rank on, up to an approximate number of units.
    private static func stretch(
        of tree: Tree, from rank: UInt64, unitCount: UInt64, _ frozen: FrozenPages
    ) throws(StoreError) -> Stretch {
        var stretch = Stretch(ranks: rank..<rank)
        while stretch.unitCount < unitCount, stretch.ranks.upperBound < tree.count {
            let (leaf, extent) = try tree.placedLeaf(holding: stretch.ranks.upperBound)
            stretch.content.append(leaf.node.content, 0..<leaf.node.content.count)
            stretch.unitCount += extent.length
            stretch.regainedUnitCount += frozen.regainedUnitCount(of: [extent])
            stretch.leafCount += 1
            stretch.ranks = min(leaf.start, stretch.ranks.lowerBound)..<leaf.end
        }
        return stretch
    }

    /// Whether the entries fit into significantly fewer leaves, or into much less space.
    ///
    /// The boundaries of leaves are partly a matter of chance, so a small gain is not a reason.
    private static func isWorthwhile(_ stretch: Stretch, _ level: CompressionLevel) -> Bool {
        let content = stretch.content
        let total = (0..<content.count).reduce(0) { $0 + content.byteCount(at: $1) }
        let nodeCount = max(1, (total + TreeNode.byteCountTarget - 1) / TreeNode.byteCountTarget)
        let share = (total + nodeCount - 1) / nodeCount
        var unitCount: UInt64 = 0
        var first = 0
        var byteCount = 0
        for index in 0..<content.count {
            byteCount += content.byteCount(at: index)
            guard byteCount >= share || index == content.count - 1 else { continue }
            let stored = Blob.encode(content.encoded(first..<(index + 1)), level: level)
            unitCount += Extent.units(forBytes: stored.count)
            (first, byteCount) = (index + 1, 0)
        }
        let isFewer = nodeCount + stretch.leafCount / 8 < stretch.leafCount
        let gain = stretch.regainedUnitCount - min(stretch.regainedUnitCount, unitCount)
        return gain > max(1, stretch.unitCount / (isFewer ? 16 : 6))
    }

    /// Rewrites the entries at some ranks.
    ///
    /// Another transaction may have changed the tree meanwhile. The ranks then select other
    /// entries, which does no harm.
    private static func repack(
        _ table: Table, _ slot: TreeSlot, _ ranks: Range<UInt64>, in step: inout CompactionStep
    ) throws(StoreError) -> Bool {
        let tree = table.tree(slot)
        let ranks = ranks.clamped(to: 0..<tree.count)
        guard !ranks.isEmpty else { return false }
        var entries: [TreeEntry] = []
        try tree.forEach(in: ranks) { key, value throws(StoreError) in
            entries.append(TreeEntry(key: Array(key), value: Array(value)))
            return true
        }
        var rewriter = TreeRewriter(tree)
        var record = table.record
        record[slot] = try rewriter.apply(
            [TreeSplice(ranks: ranks, entries: entries)], to: &step.writer)
        step.catalog[record.schema.id] = record
        return true
    }
}

extension Tree {
    /// Returns the leaf that contains the entry at a rank, and its extent.
    fileprivate func placedLeaf(
        holding rank: UInt64
    ) throws(StoreError) -> (leaf: Leaf, extent: Extent) {
        guard let root, root.level > 0 else {
            return (try leaf(holding: rank), root?.reference.extent ?? Extent(start: 0, length: 0))
        }
        var node = try load(root)
        var start: UInt64 = 0
        var extent = root.reference.extent
        while node.level > 0 {
            let index = node.child(holding: rank - start)
            start += node.start(ofChild: index)
            extent = node.content.references[index].extent
            node = try load(childOf: node, at: index)
        }
        return (Leaf(node: node, start: start), extent)
    }
}
