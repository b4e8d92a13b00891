import FirnPlatform
import FirnValues

/// The two ways to commit.
///
/// A direct commit folds the changes into pages and flips the superblock. It takes two syncs and
/// needs no other file. A commit to the log takes one frame and one sync, which it shares with all
/// concurrent commits. The first commit of a handle is direct and the second one creates a log;
/// once the file has a log, every process uses it.
extension Store {
    /// Commits the changes of a transaction durably as the newest version.
    func commit(_ transaction: WriteTransaction) throws(StoreError) -> LSN {
        guard let lsn = transaction.base.version.next else {
            throw StoreError(.limitExceeded, path: path, detail: "no version number is left")
        }
        guard let session = state.withLock({ $0.session }), session.isWriter else {
            return try commitDirectly(transaction, as: lsn)
        }
        let frame = session.frame(of: transaction, as: lsn, time: nowNanoseconds)
        guard frame.kind == .operations else {
            return try commitPages(transaction, frame, session)
        }
        guard try append(frame, of: transaction, session) else {
            return try commitDirectly(transaction, as: lsn)
        }
        // Others may go on while this commit waits for its sync.
        transaction.end()
        session.region.announceAppend()
        try waitForSync(of: lsn, session)
        noteCommit(session)
        return lsn
    }

    private var nowNanoseconds: Int64 {
        let now = services.clock.wallTime()
        let (seconds, overflow) = now.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : seconds &+ Int64(now.nanoseconds)
    }

    // MARK: Without a log

    private func commitDirectly(
        _ transaction: WriteTransaction, as lsn: LSN
    ) throws(StoreError) -> LSN {
        do throws(StoreError) {
            return try publish(transaction, as: lsn)
        } catch {
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
            operations: transaction.recorded ?? RecordedOperations())
        let (catalog, writer) = try transaction.fold()
        let chain = frame.hash(fileID: pages.fileID)
        let session = try wantsLog ? makeLog(after: transaction.base.root, lsn, chain) : nil
        var change = RootChange(
            lsn: lsn, chain: chain, frames: [frame], hasLog: session != nil,
            logGeneration: session?.log.generation ?? old.logGeneration,
            freezes: transaction.overlay.freezes)
        do throws(StoreError) {
            if transaction.onlyRemoves {
                try allowReserve(&change, fileEnd: writer.fileEnd)
            }
            let root = try RootPublisher(store: self, root: transaction.base.root).publish(
                catalog, change, writer)
            state.withLock { state in
                state.root = root
                state.commitCount += 1
            }
            if let session { begin(session) } else { wakeWaiters(root.superblock) }
            return lsn
        } catch {
            if let session { giveUp(session) }
            throw error
        }
    }

    // MARK: Pages beside a log

    /// Commits a transaction that wrote pages: everything up to it becomes one root, and a frame of
    /// the log records this.
    ///
    /// The frame is written first and is on disk before the superblock changes: a log that ended
    /// before the root would be taken for a log of another time. A frame without its root does not
    /// count.
    private func commitPages(
        _ transaction: WriteTransaction, _ frame: Frame, _ session: LogAttachment
    ) throws(StoreError) -> LSN {
        let (catalog, writer) = try pages(of: transaction)
        let root = transaction.base.root
        let frames = try session.log.frames(
            since: root.superblock, through: transaction.base.version)
        session.region.noteChangingRoot(true)
        let tail = try session.write(frame, mayUseReserve: transaction.onlyRemoves)
        try session.sync(tail.segment)
        var change = RootChange(
            lsn: frame.lsn, chain: tail.chain, frames: frames + [frame], hasLog: true,
            logGeneration: session.log.generation, logSegment: tail.segment,
            freezes: transaction.overlay.freezes)
        if transaction.onlyRemoves {
            try allowReserve(&change, fileEnd: writer.fileEnd)
        }
        let new = try RootPublisher(store: self, root: root).publish(catalog, change, writer)
        state.withLock { $0.root = new }
        session.noteRoot(new, tail)
        return frame.lsn
    }

    /// Writes the pages of a transaction, if it only removes at the expense of the history.
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
