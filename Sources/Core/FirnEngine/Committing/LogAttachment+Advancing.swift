import FirnPlatform
import FirnValues

/// Deriving newer versions from the nearest known version and the frames of the log.
extension LogAttachment {
    /// Returns the newest version that is on disk, or `nil` if the log was closed.
    func durableSnapshot() throws(StoreError) -> Snapshot? {
        guard !region.isClosed else { return nil }
        // The order matters: a root is announced after the sync of all the commits that it
        // contains.
        let root = region.root
        let synced = region.synced
        let known = versionChain.withLock { versionChain in
            versionChain.noteDurable(through: synced)
            return versionChain.durable
        }
        if let known, known.lsn >= synced, known.rootVersion >= root { return known.snapshot }
        // A version that was once durable stays durable, whatever the shared memory says.
        let target = max(synced, known?.lsn ?? .zero)
        do throws(StoreError) {
            return try advancing.withLock { () throws(StoreError) in
                try advance(through: target, isDurable: true)
            }?.snapshot
        } catch {
            // The process that ends the log closes the region before it removes the files, so a
            // reader may find the files gone.
            guard region.isClosed else { throw error }
            return nil
        }
    }

    /// Returns the commit after a given version while it is being synced.
    ///
    /// It is only a head start for an observer. Any error that prevents it is reported when the
    /// version itself is requested.
    ///
    /// - Parameter known: The newest version that is on disk.
    /// - Returns: `nil` if nothing was appended after it, or if the version cannot be derived right
    ///   now.
    func pendingCommit(after known: LSN) -> PendingCommit? {
        PendingCommit(after: known, in: region, preparation) { next in
            advancing.withLock { () -> Snapshot? in
                guard let base = versionChain.withLock({ $0.newest(through: next) }),
                    base.rootVersion >= region.root, let head = try? advanced(base, through: next)
                else { return nil }
                if base.lsn < next { versionChain.withLock { $0.adopt(head, isDurable: false) } }
                return head.snapshot
            }
        }
    }

    /// The time after which it is an error that the root still lacks commits that the log no longer
    /// has.
    private static let rootWaitNanoseconds: UInt64 = 2_000_000_000

    /// Derives a version from the nearest known version and the frames after it.
    ///
    /// - Returns: `nil` if the log was closed meanwhile.
    /// - Throws: ``StoreError`` with `logMissing` if no root appears that contains what the log
    ///   lacks: the disk lost a root or a segment.
    func advance(
        through target: LSN, isDurable: Bool
    ) throws(StoreError) -> LogHead? {
        var known = versionChain.withLock { $0.newest(through: target) }
        var lacking: (root: RootVersion, since: UInt64)?
        while true {
            let isCurrent = known.map { $0.rootVersion >= region.root } ?? false
            if !isCurrent { known = try rootHead() }
            guard let base = known else { return nil }
            if let head = try advanced(base, through: target) {
                versionChain.withLock { $0.adopt(head, isDurable: isDurable) }
                return head
            }
            guard !region.isClosed else { return nil }
            // A checkpoint released the segment during the scan. Its root has the missing commits.
            known = nil
            let now = store.services.clock.monotonicNanoseconds()
            guard let former = lacking, former.root == base.rootVersion else {
                lacking = (base.rootVersion, now)
                continue
            }
            guard now &- former.since < LogAttachment.rootWaitNanoseconds else {
                throw log.notReaching(base.snapshot.root.superblock)
            }
            store.services.clock.sleep(nanoseconds: 1_000_000)
        }
    }

    /// - Returns: `nil` if the log no longer has the frames, or if one of them wrote pages. In both
    ///   cases the newest root contains their commits.
    private func advanced(_ base: LogHead, through target: LSN) throws(StoreError) -> LogHead? {
        guard base.lsn < target else { return base }
        let replay = Replay(onto: base.snapshot)
        var commits = PendingCommit.RecentCommits(after: base.lsn, through: target)
        var hasPages = false
        let end = try log.visit(
            after: base.address, through: target
        ) { sealed, segment throws(StoreError) in
            hasPages = hasPages || sealed.header.kind != .operations
            guard !hasPages else { return }
            try log.withOperations(of: sealed, segment) { bytes throws(StoreError) in
                let header = sealed.header
                try replay.apply(
                    bytes, count: header.operationCount, of: header.lsn, chain: header.chain)
                commits.append(
                    header.lsn, count: header.operationCount, time: header.time, bytes)
            }
        }
        guard let end, !hasPages else { return nil }
        let head = LogHead(snapshot: try replay.finish(), address: end)
        preparation.withLock { $0.commits = commits }
        return head
    }

    /// Returns the newest root without an overlay, or `nil` if the file no longer has a log.
    private func rootHead() throws(StoreError) -> LogHead? {
        while true {
            let (root, pin) = try store.pinNewestRoot()
            let superblock = root.superblock
            guard superblock.hasLog, superblock.logGeneration == log.generation else { return nil }
            if superblock.lsn > region.synced { try store.confirmSeenRoot(superblock) }
            guard
                let address = try log.address(after: superblock.lsn, chain: superblock.chain)
            else {
                if region.isClosed { return nil }
                // The log moved on to other segments during the scan.
                let newest = try store.readSuperblock().newest
                guard newest != superblock else { throw log.notReaching(superblock) }
                continue
            }
            return LogHead(
                snapshot: Snapshot(of: root, pages: store.pages, pin: pin),
                address: address)
        }
    }
}
