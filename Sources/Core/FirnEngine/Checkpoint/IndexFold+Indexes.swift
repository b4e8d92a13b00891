import FirnPlatform
import FirnValues

/// Building indexes, and applying the changes to rows to them.
extension IndexFold {
    /// The share of the entries of a tree, as a divisor, at which changes are merged with the whole
    /// tree.
    ///
    /// A leaf has several hundred entries, so that more changes would reach nearly every leaf.
    private static let mergeShare: UInt64 = 64

    /// - Parameter checksUnique: Whether this is the commit of a transaction, which may have
    ///   written rows without looking up their values.
    func indexTrees(
        checksUnique: Bool, _ writer: inout PageWriter
    ) throws(StoreError) -> [IndexID: IndexTree] {
        let states = table.record.indexTrees
        for (id, tree) in old?.indexTrees ?? [:] {
            guard let root = tree.root, states[id] != .built(root) else { continue }
            try free(.index(id), root, &writer)
        }
        var trees: [IndexID: IndexTree] = [:]
        for index in schema.indexes {
            let encoder = IndexEncoder(index, of: schema)
            var check = checksUnique && index.isUnique ? UniqueCheck(encoder, table) : nil
            let root: TreeRoot?
            switch states[index.id] ?? .unbuilt {
            case .unbuilt: root = try builtIndex(encoder, &check, &writer)
            case .built(let base): root = try changed(base, encoder, &check, &writer)
            }
            trees[index.id] = .built(root)
        }
        return trees
    }

    /// Builds an index from all rows.
    func builtIndex(
        _ encoder: IndexEncoder, _ check: inout UniqueCheck?, _ writer: inout PageWriter
    ) throws(StoreError) -> TreeRoot? {
        var sorter = ExternalSorter(ofEntriesBeside: store.path, services: store.services)
        for view in try table.rowGroups() {
            try encoder.forEachLiveEntry(of: view) { key throws(StoreError) in
                try sorter.append(key: key, value: .none)
            }
        }
        var builder = TreeBuilder(name: TreeSlot.index(encoder.index.id).name(in: schema))
        try sorter.finish { key, value throws(StoreError) in
            try check?.add(key)
            try builder.append(key: key, value: value, to: &writer)
        }
        return try builder.finish(&writer)
    }

    /// Applies the changes of the overlay to an index of the root.
    private func changed(
        _ root: TreeRoot?, _ encoder: IndexEncoder, _ check: inout UniqueCheck?,
        _ writer: inout PageWriter
    ) throws(StoreError) -> TreeRoot? {
        var sorter = ExternalSorter(ofEntriesBeside: store.path, services: store.services)
        try forEachChange(encoder) { change, key throws(StoreError) in
            try withUnsafeBytes(of: change.rawValue) { value throws(StoreError) in
                try sorter.append(key: key, value: value)
            }
        }
        guard sorter.entryCount > 0 else { return root }
        let tree = tree(.index(encoder.index.id), root)
        guard sorter.entryCount > tree.count / IndexFold.mergeShare else {
            return try edited(tree, sorter, encoder, check != nil, &writer)
        }
        var merge = TreeMerge(tree)
        try sorter.finish { key, change throws(StoreError) in
            try merge.copy(before: key, &check, &writer)
            if change.first == IndexDifference.Change.added.rawValue {
                try check?.add(key)
                try merge.add(key, &writer)
            }
        }
        return try merge.finish(&check, &writer)
    }

    /// Passes to a closure the entries that the overlay removes and adds.
    private func forEachChange(
        _ encoder: IndexEncoder,
        _ body: (IndexDifference.Change, UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        let difference = IndexDifference(table, encoder)
        for (view, rows) in try difference.changedRows() {
            try difference.forEachChange(of: view, rows, body)
        }
        for view in table.appendedViews {
            try encoder.forEachLiveEntry(of: view) { key throws(StoreError) in
                try body(.added, key)
            }
        }
    }

    /// Applies a few changes.
    private func edited(
        _ tree: Tree, _ sorter: consuming ExternalSorter, _ encoder: IndexEncoder,
        _ checksUnique: Bool, _ writer: inout PageWriter
    ) throws(StoreError) -> TreeRoot? {
        var inserted: [TreeEntry] = []
        var deleted: [[UInt8]] = []
        try sorter.finish { key, change in
            if change.first == IndexDifference.Change.added.rawValue {
                inserted.append(TreeEntry(key: Array(key)))
            } else {
                deleted.append(Array(key))
            }
        }
        var rewriter = TreeRewriter(tree)
        let root = try rewriter.applyKeyEdits(inserting: inserted, deleting: deleted, to: &writer)
        guard checksUnique else { return root }
        let changed = self.tree(.index(encoder.index.id), root)
        var last: ArraySlice<UInt8> = []
        for entry in inserted where !entry.key.withUnsafeBytes({ encoder.hasNil($0) }) {
            let prefix = entry.key.dropLast(IndexKey.rowByteCount)
            // Entries with the same values follow each other.
            guard prefix != last else { continue }
            last = prefix
            let ranks = try changed.ranks(withPrefix: Array(prefix))
            guard ranks.count > 1 else { continue }
            var check = UniqueCheck(encoder, table)
            try changed.forEach(in: ranks) { key, _ throws(StoreError) in
                try check.add(key)
                return true
            }
        }
        return root
    }
}

/// A merge of the entries of a tree with sorted changes into another tree, which frees the old one.
private struct TreeMerge {
    private let tree: Tree
    private var builder: TreeBuilder
    private var leaf: Tree.Leaf?
    private var rank: UInt64 = 0

    init(_ tree: Tree) {
        self.tree = tree
        builder = TreeBuilder(name: tree.name)
    }

    /// Copies the entries before a key, and omits an entry with the same key.
    mutating func copy(
        before key: UnsafeRawBufferPointer, _ check: inout UniqueCheck?,
        _ writer: inout PageWriter
    ) throws(StoreError) {
        while rank < tree.count {
            let (entries, index) = try current()
            let order = entries.withEntry(at: index) { own, _ in KeyOrder.order(own, key) }
            guard order != .greater else { return }
            if order == .less { try copy(entries, index, &check, &writer) }
            rank += 1
        }
    }

    mutating func add(
        _ key: UnsafeRawBufferPointer, _ writer: inout PageWriter
    ) throws(StoreError) {
        try builder.append(key: key, value: .none, to: &writer)
    }

    /// Copies the rest.
    mutating func finish(
        _ check: inout UniqueCheck?, _ writer: inout PageWriter
    ) throws(StoreError) -> TreeRoot? {
        while rank < tree.count {
            let (entries, index) = try current()
            try copy(entries, index, &check, &writer)
            rank += 1
        }
        try TreeRewriter(tree).freeAll(&writer)
        return try builder.finish(&writer)
    }

    private mutating func copy(
        _ entries: TreeEntries, _ index: Int, _ check: inout UniqueCheck?,
        _ writer: inout PageWriter
    ) throws(StoreError) {
        try entries.withEntry(at: index) { key, value throws(StoreError) in
            try check?.add(key)
            try builder.append(key: key, value: value, to: &writer)
        }
    }

    private mutating func current() throws(StoreError) -> (entries: TreeEntries, index: Int) {
        if let leaf, rank < leaf.end { return (leaf.entries, Int(rank - leaf.start)) }
        let leaf = try tree.leaf(holding: rank)
        self.leaf = leaf
        return (leaf.entries, Int(rank - leaf.start))
    }
}
