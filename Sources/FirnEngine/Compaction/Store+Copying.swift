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
