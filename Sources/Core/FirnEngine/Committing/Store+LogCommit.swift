import FirnPlatform
import FirnValues

/// Committing to the log.
extension Store {
    /// Commits the operations of a transaction to the log, up to step 4 under the writer lock.
    ///
    /// - Returns: `false` if a full disk required the removal of the log. The transaction is then
    ///   based on the root that has all commits of the log, and must be committed directly.
    func commitToLog(
        _ transaction: WriteTransaction, as lsn: LSN, _ attachment: LogAttachment
    ) throws(StoreError) -> Bool {
        let frame = attachment.frame(of: transaction, as: lsn, time: nowNanoseconds)

        // 1. The frame, after the tail of the newest segment. On a full disk, the log is folded
        //    first.
        //    Crash: a torn frame has no valid seal, so the log ends before it. A whole one counts,
        //    though it was not acknowledged: the next writer adopts it (newestHead()), or recovery.
        guard let tail = try write(frame, of: transaction, attachment) else { return false }

        // 2. The tail in the shared memory, in the copy that is not current; then that copy becomes
        //    current. From here on the commit is the base of the next writer, and no reader sees it.
        //    Crash: as in 1 before the last word, as in 4 after it. A loss of power loses only the
        //    shared memory, which recovery builds again from the frames.
        attachment.move(to: tail)
        let snapshot = transaction.base.with(
            transaction.overlay, version: lsn, chain: tail.chain)
        attachment.versionChain.withLock {
            $0.append(LogHead(snapshot: snapshot, address: tail.address))
        }

        // 3. The writer lock. The next writer appends while this commit waits for its sync.
        //    Crash: the system releases the lock.
        transaction.end()

        // 4. Observers prepare for the commit; see PendingCommit.
        //    Crash: the frame becomes durable with the next sync of any process. If there is none,
        //    recovery rewrites the frame and syncs it. It was not acknowledged.
        attachment.region.announceAppend()

        // 5. One sync for this frame and all others appended before it begins, by this process or
        //    another one; see Store+GroupCommit.
        //    Crash: as in 4, or durable if the sync was complete.
        //    Failed sync, in any process: no process commits until the log is recovered, which cuts
        //    off the frames after the last good sync. Their committers receive an error.
        try waitForSync(of: lsn, attachment)

        // 6. The commit is durable and acknowledged. The checkpoint folds it later.
        noteCommit(attachment)
        return true
    }
}

extension LogAttachment {
    /// Returns the changes of a transaction as the frame after the tail.
    func frame(of transaction: WriteTransaction, as lsn: LSN, time: Int64) -> Frame {
        Frame(
            kind: transaction.recorded == nil ? .root : .operations, lsn: lsn,
            durable: newestDurable, previous: (knownTail ?? region.tail).chain, time: time,
            writer: store.writerToken, operations: transaction.frameOperations)
    }

    /// Writes the frame of a transaction if enough disk space remains to fold it.
    ///
    /// - Parameter mayUseReserve: Whether the segment may grow on a full disk.
    /// - Returns: The tail that it makes; see ``write(_:mayUseReserve:)``.
    func write(
        _ frame: Frame, of transaction: WriteTransaction, mayUseReserve: Bool
    ) throws(StoreError) -> SharedLogState.Tail {
        // Another thread's sync may have failed since this transaction began.
        if region.hasFailed { throw store.poisonAfterFailedSync() }
        if !transaction.onlyRemoves {
            try store.requireReserve(behind: transaction.base.root, forLog: waitingByteCount)
        }
        return try write(frame, mayUseReserve: mayUseReserve)
    }

    /// Writes a frame after the tail without moving the tail, under the writer lock.
    ///
    /// - Parameter mayUseReserve: Whether the segment may grow on a full disk.
    /// - Returns: The tail that it makes.
    func write(
        _ frame: Frame, mayUseReserve: Bool
    ) throws(StoreError) -> SharedLogState.Tail {
        let tail = try checkedTail()
        let segment = try log.segment(of: tail)
        let chain = frame.hash(fileID: store.pages.fileID)
        var bytes: [UInt8] = []
        frame.write(to: &bytes, chain: chain, salt: segment.header.salt)
        let end = try attempt(
            segment.append(
                bytes, at: tail.end, byteCountMaximum: LogAttachment.segmentByteCountMaximum,
                mayUseReserve: mayUseReserve),
            onFailure: { if segment.isPoisoned { failSync($0) } })
        return SharedLogState.Tail(
            lsn: frame.lsn, segment: tail.segment, end: end, chain: chain, salt: tail.salt)
    }

    /// A limit far above the size at which back-pressure stops the growth of a segment.
    private static let segmentByteCountMaximum: UInt64 = 1 << 40

    /// Makes a segment durable.
    ///
    /// - Throws: After a failed sync no process may commit until the log is recovered: data that the
    ///   system reports as clean may be lost.
    func sync(_ number: UInt64) throws(StoreError) {
        guard let segment = try segmentToSync(number) else { return }
        do throws(StoreError) {
            try segment.sync()
            // The error that another process received may concern these frames, too.
            if region.hasFailed { throw store.poisonAfterFailedSync() }
        } catch {
            failSync(error)
            throw unknownOutcome(of: error)
        }
    }

    /// Returns a segment, or `nil` if the log has left it.
    ///
    /// A missing segment is not a failed sync: its number may come from shared memory that was
    /// overwritten. It ends this handle, and not the commits of other processes.
    private func segmentToSync(_ number: UInt64) throws(StoreError) -> LogSegment? {
        do throws(StoreError) {
            if let segment = try log.segment(number) { return segment }
            // A segment that the log has left was synced before, and its file may already be reused.
            if region.tail.segment > number { return nil }
            throw .corrupt(store.path, "a segment of the log is gone")
        } catch {
            store.poison(error)
            throw unknownOutcome(of: error)
        }
    }

    /// Returns the error of a commit that may be on disk although its sync failed.
    func unknownOutcome(of error: StoreError) -> StoreError {
        StoreError(
            error.code == .diskFull ? .diskFull : .inputOutput, path: store.path,
            detail: "whether the commit took place is unknown: \(error.detail)",
            remedy: StoreError.reopeningAndChecking, cause: error.cause)
    }

    /// Returns the error of a commit that another process could not sync.
    ///
    /// The mark is written again, because it must not be older than a frame that it concerns.
    func failedElsewhere() -> StoreError {
        let error = store.poisonAfterFailedSync()
        failSync(error)
        return unknownOutcome(of: error)
    }

    /// Ends all commits until the log is recovered.
    func failSync(_ error: StoreError) {
        let tail = announcedTail
        region.fail(
            SharedLogState.FailedSync(tail: tail.lsn, chain: tail.chain, durable: newestDurable))
        store.poison(error)
    }
}
