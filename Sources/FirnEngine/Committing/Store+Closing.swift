import FirnPlatform
import FirnValues

extension Store {
    /// How long the last closer waits for those who write at this moment.
    private static let closingWaitNanoseconds: UInt64 = 2_000_000_000

    /// Ends all use of the file through this handle; snapshots that were taken stay readable.
    ///
    /// If nobody else has the log open, it is folded and removed: at rest a database is one file.
    /// Calling it again does nothing.
    ///
    /// - Throws: ``StoreError`` if the log could not be folded, such as `diskFull`. Nothing is lost:
    ///   the log stays beside the file, and whoever opens it next goes on with it.
    package func close() throws(StoreError) {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst, generation.isCurrent else { return }
        checkpointer.withLock { $0.take() }?.stop()
        guard let session = state.withLock({ $0.session }), session.isWriter else { return }
        defer { leave(session) }
        // After a failed sync nothing that the system shows is certain.
        guard state.withLock({ $0.poison }) == nil, !session.region.hasFailed else { return }
        do throws(StoreError) {
            try take(
                rights.writer, LockMap.writer, waitNanoseconds: Store.closingWaitNanoseconds,
                work: "writing to the database")
        } catch {
            // Somebody writes, and so has the log open, too: it is theirs to close.
            guard error.code == .lockHeld else { throw error }
            return
        }
        defer {
            // In this order: the next closer must find the session lock free.
            leave(session)
            rights.writer.release()
            session.region.signalWriterRelease()
        }
        // Meanwhile a sync may have failed, and the log may have been recovered by another process.
        guard !session.region.isClosed, !session.region.hasFailed else { return }
        // Only together with the writer lock, so that of two closers one is the last.
        guard try tryLockSession(.exclusive) else { return }
        try endLog(session)
    }

    /// Folds everything and removes the log; under the writer lock and the session lock,
    /// exclusively.
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
        // Readers look at the files from here on: what the memory says must not be newer.
        try session.sync(head.place.segment)
        session.region.noteSynced(head.lsn)
        session.region.close()
        do throws(StoreError) {
            try fold(head, session, endsLog: true, thrift)
        } catch {
            if state.withLock({ $0.poison }) == nil { session.region.reopen() }
            throw error
        }
        // The superblock does not name them any more: whatever stays is only in the way.
        try? session.log.removeOwnFiles()
        if let end = state.withLock({ $0.root?.superblock.fileByteCount }) {
            settleReserve(behind: end)
        }
    }
}
