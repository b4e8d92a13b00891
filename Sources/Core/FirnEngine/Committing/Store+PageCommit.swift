import FirnPlatform
import FirnValues

/// Committing a transaction that wrote pages while the file has a log.
///
/// Everything up to the transaction becomes one root, and a frame without operations records this
/// in the log. The frame precedes the root: a log that ended before the root would be taken for a
/// log of another time. Without its root, the frame does not count.
extension Store {
    /// Commits the pages of a transaction, under the writer lock and the checkpoint lock.
    func commitPages(
        _ transaction: WriteTransaction, as lsn: LSN, _ attachment: LogAttachment
    ) throws(StoreError) -> LSN {
        let frame = attachment.frame(of: transaction, as: lsn, time: nowNanoseconds)

        // 1. The pages, and those of the commits that no root has yet.
        //    Crash: the log as before. The space is free in the list of its root.
        let (catalog, writer) = try pages(of: transaction)
        let root = transaction.base.root
        let frames = try attachment.log.frames(
            since: root.superblock, through: transaction.base.version)

        // 2. A mark in the shared memory: the root may soon be ahead of the tail.
        //    Crash: the next writer finds no newer root and removes the mark.
        attachment.region.noteChangingRoot(true)

        // 3. The frame, on disk, without moving the tail.
        //    Crash: the frame has no root, so neither the next writer nor recovery counts it.
        let tail = try attachment.write(frame, mayUseReserve: transaction.onlyRemoves)
        try attachment.sync(tail.segment)
        var change = RootChange(
            lsn: frame.lsn, chain: tail.chain, frames: frames + [frame], hasLog: true,
            logGeneration: attachment.log.generation, logSegment: tail.segment,
            freezes: transaction.overlay.freezes)
        if transaction.onlyRemoves {
            try allowReserve(&change, fileEnd: writer.fileEnd)
        }

        // 4. The root.
        //    Crash: the old root and the frames before this one, or the new root; RootPublisher has
        //    the cases. With the new root, the next writer moves the tail
        //    (settleChangedRoot()), and recovery continues after the frame.
        let new = try RootPublisher(store: self, root: root).publish(catalog, change, writer)
        state.withLock { $0.root = new }

        // 5. The tail, the durable version and the root in the shared memory; then the mark goes.
        //    Crash: as in 4.
        attachment.noteRoot(new, tail)
        return frame.lsn
    }

    /// Writes the pages of a transaction; if it only removes, at the expense of the history if
    /// necessary.
    private func pages(
        of transaction: WriteTransaction
    ) throws(StoreError) -> (catalog: Catalog, writer: PageWriter) {
        do throws(StoreError) {
            return try transaction.fold()
        } catch {
            guard mayMakeRoom(for: transaction, after: error) else { throw error }
            try dropHistory(before: transaction)
            return try transaction.fold()
        }
    }
}

extension LogAttachment {
    /// Announces a root that has its own commit, together with the frame of that commit.
    func noteRoot(_ root: Root, _ tail: SharedLogState.Tail) {
        move(to: tail)
        noteSynced(tail.lsn)
        region.announceSync()
        region.noteRoot(root.superblock.rootVersion, root.superblock.lsn)
        region.noteChangingRoot(false)
    }

    /// Completes or discards the change to the root that a dead writer left unfinished.
    func settleChangedRoot() throws(StoreError) {
        guard region.isChangingRoot else { return }
        let (root, _) = try store.pinNewestRoot()
        let superblock = root.superblock
        if superblock.lsn > max(region.tail.lsn, knownTail?.lsn ?? .zero) {
            try store.confirmRoot(root)
            // The log states the position, because the tail may be an older copy.
            guard let end = try log.address(after: superblock.lsn, chain: superblock.chain),
                let segment = try log.segment(end.segment)
            else { throw log.notReaching(superblock) }
            noteRoot(root, SharedLogState.Tail(end, salt: segment.header.salt))
        }
        region.noteChangingRoot(false)
    }
}
