import FirnPlatform
import FirnValues

/// Committing without a log.
///
/// R is the newest root. At most one copy of a slot is being written at any time, so a whole copy
/// of R or of the new root survives every crash.
extension Store {
    /// Commits a transaction as a root, under the writer lock.
    func commitDirectly(
        _ transaction: WriteTransaction, as lsn: LSN
    ) throws(StoreError) -> LSN {
        do throws(StoreError) {
            return try publish(transaction, as: lsn)
        } catch {
            // A full disk refused step 1 or 3, before the superblock was touched.
            guard mayMakeRoom(for: transaction, after: error) else { throw error }
            try dropHistory(before: transaction)
            return try publish(transaction, as: lsn)
        }
    }

    private func publish(
        _ transaction: WriteTransaction, as lsn: LSN
    ) throws(StoreError) -> LSN {
        let old = transaction.base.root.superblock
        let frame = Frame(
            kind: transaction.recorded == nil ? .root : .operations, lsn: lsn, durable: old.lsn,
            previous: old.chain, time: nowNanoseconds, writer: writerToken,
            operations: transaction.frameOperations)

        // 1. Row groups, directories and trees, into space that no root in use needs.
        //    Crash: R. The space is free in the list of R, and the next commit uses it again.
        let (catalog, writer) = try transaction.fold()

        // 2. From the second commit of this handle on: the first segment of a log that begins after
        //    this commit, and its shared memory, both on disk.
        //    Crash: R, which names no log. The next log replaces the files, or the next writer
        //    removes them; see removeOrphanedFiles(_:).
        let chain = frame.hash(fileID: pages.fileID)
        let log = try wantsLog ? makeLog(after: transaction.base.root, lsn, chain) : nil
        var change = RootChange(
            lsn: lsn, chain: chain, frames: [frame], hasLog: log != nil,
            logGeneration: log?.log.generation ?? old.logGeneration,
            freezes: transaction.overlay.freezes)
        do throws(StoreError) {
            if transaction.onlyRemoves {
                try allowReserve(&change, fileEnd: writer.fileEnd)
            }

            // 3. The root that has the pages and names the log: sync, one copy of the superblock,
            //    sync, other copy.
            //    Crash: R or the new root; RootPublisher has the cases. With the new root, the next
            //    process that opens the file recovers the log, which is empty.
            let root = try RootPublisher(store: self, root: transaction.base.root).publish(
                catalog, change, writer)
            state.withLock { state in
                state.root = root
                state.commitCount += 1
            }

            // 4. The commit is durable. Other processes may use the log, or wake up.
            //    Crash: the new root. An observer that was not woken looks within a second.
            if let log { begin(log) } else { wakeWaiters(root.superblock) }
            return lsn
        } catch {
            // The files of step 2 go, unless the superblock may name them.
            if let log { giveUp(log) }
            throw error
        }
    }
}
