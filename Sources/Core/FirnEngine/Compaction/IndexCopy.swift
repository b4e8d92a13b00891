import FirnCodec
import FirnPlatform
import FirnValues
import HashTreeCollections

/// A writer of the key index, the link indexes and the indexes of a class into another database.
///
/// An index of the source is already sorted: it is read in order, and the changes of the overlay
/// are merged in. Only entries that are in no index of the source are sorted.
struct IndexCopy {
    let table: Table
    let target: Store

    private var schema: ClassSchema { table.schema }
    private var pages: PageStore { table.directory.pages }

    /// A fold of a class that is in no root, so it frees no pages.
    private var fold: IndexFold {
        IndexFold(table: table, old: nil, changes: table.overlay ?? ClassOverlay(), store: target)
    }

    // MARK: Keys

    /// Returns the key index, or none if the keys of the remaining rows ascend.
    func keyIndex(_ writer: inout PageWriter) throws(StoreError) -> KeyIndex {
        guard let property = schema.keyProperty else { return .ascending }
        let changes = table.overlay?.keys ?? .ascending
        if case .ascending = changes, case .ascending = table.record.keyIndex { return .ascending }
        let search = DuplicateKeySearch(groups: try table.rowGroups(), key: property)
        if try search.isAscending() { return .ascending }
        guard case .tree = table.record.keyIndex else {
            return try fold.builtKeyIndex(property, &writer)
        }
        var edits: [TreeEdit<RowID?>] = []
        switch changes {
        case .ascending: break
        case .unlisted: return try fold.builtKeyIndex(property, &writer)
        case .listed(let list):
            for (key, row) in list {
                guard let bytes = TreeKey.primary(key, mayBeNull: property.type.isOptional) else {
                    continue
                }
                edits.append(TreeEdit(key: bytes, change: row))
            }
        }
        let copied = try table.tree(.keys).copied(with: edits, to: &writer) { row, _ in
            row?.indexBytes
        }
        return .tree(copied)
    }

    // MARK: Links

    /// Returns the link indexes of all properties that have one.
    func linkIndexes(_ writer: inout PageWriter) throws(StoreError) -> [PropertyID: TreeRoot] {
        var indexes: [PropertyID: TreeRoot] = [:]
        for property in schema.properties where property.mayLink {
            indexes[property.id] = try linkIndex(property, &writer)
        }
        return indexes
    }

    private func linkIndex(
        _ property: PropertySchema, _ writer: inout PageWriter
    ) throws(StoreError) -> TreeRoot? {
        var edits: [TreeEdit<Int>] = []
        switch table.overlay?.links[property.id] {
        case nil: break
        case .unlisted?: return try fold.builtLinkIndex(property, &writer)
        case .listed(let list)?:
            for (target, sources) in list {
                for (source, delta) in sources {
                    edits.append(
                        TreeEdit(
                            key: TreeKey.link(target: target, source: source), change: delta))
                }
            }
        }
        let tree = table.tree(.links(property.id))
        return try tree.copied(with: edits, to: &writer) { delta, old throws(StoreError) in
            var sum = delta
            if let old { sum += try tree.linkCount(old) }
            guard sum >= 0 else {
                throw .corrupt(pages.file.path, "the \(tree.name) misses a link")
            }
            return sum > 0 ? IndexFold.linkValue(count: sum) : nil
        }
    }

    // MARK: Indexes

    /// Returns the trees of all indexes.
    func indexTrees(_ writer: inout PageWriter) throws(StoreError) -> [IndexID: IndexTree] {
        var trees: [IndexID: IndexTree] = [:]
        for index in schema.indexes {
            trees[index.id] = .built(try indexTree(index, &writer))
        }
        return trees
    }

    private func indexTree(
        _ index: IndexSchema, _ writer: inout PageWriter
    ) throws(StoreError) -> TreeRoot? {
        let encoder = IndexEncoder(index, of: schema)
        guard case .built = table.record.indexTrees[index.id],
            let changes = try IndexChanges.of(table, encoder)
        else {
            var unchecked: UniqueCheck?
            return try fold.builtIndex(encoder, &unchecked, &writer)
        }
        var edits: [TreeEdit<Bool>] = []
        for (entries, isAdded) in [(changes.removed, false)] + changes.added.map({ ($0, true) }) {
            for position in 0..<entries.count {
                edits.append(TreeEdit(key: entries.key(at: position), change: isAdded))
            }
        }
        return try table.tree(.index(index.id)).copied(with: edits, to: &writer) { isAdded, _ in
            isAdded ? [] : nil
        }
    }
}
