import FirnPlatform
import FirnValues

/// Makes newer versions from the nearest known one and the frames of the log.
extension LogAttachment {
    /// The newest version that is on disk; `nil` if the log was closed.
    func durableSnapshot() throws(StoreError) -> Snapshot? {
        guard !region.isClosed else { return nil }
        // In this order: a root is announced after the sync of all that it holds.
        let root = region.root
        let synced = region.synced
        let known = heads.withLock { heads in
            heads.noteDurable(through: synced)
            return heads.durable
        }
        if let known, known.lsn >= synced, known.rootVersion >= root { return known.snapshot }
        // What was on disk once is, whatever the memory says.
        let target = max(synced, known?.lsn ?? .zero)
        do throws(StoreError) {
            return try advancing.withLock { () throws(StoreError) in
                try advance(through: target, isDurable: true)
            }?.snapshot
        } catch {
            // Who ends the log says so before its files go: they may go while they are read.
            guard region.isClosed else { throw error }
            return nil
        }
    }

    /// The version after another while its commit is on its way to the disk.
    ///
    /// Only the next one: it needs no other sync than the one that is going on, so that nobody who is
    /// ready for it waits in vain for commits that came later.
    ///
    /// Only a help for who waits for it: whatever keeps it from being made is told to who asks for the
    /// version itself.
    ///
    /// - Parameter known: the newest version that is on disk.
    /// - Returns: `nil` if nothing was appended after it, or it is not at hand.
    func pendingCommit(after known: LSN) -> PendingCommit? {
        guard let next = known.next, !region.isClosed, !region.hasFailed, region.synced == known,
            let appended = region.appended, appended >= next
        else { return nil }
        let head = advancing.withLock { () -> LogHead? in
            guard let base = heads.withLock({ $0.newest(through: next) }),
                base.rootVersion >= region.root, let head = try? advanced(base, through: next)
            else { return nil }
            if base.lsn < next { heads.withLock { $0.adopt(head, isDurable: false) } }
            return head
        }
        return head.map { PendingCommit(snapshot: $0.snapshot, region: region) }
    }

    /// How often, a millisecond apart, the same root may lack what the log does not have either.
    private static let patience = 2000

    /// Makes a version from the nearest that is known and the frames after it.
    ///
    /// - Returns: `nil` if the log was closed meanwhile.
    /// - Throws: ``StoreError`` with `logMissing` if no root comes that has what the log lacks: the
    ///   drive lost one, or a segment.
    func advance(
        through target: LSN, isDurable: Bool
    ) throws(StoreError) -> LogHead? {
        var known = heads.withLock { $0.newest(through: target) }
        var lacking: (root: RootVersion, count: Int)?
        while true {
            let isCurrent = known.map { $0.rootVersion >= region.root } ?? false
            if !isCurrent { known = try rootHead() }
            guard let base = known else { return nil }
            if let head = try advanced(base, through: target) {
                heads.withLock { $0.adopt(head, isDurable: isDurable) }
                return head
            }
            guard !region.isClosed else { return nil }
            // A checkpoint took the segment away under us: its root has what we missed.
            known = nil
            let count = lacking?.root == base.rootVersion ? (lacking?.count ?? 0) + 1 : 0
            lacking = (base.rootVersion, count)
            guard count < LogAttachment.patience else {
                throw log.notReaching(base.snapshot.root.superblock)
            }
            if count > 1 { store.services.clock.sleep(nanoseconds: 1_000_000) }
        }
    }

    /// - Returns: `nil` if the frames are not in the log any more, or one of them wrote pages: then
    ///   the newest root has what they did.
    private func advanced(_ base: LogHead, through target: LSN) throws(StoreError) -> LogHead? {
        guard base.lsn < target else { return base }
        let replay = Replay(onto: base.snapshot)
        var commits = RecentCommits(after: base.lsn, through: target)
        var hasPages = false
        let end = try log.visit(
            after: base.place, through: target
        ) { sealed, segment throws(StoreError) in
            hasPages = hasPages || sealed.header.kind != .operations
            guard !hasPages else { return }
            try log.withOperations(of: sealed, segment) { bytes throws(StoreError) in
                let header = sealed.header
                try replay.apply(bytes, count: header.operationCount, of: header.lsn)
                commits.append(
                    header.lsn, count: header.operationCount, time: header.time, bytes)
            }
        }
        guard let end, !hasPages else { return nil }
        let head = LogHead(snapshot: try replay.finish(), place: end)
        recent.withLock { $0 = commits }
        return head
    }

    /// The newest root with nothing over it; `nil` if the file has no log any more.
    private func rootHead() throws(StoreError) -> LogHead? {
        while true {
            let (root, pin) = try store.pinNewestRoot()
            let superblock = root.superblock
            guard superblock.hasLog, superblock.logGeneration == log.generation else { return nil }
            if superblock.lsn > region.synced { try store.confirmSeenRoot(superblock) }
            guard
                let place = try log.place(after: superblock.lsn, chain: superblock.chain)
            else {
                if region.isClosed { return nil }
                // The segments moved on while we looked.
                let newest = try store.readSuperblock().newest
                guard newest != superblock else { throw log.notReaching(superblock) }
                continue
            }
            return LogHead(
                snapshot: Snapshot(
                    root: root, overlay: nil, version: superblock.lsn, pages: store.pages, pin: pin),
                place: place)
        }
    }
}
