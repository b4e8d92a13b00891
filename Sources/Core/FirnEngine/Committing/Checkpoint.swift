import FirnPlatform
package import FirnValues

/// The checkpoint, which folds the log into pages while other transactions read and write.
///
///     writer lock   take the newest version; switch to the other segment, if it is free
///     checkpoint    fold the commits after the root into pages, flip the superblock
///                   (readers and writers continue; a writer that allocates pages waits)
///
/// Only the durable root records how far the log is folded. A checkpoint that dies leaves pages
/// that no root references, and a checkpoint that completes needs no further record. A segment is
/// reused only after a root that is known to be on disk contains all of its commits.
extension Store {
    /// Folds the commits of the log into pages.
    ///
    /// - Returns: The version of the newest root; `nil` if the file has no log or another
    ///   checkpoint is running.
    /// - Throws: ``StoreError`` with `lockHeld`, `diskFull`, `inputOutput` or `poisoned`. No data
    ///   is lost: the log stays.
    /// - Complexity: O(row groups touched since the last checkpoint)
    @discardableResult
    package func checkpoint(
        waitNanoseconds: UInt64 = 5_000_000_000
    ) throws(StoreError) -> LSN? {
        try checkProcess()
        try checkWritable()
        guard let attachment = state.withLock({ $0.attachment }), attachment.isWriter else {
            return nil
        }
        try take(
            locks.writer, LockMap.writer, waitNanoseconds: waitNanoseconds,
            work: "writing to the database")
        guard let head = try beginCheckpoint(attachment) else { return nil }
        defer { giveBack(locks.checkpoint) }
        return try fold(head, attachment, endsLog: false)
    }

    /// Takes the checkpoint lock and the version to fold, and releases the writer lock.
    ///
    /// - Returns: `nil` if there is nothing to fold or another checkpoint is running.
    private func beginCheckpoint(_ attachment: LogAttachment) throws(StoreError) -> LogHead? {
        defer { releaseWriter() }
        if attachment.region.isClosed { return nil }
        if attachment.region.hasFailed { throw poisonAfterFailedSync() }
        guard try tryTakeCheckpoint() else { return nil }
        let head = try attempt(
            headToFold(attachment), onFailure: { _ in giveBack(locks.checkpoint) })
        if head == nil { giveBack(locks.checkpoint) }
        return head
    }

    /// Returns the version to fold, after which the log continues in the other segment; under the
    /// writer lock and the checkpoint lock.
    ///
    /// - Parameter mayUseReserve: whether that segment may use the reserve of the log.
    func headToFold(
        _ attachment: LogAttachment, mayUseReserve: Bool = false
    ) throws(StoreError) -> LogHead? {
        guard let head = try newestHeadForPages(attachment),
            head.lsn > head.snapshot.root.superblock.lsn
        else { return nil }
        try attachment.changeSegmentIfFree(head, mayUseReserve: mayUseReserve)
        return head
    }

    /// Returns the version of the tail, based on the newest root; under the writer lock and the
    /// checkpoint lock.
    ///
    /// The caller holds the writer lock and the checkpoint lock. A writer of pages must know the
    /// newest root itself, because a checkpoint that died may have published a root without
    /// announcing it.
    func newestHeadForPages(_ attachment: LogAttachment) throws(StoreError) -> LogHead? {
        let newest = try readSuperblock().newest
        let known = state.withLock { $0.root?.superblock.rootVersion } ?? newest.rootVersion
        guard newest.fileID == pages.fileID, newest.rootVersion >= known else {
            throw .corrupt(path, "the database was overwritten while it was open")
        }
        if newest.rootVersion > attachment.region.root || newest.lsn > attachment.region.rootLSN {
            attachment.region.noteRoot(newest.rootVersion, newest.lsn)
        }
        try attachment.settleChangedRoot()
        try attachment.settleChangedSegment()
        guard let head = try attachment.newestHead() else { return nil }
        try attachment.checkLastSegment()
        // The pages of a newer root must not count as free.
        guard head.rootVersion >= newest.rootVersion else { throw contradiction }
        return head
    }

    func tryTakeCheckpoint() throws(StoreError) -> Bool {
        try attempt(locks.checkpoint.tryTake(), to: "lock the database for a checkpoint")
    }

    /// Publishes a version as the newest root, under the checkpoint lock.
    ///
    /// - Parameter endsLog: Whether the database file alone holds everything afterwards. This
    ///   requires the exclusive session lock and the writer lock.
    @discardableResult
    func fold(
        _ head: LogHead, _ attachment: LogAttachment, endsLog: Bool, _ thrift: Thrift = .none
    ) throws(StoreError) -> LSN {
        let root = head.snapshot.root
        let frames = try attachment.log.frames(since: root.superblock, through: head.lsn)
        var writer = try pageWriter(for: root)
        writer.savesSpace = thrift == .utmost
        var catalog = root.catalog
        if let overlay = head.snapshot.overlay {
            catalog = try Fold(base: head.snapshot, overlay: overlay, store: self).write(&writer)
        }
        // If the log ended before the root, recovery would take it for a log of another time.
        if attachment.region.synced < head.lsn {
            try attachment.sync(head.address.segment)
            attachment.noteSynced(head.lsn)
            attachment.region.announceSync()
        }
        var change = RootChange(
            lsn: head.lsn, chain: head.address.chain, frames: frames, hasLog: !endsLog,
            logGeneration: attachment.log.generation,
            logSegment: endsLog ? 0 : attachment.knownTail?.segment ?? head.address.segment,
            freezes: head.snapshot.overlay?.freezes ?? FreezeEdits())
        change.mayUseReserve = endsLog
        if thrift != .none {
            try allowReserve(&change, fileEnd: writer.fileEnd)
        }
        let new = try RootPublisher(store: self, root: root).publish(catalog, change, writer)
        state.withLock { $0.root = new }
        if !endsLog { attachment.region.noteRoot(new.superblock.rootVersion, new.superblock.lsn) }
        return new.superblock.lsn
    }
}

extension Store {
    /// Ensures that a root is on disk, whichever process published it.
    func confirmRoot(_ root: Root) throws(StoreError) {
        guard state.withLock({ $0.durableVersion }) != root.superblock.rootVersion else { return }
        try RootPublisher(store: self, root: root).confirm()
    }
}
