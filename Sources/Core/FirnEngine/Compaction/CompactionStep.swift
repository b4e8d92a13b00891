import FirnValues

/// The next root during a compaction: the same content at other locations.
struct CompactionStep {
    let store: Store
    /// The newest root.
    let root: Root
    var catalog: Catalog
    /// The versions of freezes that are in the log and in no root yet.
    let loggedFreezes: [LSN]
    var writer: PageWriter

    init(_ store: Store, _ newest: Snapshot, _ writer: PageWriter) {
        self.store = store
        root = newest.root
        loggedFreezes = newest.overlay?.freezes.added.map(\.version) ?? []
        catalog = root.catalog
        self.writer = writer
    }

    /// Returns a class in the current state of the step, or `nil` if it was removed.
    func table(_ id: ClassID) -> Table? {
        catalog[id].map { Table(root: $0, store.pages) }
    }

    /// All classes in the current state of the step.
    var tables: [Table] { catalog.classes.map { Table(root: $0, store.pages) } }

    /// Replaces row groups of a class.
    ///
    /// - Parameter large: The changes to large collections, if any.
    mutating func apply(
        _ edits: DirectoryEdits, _ large: CollectionChanges = CollectionChanges(), to table: Table
    ) throws(StoreError) {
        var record = table.record
        var rewriter = DirectoryRewriter(table.directory, edits)
        record.directory = try rewriter.rewrite(&writer)
        let added = edits.replaced.values.reduce(0) { $0 + $1.count } - edits.replaced.count
        record.groupCount =
            added < 0
            ? record.groupCount &- min(record.groupCount, UInt64(added.magnitude))
            : record.groupCount &+ UInt64(added)
        if !large.isEmpty {
            let fold = IndexFold(table: table, old: record, changes: ClassOverlay(), store: store)
            record.collectionTrees = try fold.collectionTrees(large, &writer)
        }
        catalog[record.schema.id] = record
    }
}

extension CompactionStep {
    /// The number of units that every root of a compaction rewrites, so that they always move.
    var bookkeepingUnitCount: UInt64 {
        let superblock = root.superblock
        let blobs = [superblock.catalog, superblock.freeSpace, superblock.history]
        let extents = blobs.compactMap { $0?.extent } + writer.history.freezes.extents
        return extents.reduce(0) { $0 + $1.length }
    }
}

extension Table {
    /// Creates the table of a class in a root, without later commits.
    init(root record: ClassRecord, _ pages: PageStore) {
        self.init(
            record: record, overlay: nil,
            directory: Directory(root: record.directory, schema: record.schema, pages: pages))
    }
}
