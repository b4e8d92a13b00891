import FirnCodec
import FirnPlatform
import FirnValues

extension Store {
    /// Writes a version as a database of its own, as small as it can be.
    ///
    /// Identities of classes, properties and objects, and the version, are as in the original; the
    /// file has another identity, no history and no freezes. Memory does not grow with the size of
    /// the database, apart from the directory of row groups of one class.
    ///
    /// - Parameter progress: called after each row group; `false` ends the copy.
    /// - Throws: ``StoreError`` with `exists` if something stands at the path; nothing stays behind.
    /// - Returns: the size of the copy in bytes; `nil` if it was ended, and nothing stays behind.
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
