import FirnCodec
import FirnPlatform
import FirnValues
import HashTreeCollections

/// A fold of the data derived from the rows of a class: key index, link indexes, and the trees of
/// large collections.
struct IndexFold {
    /// The class after the fold.
    let table: Table
    /// The class in the root; `nil` if it is new.
    let old: ClassRecord?
    let changes: ClassOverlay
    let store: Store

    var schema: ClassSchema { table.schema }
    private var pages: PageStore { table.directory.pages }

    // MARK: Keys

    func keyIndex(_ writer: inout PageWriter) throws(StoreError) -> KeyIndex {
        var base = KeyIndex.ascending
        if let old {
            if old.schema.key == schema.key {
                base = old.keyIndex
            } else {
                try free(.keys, old.keyIndex.root, &writer)
            }
        }
        guard let property = schema.keyProperty else { return .ascending }
        switch (changes.keys, base) {
        case (.ascending, _): return base
        case (.listed(let list), .tree(let root)) where !changes.rebuildsKeyIndex:
            return .tree(try applied(list, of: property, to: root, &writer))
        case (.listed(let list), .ascending) where list.isEmpty: return base
        case (.listed, _), (.unlisted, _):
            try free(.keys, base.root, &writer)
            return try builtKeyIndex(property, &writer)
        }
    }

    private func applied(
        _ list: TreeDictionary<Value, RowID?>, of property: PropertySchema, to root: TreeRoot?,
        _ writer: inout PageWriter
    ) throws(StoreError) -> TreeRoot? {
        var entries: [(key: [UInt8], row: RowID?)] = []
        for (key, row) in list {
            guard let bytes = TreeKey.primary(key, mayBeNull: property.type.isOptional) else {
                continue
            }
            entries.append((bytes, row))
        }
        entries.sort { KeyOrder.order($0.key, $1.key) == .less }
        var rewriter = TreeRewriter(tree(.keys, root))
        return try rewriter.applyKeyEdits(
            inserting: entries.compactMap { entry in
                entry.row.map { TreeEntry(key: entry.key, value: $0.indexBytes) }
            },
            deleting: entries.map(\.key), to: &writer)
    }

    /// Builds the index from the rows, unless their keys ascend and need no index.
    func builtKeyIndex(
        _ property: PropertySchema, _ writer: inout PageWriter
    ) throws(StoreError) -> KeyIndex {
        let groups = try table.rowGroups()
        if try DuplicateKeySearch(groups: groups, key: property).isAscendingIncludingDeleted() {
            return .ascending
        }
        var sorter = ExternalSorter(beside: store.path, services: store.services)
        for group in groups {
            let column = try group.column(property)
            let live = try group.liveRows()
            for row in 0..<group.rowCount where live.map({ $0[row] }) ?? true {
                let value = column.value(at: row)
                guard let key = TreeKey.primary(value, mayBeNull: property.type.isOptional) else {
                    continue
                }
                try sorter.append(
                    TreeEntry(key: key, value: try group.rowID(at: row).indexBytes))
            }
        }
        var builder = TreeBuilder(name: TreeSlot.keys.name(in: schema))
        try sorter.finish { key, value throws(StoreError) in
            try builder.append(key: key, value: value, to: &writer)
        }
        return .tree(try builder.finish(&writer))
    }

    // MARK: Links

    func linkIndexes(_ writer: inout PageWriter) throws(StoreError) -> [PropertyID: TreeRoot] {
        var indexes = table.record.linkIndexes
        for (id, root) in old?.linkIndexes ?? [:] where schema[id] == nil {
            try free(.links(id), root, &writer)
            indexes[id] = nil
        }
        for property in schema.properties where property.mayLink {
            switch changes.links[property.id] {
            case nil: break
            case .listed(let list)?:
                indexes[property.id] = try applied(
                    list, to: indexes[property.id], property, &writer)
            case .unlisted?:
                try free(.links(property.id), indexes[property.id], &writer)
                indexes[property.id] = try builtLinkIndex(property, &writer)
            }
        }
        return indexes
    }

    private func applied(
        _ list: TreeDictionary<ObjectReference, TreeDictionary<RowID, Int>>, to root: TreeRoot?,
        _ property: PropertySchema, _ writer: inout PageWriter
    ) throws(StoreError) -> TreeRoot? {
        var edits: [(key: [UInt8], delta: Int)] = []
        for (target, sources) in list {
            for (source, delta) in sources {
                edits.append((TreeKey.link(target: target, source: source), delta))
            }
        }
        edits.sort { KeyOrder.order($0.key, $1.key) == .less }
        let tree = tree(.links(property.id), root)
        var inserted: [TreeEntry] = []
        for edit in edits {
            let known = try root == nil ? nil : tree.value(forKey: edit.key)
            let count = try known.map { value throws(StoreError) in
                try value.withBytes { value throws(StoreError) in
                    try edit.key.withBytes { key throws(StoreError) in
                        try tree.link(key, value).count
                    }
                }
            }
            let sum = (count ?? 0) + edit.delta
            guard sum >= 0 else {
                throw .corrupt(pages.file.path, "the \(tree.name) misses a link")
            }
            if sum > 0 { inserted.append(IndexFold.link(edit.key, count: sum)) }
        }
        var rewriter = TreeRewriter(tree)
        return try rewriter.applyKeyEdits(
            inserting: inserted, deleting: edits.map(\.key), to: &writer)
    }

    func builtLinkIndex(
        _ property: PropertySchema, _ writer: inout PageWriter
    ) throws(StoreError) -> TreeRoot? {
        var sorter = ExternalSorter(beside: store.path, services: store.services)
        try table.forEachLink(of: property) { target, source throws(StoreError) in
            try sorter.append(TreeEntry(key: TreeKey.link(target: target, source: source)))
        }
        var builder = TreeBuilder(name: TreeSlot.links(property.id).name(in: schema))
        var last: [UInt8] = []
        var count = 0
        try sorter.finish { key, _ throws(StoreError) in
            let isSame = last.withBytes { KeyOrder.order($0, key) } == .equal
            if isSame {
                count += 1
                return
            }
            if count > 0 { try builder.append(IndexFold.link(last, count: count), to: &writer) }
            last = Array(key)
            count = 1
        }
        if count > 0 { try builder.append(IndexFold.link(last, count: count), to: &writer) }
        return try builder.finish(&writer)
    }

    /// Returns an entry of a link index with the number of links from a source to a target.
    private static func link(_ key: [UInt8], count: Int) -> TreeEntry {
        TreeEntry(key: key, value: linkValue(count: count))
    }

    /// Returns the value of an entry of a link index.
    static func linkValue(count: Int) -> [UInt8] {
        var writer = ByteWriter()
        writer.varint(UInt64(count))
        return writer.bytes
    }

    // MARK: Large collections

    func collectionTrees(
        _ large: CollectionChanges, _ writer: inout PageWriter
    ) throws(StoreError) -> [PropertyID: TreeRoot] {
        var trees = table.record.collectionTrees
        for (id, root) in old?.collectionTrees ?? [:] where schema[id] == nil {
            try free(.collections(id), root, &writer)
            trees[id] = nil
        }
        for property in schema.properties {
            guard let rows = large.changes[property.id] else { continue }
            let tree = tree(.collections(property.id), trees[property.id])
            var splices: [TreeSplice] = []
            for row in rows.keys.sorted() {
                guard let change = rows[row] else { continue }
                splices += try self.splices(change, row, in: tree)
            }
            var rewriter = TreeRewriter(tree)
            trees[property.id] = try rewriter.apply(splices, to: &writer)
        }
        return trees
    }

    private func splices(
        _ change: CollectionChanges.Change, _ row: RowID, in tree: Tree
    ) throws(StoreError) -> [TreeSplice] {
        let ranks = try tree.ranks(withPrefix: TreeKey.element(row: row))
        switch change {
        case .removed: return [TreeSplice(ranks: ranks, entries: [])]
        case .moved(let column, let index):
            return [try replacement(ranks, row, try column.value(at: index).collectionEntries)]
        case .replaced(.stored): return []
        case .replaced(.edited(let edited)):
            if case .stored = edited.base {
                return try edited.splices(row: row, firstRank: ranks.lowerBound)
            }
            return [try replacement(ranks, row, try edited.entries(in: 0..<edited.count))]
        }
    }

    private func replacement(
        _ ranks: Range<UInt64>, _ row: RowID, _ entries: [CollectionEntry]
    ) throws(StoreError) -> TreeSplice {
        TreeSplice(
            ranks: ranks,
            entries: try entries.map { entry throws(StoreError) in
                try entry.treeEntry(row: row, path: store.path)
            })
    }

    // MARK: Trees

    /// Returns a tree of the class with a given root.
    func tree(_ slot: TreeSlot, _ root: TreeRoot?) -> Tree {
        Tree(root: root, pages: pages, name: slot.name(in: schema))
    }

    func free(
        _ slot: TreeSlot, _ root: TreeRoot?, _ writer: inout PageWriter
    ) throws(StoreError) {
        try TreeRewriter(tree(slot, root)).freeAll(&writer)
    }
}
