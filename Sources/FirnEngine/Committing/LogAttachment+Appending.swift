import FirnPlatform
import FirnValues

/// Adding frames to the log; all of it under the writer lock.
extension LogAttachment {
    /// What a transaction did as the frame after the tail.
    func frame(of transaction: WriteTransaction, as lsn: LSN, time: Int64) -> Frame {
        Frame(
            kind: transaction.recorded == nil ? .root : .operations, lsn: lsn,
            durable: region.synced, previous: (knownTail ?? region.tail).chain, time: time,
            writer: store.writerToken, operations: transaction.recorded ?? RecordedOperations())
    }

    /// Writes a frame behind the tail, and does not make it count.
    ///
    /// - Parameter mayUseReserve: whether the segment may become longer though the disk is full.
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

    /// Far beyond what back-pressure lets a segment grow to.
    private static let segmentByteCountMaximum: UInt64 = 1 << 40

    /// Appends a commit, whose version is known already.
    ///
    /// It is not on disk yet; see ``Store/waitForSync(of:_:)``.
    ///
    /// - Parameter mayUseReserve: whether the segment may become longer though the disk is full.
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
    /// - Throws: after a failure nobody may commit until the log was recovered: what the system
    ///   calls clean may be lost.
    func sync(_ number: UInt64) throws(StoreError) {
        do throws(StoreError) {
            guard let segment = try log.segment(number) else {
                // One that was left was synced before, and may be in use again by now.
                if region.tail.segment > number { return }
                throw .corrupt(store.path, "a segment of the log is gone")
            }
            try segment.sync()
            // What another process was told of may concern these frames, too.
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

    /// Makes a root known that has a commit of its own, with the frame that says so.
    func noteRoot(_ root: Root, _ tail: SharedLogState.Tail) {
        move(to: tail)
        region.noteSynced(tail.lsn)
        region.announceSync()
        region.noteRoot(root.superblock.rootVersion, root.superblock.lsn)
        region.noteChangingRoot(false)
    }

    /// Finishes what a writer began that died while it changed the root, or forgets it.
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
