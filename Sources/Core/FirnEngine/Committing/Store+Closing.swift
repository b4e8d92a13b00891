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
        guard let attachment = state.withLock({ $0.attachment }), attachment.isWriter else {
            return
        }
        defer { leave(attachment) }
        // After a failed sync, nothing that the system reports is reliable.
        guard state.withLock({ $0.poison }) == nil, !attachment.region.hasFailed else { return }
        do throws(StoreError) {
            try take(
                locks.writer, LockMap.writer, waitNanoseconds: Store.closingWaitNanoseconds,
                work: "writing to the database")
        } catch {
            // Another process is writing and therefore has the log open; that process closes it.
            guard error.code == .lockHeld else { throw error }
            return
        }
        defer {
            // The order matters: the next closer must find the session lock free.
            leave(attachment)
            locks.writer.release()
            attachment.region.signalWriterRelease()
        }
        // Meanwhile a sync may have failed, and another process may have recovered the log.
        guard !attachment.region.isClosed, !attachment.region.hasFailed else { return }
        // The session lock is tested only under the writer lock, so that one of two closers is the
        // last.
        guard try tryLockSession(.exclusive) else { return }
        try endLog(attachment)
    }

    /// Folds everything and removes the log, under the writer lock and the exclusive session lock.
    private func endLog(_ attachment: LogAttachment) throws(StoreError) {
        guard try tryTakeCheckpoint() else { return }
        defer { locks.checkpoint.release() }
        try foldAndRemoveLog(attachment)
    }

    /// Folds everything and removes the log, under the writer lock, the exclusive session lock and
    /// the checkpoint lock.
    ///
    /// - Parameter thrift: more than none to make room for a commit that only removes.
    func foldAndRemoveLog(
        _ attachment: LogAttachment, _ thrift: Thrift = .none
    ) throws(StoreError) {
        guard let head = try newestHeadForPages(attachment) else { return }
        // From here on readers look at the files, so the shared memory must not be ahead of them.
        try attachment.sync(head.address.segment)
        attachment.noteSynced(head.lsn)
        attachment.region.close()
        _ = try attempt(
            fold(head, attachment, endsLog: true, thrift),
            onFailure: { _ in
                if state.withLock({ $0.poison }) == nil { attachment.region.reopen() }
            })
        // The superblock no longer names these files, so a file that stays does no harm.
        try? attachment.log.removeOwnFiles()
        if let end = state.withLock({ $0.root?.superblock.fileByteCount }) {
            settleReserve(behind: end)
        }
    }
}
