import FirnPlatform
import FirnValues

extension Store {
    /// Runs code that writes pages of the next root, which no other process does meanwhile.
    ///
    /// - Parameters:
    ///   - waitNanoseconds: how long to wait for another writer before giving up.
    ///   - body: gets the newest version and what writes the successor of its root; publishing that
    ///     is up to it.
    /// - Throws: ``StoreError`` as ``beginWrite(waitNanoseconds:)``, and what the body throws.
    func withCheckpointRight<Result>(
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

    /// Publishes a root with the same version and content as the newest, in other places.
    ///
    /// Only within ``withCheckpointRight(waitNanoseconds:_:)``. Commits that stand in a log stay
    /// there.
    ///
    /// - Parameter loggedFreezes: the versions of freezes that stay in the log.
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
        let session = state.withLock { state in
            state.root = new
            return state.session
        }
        if let session, session.isWriter {
            session.region.noteRoot(new.superblock.rootVersion, new.superblock.lsn)
        }
        return new
    }
}
