import FirnPlatform
import FirnValues

extension Store {
    /// Runs code that writes pages of the next root, under the writer lock and the checkpoint lock.
    ///
    /// - Parameters:
    ///   - waitNanoseconds: The time to wait for another writer.
    ///   - body: Receives the newest version and a page writer for the successor of its root, which
    ///     it publishes itself.
    /// - Throws: ``StoreError`` like ``beginWrite(waitNanoseconds:)``, and the errors of the body.
    func withCheckpointLock<Result>(
        waitNanoseconds: UInt64,
        _ body: (Snapshot, PageWriter) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        guard !isReadOnly else {
            throw StoreError(.readOnly, path: path, detail: "the database is open for reading only")
        }
        try checkProcess()
        try acquireWriter(waitNanoseconds: waitNanoseconds)
        defer { releaseWriter() }
        try checkName()
        let pages = try openPages(for: try writingBase(), waitNanoseconds: waitNanoseconds)
        try checkFeatures(pages.base.root.superblock)
        return try body(pages.base, pages.writer)
    }

    /// Publishes a root with the same version and content as the newest, at other locations.
    ///
    /// It must be called within ``withCheckpointLock(waitNanoseconds:_:)``. Commits that are in a
    /// log stay there.
    ///
    /// - Parameter loggedFreezes: The versions of freezes that stay in the log.
    func republish(
        _ root: Root, as catalog: Catalog, loggedFreezes: [LSN], _ writer: PageWriter
    ) throws(StoreError) -> Root {
        let old = root.superblock
        var change = RootChange(
            lsn: old.lsn, chain: old.chain, frames: [], hasLog: old.hasLog,
            logGeneration: old.logGeneration, logSegment: old.logSegment, keepsHistory: false,
            loggedFreezes: loggedFreezes)
        // It gives up history, or goes where the end of the file can be cut off.
        change.mayUseReserve = true
        let new = try RootPublisher(store: self, root: root).publish(catalog, change, writer)
        let attachment = state.withLock { state in
            state.root = new
            return state.attachment
        }
        if let attachment, attachment.isWriter {
            attachment.region.noteRoot(new.superblock.rootVersion, new.superblock.lsn)
        }
        return new
    }
}
