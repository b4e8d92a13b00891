import FirnCodec
import FirnPlatform
import FirnValues

extension Store {
    /// Writes a version as a separate database, as small as possible.
    ///
    /// The identities of classes, properties and objects, and the version, are those of the
    /// original. The file has another identity, no history and no freezes. Memory does not grow
    /// with the size of the database, apart from the directory of row groups of one class.
    ///
    /// - Parameter progress: Called after each row group; returns `false` to cancel the copy.
    /// - Throws: ``StoreError`` with `exists` if there is a file at the path; no partial copy
    ///   remains.
    /// - Returns: The size of the copy in bytes; `nil` if it was cancelled, and no partial copy
    ///   remains.
    /// - Complexity: O(size of the version)
    @discardableResult
    package func copy(
        _ snapshot: Snapshot, to target: String,
        _ options: CompactionOptions = CompactionOptions(),
        progress: (CompactionProgress) -> Bool = { _ in true }
    ) throws(StoreError) -> UInt64? {
        try checkProcess()
        var copyOptions = self.options
        copyOptions.rowsPerGroup = Int(snapshot.root.superblock.rowsPerGroup)
        copyOptions.compression = options.compression
        copyOptions.history = .off
        let creation = try Store.create(target, services: services, options: copyOptions)
        let copy = creation.store
        let empty = try copy.snapshot().root
        var writer = try copy.pageWriter(for: empty)
        let catalog = try SnapshotCopy(snapshot: snapshot, target: copy).write(&writer, progress)
        guard let catalog else { return nil }
        let change = RootChange(
            lsn: snapshot.version, chain: snapshot.root.superblock.chain, frames: [],
            hasLog: false, logGeneration: 0, keepsHistory: false)
        let root = try RootPublisher(store: copy, root: empty).publish(catalog, change, writer)
        copy.state.withLock { $0.root = root }
        try creation.publish()
        return root.superblock.fileByteCount
    }
}

/// A writer of the whole content of a snapshot into an empty database.
///
/// Rows are written in the order of their ids, trees in the order of their keys: every page is full
/// and follows the previous one. The memory holds one row group of the source, the one being
/// filled, and the directory of one class.
struct SnapshotCopy {
    let snapshot: Snapshot
    /// The empty database.
    let target: Store

    /// Writes the pages.
    ///
    /// - Parameter progress: Called after each row group and tree; returns `false` to cancel the
    ///   copy.
    /// - Returns: The catalog of the copy, or `nil` if the copy was cancelled.
    func write(
        _ writer: inout PageWriter, _ progress: (CompactionProgress) -> Bool
    ) throws(StoreError) -> Catalog? {
        let total = try byteCount()
        var done: UInt64 = 0
        var catalog = snapshot.catalog
        // Freezes name versions that the copy does not have.
        catalog.freezes = []
        for record in snapshot.catalog.classes {
            guard let table = snapshot.table(record.schema.id) else { continue }
            let copied = try ClassCopy(table: table, target: target).write(&writer) { byteCount in
                done = min(total, done &+ byteCount)
                return progress(CompactionProgress(doneByteCount: done, totalByteCount: total))
            }
            guard let copied else { return nil }
            catalog[record.schema.id] = copied
        }
        return catalog
    }

    /// Returns the approximate number of bytes to read.
    private func byteCount() throws(StoreError) -> UInt64 {
        var sum: UInt64 = 0
        for record in snapshot.catalog.classes {
            guard let table = snapshot.table(record.schema.id) else { continue }
            for view in try table.rowGroups() { sum &+= view.byteCount }
            for slot in record.treeSlots {
                sum &+= try table.tree(slot).storedByteCount()
            }
        }
        return sum
    }
}

extension RowGroupView {
    /// The size of its pages on disk, or in memory if the group is not on disk yet.
    var byteCount: UInt64 {
        switch source {
        case .stored(let group): group.extents.reduce(0) { $0 &+ $1.byteCount }
        case .memory(let group): UInt64(clamping: group.memoryByteCount)
        }
    }
}
