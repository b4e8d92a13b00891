import FirnValues

/// The next root while a compaction makes it: the same content in other places.
struct CompactionStep {
    let store: Store
    /// The newest root.
    let root: Root
    var catalog: Catalog
    /// The versions of freezes that stand in the log and in no root yet.
    let loggedFreezes: [LSN]
    var writer: PageWriter

    init(_ store: Store, _ newest: Snapshot, _ writer: PageWriter) {
        self.store = store
        root = newest.root
        loggedFreezes = newest.overlay?.freezes.added.map(\.version) ?? []
        catalog = root.catalog
        self.writer = writer
    }

    /// A class as the step has it so far; `nil` if it is gone.
    func table(_ id: ClassID) -> Table? {
        catalog[id].map { Table(root: $0, store.pages) }
    }

    /// All classes as the step has them so far.
    var tables: [Table] { catalog.classes.map { Table(root: $0, store.pages) } }

    /// Replaces row groups of a class.
    ///
    /// - Parameter large: what becomes of large collections, if anything.
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
    /// The units that every root of a compaction writes again: they never come to rest.
    var bookkeepingUnitCount: UInt64 {
        let superblock = root.superblock
        let blobs = [superblock.catalog, superblock.freeSpace, superblock.history]
        let extents = blobs.compactMap { $0?.extent } + writer.history.freezes.extents
        return extents.reduce(0) { $0 + $1.length }
    }
}

extension Table {
    /// A class as a root has it, without what was committed since.
    init(root record: ClassRecord, _ pages: PageStore) {
        self.init(
            record: record, overlay: nil,
            directory: Directory(root: record.directory, schema: record.schema, pages: pages))
    }
}
