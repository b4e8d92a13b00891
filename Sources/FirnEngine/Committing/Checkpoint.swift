import FirnPlatform
package import FirnValues

/// Folding the log into pages while others write.
///
///     writer lock   take the newest version; change to the other segment, if that is free
///     checkpoint    fold what the log has over the root into pages, flip the superblock
///                   (readers and writers go on; who allocates pages waits)
///
/// How far the log is folded stands in the durable root and nowhere else: a checkpoint that dies
/// leaves pages that no root leads to, one that came through needs nothing else to be known. A
/// segment is used again only once a root that is known to be on disk has all of it.
extension Store {
    /// Folds what the log has into pages.
    ///
    /// - Returns: the version that the newest root has; `nil` if the file has no log, or another
    ///   checkpoint is on its way.
    /// - Throws: ``StoreError`` with `lockHeld`, `diskFull`, `inputOutput`, `poisoned`. Nothing is lost:
    ///   the log stays.
    /// - Complexity: O(row groups touched since the last checkpoint)
    @discardableResult
    package func checkpoint(
        waitNanoseconds: UInt64 = 5_000_000_000
    ) throws(StoreError) -> LSN? {
        try checkProcess()
        try checkWritable()
        guard let session = state.withLock({ $0.session }), session.isWriter else { return nil }
        try take(
            rights.writer, LockMap.writer, waitNanoseconds: waitNanoseconds,
            work: "writing to the database")
        let head: LogHead?
        do throws(StoreError) {
            head = try beginCheckpoint(session)
        } catch {
            releaseWriter()
            throw error
        }
        releaseWriter()
        guard let head else { return nil }
        defer { giveBack(rights.checkpoint) }
        return try fold(head, session, endsLog: false)
    }

    /// Takes the checkpoint right and the version to fold, under the writer lock.
    ///
    /// - Returns: `nil` if there is nothing to fold, or somebody else is folding.
    private func beginCheckpoint(_ session: LogAttachment) throws(StoreError) -> LogHead? {
        if session.region.isClosed { return nil }
        if session.region.hasFailed { throw poisonAfterFailedSync() }
        guard try tryTakeCheckpoint() else { return nil }
        do throws(StoreError) {
            if let head = try headToFold(session) { return head }
        } catch {
            giveBack(rights.checkpoint)
            throw error
        }
        giveBack(rights.checkpoint)
        return nil
    }

    /// The version to fold, after which the log goes on in the other segment; under the writer lock
    /// and the checkpoint right.
    ///
    /// - Parameter mayUseReserve: whether that segment may take the place of the reserve of the log.
    /// - Returns: `nil` if there is nothing to fold.
    func headToFold(
        _ session: LogAttachment, mayUseReserve: Bool = false
    ) throws(StoreError) -> LogHead? {
        guard let head = try newestHeadForPages(session),
            head.lsn > head.snapshot.root.superblock.lsn
        else { return nil }
        try session.changeSegmentIfFree(head, mayUseReserve: mayUseReserve)
        return head
    }

    /// The version of the tail on the newest root; under the writer lock and the checkpoint right.
    ///
    /// Whoever writes pages must know the newest root itself: a checkpoint that died may have
    /// changed it without telling.
    func newestHeadForPages(_ session: LogAttachment) throws(StoreError) -> LogHead? {
        let newest = try readSuperblock().newest
        let known = state.withLock { $0.root?.superblock.rootVersion } ?? newest.rootVersion
        guard newest.fileID == pages.fileID, newest.rootVersion >= known else {
            throw .corrupt(path, "the database was overwritten while it was open")
        }
        if newest.rootVersion > session.region.root {
            session.region.noteRoot(newest.rootVersion, newest.lsn)
        }
        guard let head = try session.newestHead() else { return nil }
        try session.checkLastSegment()
        return head
    }

    func tryTakeCheckpoint() throws(StoreError) -> Bool {
        do throws(PlatformError) {
            return try rights.checkpoint.tryTake()
        } catch {
            throw StoreError(error, doing: "lock the database for a checkpoint")
        }
    }

    /// Makes a version the newest root; with the checkpoint right.
    ///
    /// - Parameters:
    ///   - endsLog: whether the file holds everything afterwards; only with the session and the
    ///     writer lock exclusively. The blocks of the log make up for what it takes of the reserve.
    ///   - thrift: more than none to make room for a commit that only removes.
    @discardableResult
    func fold(
        _ head: LogHead, _ session: LogAttachment, endsLog: Bool, _ thrift: Thrift = .none
    ) throws(StoreError) -> LSN {
        let root = head.snapshot.root
        let frames = try session.log.frames(since: root.superblock, through: head.lsn)
        var writer = try pageWriter(for: root)
        writer.savesSpace = thrift == .utmost
        var catalog = root.catalog
        if let overlay = head.snapshot.overlay {
            catalog = try Fold(base: head.snapshot, overlay: overlay, store: self).write(&writer)
        }
        // A log that ends before the root would look like the log of another day.
        if session.region.synced < head.lsn {
            try session.sync(head.place.segment)
            session.region.noteSynced(head.lsn)
            session.region.announceSync()
        }
        var change = RootChange(
            lsn: head.lsn, chain: head.place.chain, frames: frames, hasLog: !endsLog,
            logGeneration: session.log.generation,
            logSegment: endsLog ? 0 : session.knownTail?.segment ?? head.place.segment,
            freezes: head.snapshot.overlay?.freezes ?? FreezeEdits())
        change.mayUseReserve = endsLog
        if thrift != .none {
            try allowReserve(&change, fileEnd: writer.fileEnd)
        }
        let new = try RootPublisher(store: self, root: root).publish(catalog, change, writer)
        state.withLock { $0.root = new }
        if !endsLog { session.region.noteRoot(new.superblock.rootVersion, new.superblock.lsn) }
        return new.superblock.lsn
    }
}

extension Store {
    /// Makes sure that a root is on disk, whoever flipped to it.
    func confirmRoot(_ root: Root) throws(StoreError) {
        guard state.withLock({ $0.durableVersion }) != root.superblock.rootVersion else { return }
        try RootPublisher(store: self, root: root).confirm()
    }
}
