import FirnPlatform
import FirnValues
import HashTreeCollections

/// The transformation of a root and an overlay into the catalog of a root with the same content and
/// no overlay.
///
/// It is the only way in which changes become pages: a direct commit and a checkpoint of the log
/// both end here.
struct Fold {
    let base: Snapshot
    let overlay: Overlay
    let store: Store
    /// The columns that the transaction has already written, whether in use or not.
    var written: [Extent] = []
    /// Whether this is the commit of a transaction, so that the values of unique indexes are
    /// checked.
    var checksUnique = false

    /// Writes the changes.
    ///
    /// - Returns: The catalog of the new root, which the caller publishes.
    func write(_ writer: inout PageWriter) throws(StoreError) -> Catalog {
        var catalog = overlay.catalog
        let snapshot = base.with(overlay)
        for old in base.root.catalog.classes where catalog[old.schema.id] == nil {
            try free(old, &writer)
        }
        var used: Set<Extent> = []
        for record in overlay.catalog.classes {
            guard let table = snapshot.table(record.schema.id) else { continue }
            catalog[record.schema.id] = try fold(table, &used, &writer)
        }
        for extent in written where !used.contains(extent) { writer.space.giveBack(extent) }
        return catalog
    }

    /// Folds one class.
    ///
    /// - Parameter used: Receives the columns that the transaction has written and that stay.
    private func fold(
        _ table: Table, _ used: inout Set<Extent>, _ writer: inout PageWriter
    ) throws(StoreError) -> ClassRecord {
        var record = table.record
        let changes = overlay.classes[record.schema.id] ?? ClassOverlay()
        let old = base.root.catalog[record.schema.id]
        let indexes = IndexFold(table: table, old: old, changes: changes, store: store)
        // The indexes come first: they are derived from the rows of the overlay, and a page of rows
        // that this transaction wrote may be overwritten once the rows are folded.
        record.keyIndex = try indexes.keyIndex(&writer)
        record.linkIndexes = try indexes.linkIndexes(&writer)
        record.indexTrees = try indexes.indexTrees(checksUnique: checksUnique, &writer)
        var largeCollections = CollectionChanges()
        if overlay.classes[record.schema.id] != nil {
            var folding = ClassFold(table: table, changes: changes, options: store.options)
            record.directory = try folding.write(&writer)
            record.nextRowID = overlay.nextRowID(of: record)
            record.liveRowCount = UInt64(clamping: table.liveRowCount)
            record.groupCount =
                folding.groupDelta < 0
                ? record.groupCount &- min(record.groupCount, folding.groupDelta.magnitude)
                : record.groupCount &+ folding.groupDelta.magnitude
            largeCollections = folding.largeCollections
            used.formUnion(folding.usedColumns)
        }
        record.collectionTrees = try indexes.collectionTrees(largeCollections, &writer)
        return record
    }

    /// Frees all pages of a removed class.
    private func free(_ old: ClassRecord, _ writer: inout PageWriter) throws(StoreError) {
        let directory = Directory(root: old.directory, schema: old.schema, pages: base.pages)
        var nodes = [old.directory].compactMap { $0 }
        while let next = nodes.popLast() {
            writer.space.free(next.reference.extent)
            switch try directory.load(next.reference, level: next.level).content {
            case .groups(let groups):
                for extent in groups.flatMap(\.extents) { writer.space.free(extent) }
            case .children(let children):
                nodes += children.map {
                    DirectoryRoot(reference: $0.reference, level: next.level - 1)
                }
            }
        }
        for slot in old.treeSlots {
            try TreeRewriter(old.tree(slot, in: base.pages)).freeAll(&writer)
        }
    }
}
