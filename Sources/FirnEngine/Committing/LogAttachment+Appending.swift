import FirnPlatform
import FirnValues

/// Appending frames to the log, always under the writer lock.
extension LogAttachment {
    /// Returns the changes of a transaction as the frame after the tail.
    func frame(of transaction: WriteTransaction, as lsn: LSN, time: Int64) -> Frame {
        Frame(
            kind: transaction.recorded == nil ? .root : .operations, lsn: lsn,
            durable: region.synced, previous: (knownTail ?? region.tail).chain, time: time,
            writer: store.writerToken, operations: transaction.recorded ?? RecordedOperations())
    }

    /// Writes a frame after the tail without moving the tail.
    ///
    /// - Parameter mayUseReserve: whether the segment may grow on a full disk.
    /// - Returns: the tail that it makes.
    func write(
        _ frame: Frame, mayUseReserve: Bool
    ) throws(StoreError) -> SharedLogState.Tail {
        let tail = try checkedTail()
        let segment = try log.segment(of: tail)
        let chain = frame.hash(fileID: store.pages.fileID)
        var bytes: [UInt8] = []
        frame.write(to: &bytes, chain: chain, salt: segment.header.salt)
        do throws(StoreError) {
            let end = try segment.append(
                bytes, at: tail.end, byteCountMaximum: LogAttachment.segmentByteCountMaximum,
                mayUseReserve: mayUseReserve)
            return SharedLogState.Tail(
                lsn: frame.lsn, segment: tail.segment, end: end, chain: chain, salt: tail.salt)
        } catch {
            if segment.isPoisoned { failSync(error) }
            throw error
        }
    }

    /// A limit far above the size at which back-pressure stops the growth of a segment.
    private static let segmentByteCountMaximum: UInt64 = 1 << 40

    /// Appends a commit, whose version is known already.
    ///
    /// It is not on disk yet; see ``Store/waitForSync(of:_:)``.
    ///
    /// - Parameter mayUseReserve: whether the segment may grow on a full disk.
    func append(
        _ frame: Frame, of transaction: WriteTransaction, mayUseReserve: Bool = false
    ) throws(StoreError) {
        // Another thread's sync may have failed since this transaction began.
        if region.hasFailed { throw store.poisonAfterFailedSync() }
        if !transaction.onlyRemoves {
            try store.requireReserve(
                behind: transaction.base.root, forLog: waitingByteCount)
        }
        let tail = try write(frame, mayUseReserve: mayUseReserve)
        move(to: tail)
        let snapshot = transaction.base.with(transaction.overlay, version: frame.lsn)
        heads.withLock { $0.append(LogHead(snapshot: snapshot, place: tail.place)) }
    }

    /// Makes a segment durable.
    ///
    /// - Throws: After a failure no process may commit until the log is recovered: data that the
    ///   system reports as clean may be lost.
    func sync(_ number: UInt64) throws(StoreError) {
        do throws(StoreError) {
            guard let segment = try log.segment(number) else {
                // A segment that the log has left was synced before, and its file may already be
                // reused.
                if region.tail.segment > number { return }
                throw .corrupt(store.path, "a segment of the log is gone")
            }
            try segment.sync()
            // The error that another process received may concern these frames, too.
            if region.hasFailed {
                throw StoreError(
                    .inputOutput, path: store.path,
                    detail: "a sync of the log failed in another process")
            }
        } catch {
            failSync(error)
            throw StoreError(
                error.code == .diskFull ? .diskFull : .inputOutput, path: store.path,
                detail: "whether the commit took place is unknown: \(error.detail)",
                remedy: "this process writes no more to the database; open it again",
                cause: error.cause)
        }
    }

    func failSync(_ error: StoreError) {
        region.fail()
        store.poison(error)
    }

    /// Announces a root that has its own commit, together with the frame of that commit.
    func noteRoot(_ root: Root, _ tail: SharedLogState.Tail) {
        move(to: tail)
        region.noteSynced(tail.lsn)
        region.announceSync()
        region.noteRoot(root.superblock.rootVersion, root.superblock.lsn)
        region.noteChangingRoot(false)
    }

    /// Completes or discards the change of the root that a dead writer left unfinished.
    func settleChangedRoot() throws(StoreError) {
        guard region.isChangingRoot else { return }
        let (root, _) = try store.pinNewestRoot()
        let tail = region.tail
        if root.superblock.lsn > tail.lsn {
            try store.confirmRoot(root)
            guard
                let end = try log.frames(after: tail.place, through: root.superblock.lsn)?.end,
                end.chain == root.superblock.chain
            else {
                throw .corrupt(store.path, "the log does not have the commit of the newest root")
            }
            noteRoot(root, SharedLogState.Tail(end, salt: tail.salt))
        }
        region.noteChangingRoot(false)
    }
}
