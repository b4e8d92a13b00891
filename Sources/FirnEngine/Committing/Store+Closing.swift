import FirnPlatform
import FirnValues

extension Store {
    /// The time that the last closer waits for a transaction that is open at that moment.
    private static let closingWaitNanoseconds: UInt64 = 2_000_000_000

    /// Ends all use of the file through this handle; existing snapshots stay readable.
    ///
    /// If no other process has the log open, the log is folded and removed: at rest a database is a
    /// single file. Further calls do nothing.
    ///
    /// - Throws: ``StoreError`` if the log could not be folded, for example `diskFull`. No data is
    ///   lost: the log stays beside the file, and the next process that opens the database
    ///   continues with it.
    package func close() throws(StoreError) {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst, generation.isCurrent else { return }
        checkpointer.withLock { $0.take() }?.stop()
        guard let session = state.withLock({ $0.session }), session.isWriter else { return }
        defer { leave(session) }
        // After a failed sync, nothing that the system reports is reliable.
        guard state.withLock({ $0.poison }) == nil, !session.region.hasFailed else { return }
        do throws(StoreError) {
            try take(
                rights.writer, LockMap.writer, waitNanoseconds: Store.closingWaitNanoseconds,
                work: "writing to the database")
        } catch {
            // Another process is writing and therefore has the log open; that process closes it.
            guard error.code == .lockHeld else { throw error }
            return
        }
        defer {
            // The order matters: the next closer must find the session lock free.
            leave(session)
            rights.writer.release()
            session.region.signalWriterRelease()
        }
        // Meanwhile a sync may have failed, and another process may have recovered the log.
        guard !session.region.isClosed, !session.region.hasFailed else { return }
        // The session lock is tested only under the writer lock, so that one of two closers is the
        // last.
        guard try tryLockSession(.exclusive) else { return }
        try endLog(session)
    }

    /// Folds everything and removes the log, under the writer lock and the exclusive session lock.
    private func endLog(_ session: LogAttachment) throws(StoreError) {
        guard try tryTakeCheckpoint() else { return }
        defer { rights.checkpoint.release() }
        try foldAndRemoveLog(session)
    }

    /// The same with the checkpoint right.
    ///
    /// - Parameter thrift: more than none to make room for a commit that only removes.
    func foldAndRemoveLog(
        _ session: LogAttachment, _ thrift: Thrift = .none
    ) throws(StoreError) {
        guard let head = try newestHeadForPages(session) else { return }
        // From here on readers look at the files, so the shared memory must not be ahead of them.
        try session.sync(head.place.segment)
        session.region.noteSynced(head.lsn)
        session.region.close()
        do throws(StoreError) {
            try fold(head, session, endsLog: true, thrift)
        } catch {
            if state.withLock({ $0.poison }) == nil { session.region.reopen() }
            throw error
        }
        // The superblock no longer names these files, so a file that stays does no harm.
        try? session.log.removeOwnFiles()
        if let end = state.withLock({ $0.root?.superblock.fileByteCount }) {
            settleReserve(behind: end)
        }
    }
}
