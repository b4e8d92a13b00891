import FirnPlatform
import FirnValues

/// Taking over a log that nobody has open: its processes crashed, were killed, or could not fold it.
///
///     scan       frames behind the root, until one does not follow: a torn tail ends there; damage
///                with proof of later durable frames is an error
///     settle     frames that nobody proved durable are written again in place and synced: after a
///                failed sync the system may call them clean and yet not have them on disk. If a
///                process saw a sync fail, what came after the last good one is cut off instead:
///                its committers were told
///     confirm    the root itself is put on disk, as it may be the first that names the log
///     begin      new shared memory; the session lock goes from exclusive to shared
extension Store {
    /// Makes a log usable; under the writer lock and the session lock, exclusively.
    func recover(_ log: LogFiles, _ root: Root) throws(StoreError) -> LogAttachment {
        let superblock = root.superblock
        let old = openAnyRegion(.readWrite).flatMap { region in
            region.isReady(
                for: pages.fileID, generation: log.generation, boot: services.bootIdentity)
                ? region : nil
        }
        let found = try log.scan(from: superblock)
        var end = found.end
        let known = max(old?.synced ?? .zero, superblock.lsn)
        try checkReaching(known, found)
        let durable = max(known, found.provenDurable)
        // Memory that proves nothing says nothing about failures either.
        if let old, old.hasFailed, old.synced > .zero, durable < end.lsn {
            end = try log.cut(after: durable, found)
        } else {
            try log.settle(found, knownDurable: known)
        }
        guard let last = try log.segment(end.segment) else {
            throw .corrupt(path, "a segment of the commit log is gone")
        }
        // Whoever flipped to it may have died before it was on disk, and it may be the one that
        // names the log: without it all that is committed from here on would be lost.
        try confirmRoot(root)
        let region = try makeRegion(
            log, root: superblock.rootVersion, rootLSN: superblock.lsn,
            tail: SharedLogState.Tail(end, salt: last.header.salt))
        region.makeReady()
        let session = LogAttachment(store: self, region: region, log: log, isWriter: true)
        session.verifiedTail.withLock { $0 = region.wholeTail }
        return session
    }

    /// Makes sure that the log has what the memory of a process that was killed says was on disk.
    ///
    /// After a start of the machine there is no such memory: then a log whose last frames are zeros, or
    /// an older copy of it, is nothing but a log that ends earlier.
    private func checkReaching(_ known: LSN, _ found: LogFiles.Extent) throws(StoreError) {
        guard found.end.lsn < known else { return }
        throw StoreError(
            .corrupt, path: location,
            detail: "the commit log beside it ends at commit \(found.end.lsn.rawValue), though "
                + "commit \(known.rawValue) was on disk: it was emptied, or replaced by an older "
                + "copy",
            remedy: "put its -log0 and -log1 of the same moment back, or give up what came after "
                + "commit \(found.end.lsn.rawValue) by removing "
                + LogFiles.regionPath(location))
    }

    /// The newest version of a file whose log nobody has open, without touching anything.
    ///
    /// - Returns: `nil` if the log was taken over or folded meanwhile.
    func unattendedSnapshot(_ root: Root, _ pin: RootPin) throws(StoreError) -> Snapshot? {
        let superblock = root.superblock
        let base = Snapshot(
            root: root, overlay: nil, version: superblock.lsn, pages: pages, pin: pin)
        let snapshot: Snapshot?
        do throws(StoreError) {
            snapshot = try unattendedSnapshot(over: base, superblock)
        } catch {
            // Somebody folded and removed the log while we looked.
            if try readSuperblock().newest != superblock { return nil }
            throw error
        }
        guard try readSuperblock().newest == superblock else { return nil }
        return snapshot
    }

    private func unattendedSnapshot(
        over base: Snapshot, _ superblock: Superblock
    ) throws(StoreError) -> Snapshot? {
        let log = LogFiles(store: self, generation: superblock.logGeneration, mode: .readOnly)
        // Mostly all of it counts: the commits are done again while their end is looked for.
        let whole = Replay(onto: base)
        var isWhole = true
        let found = try log.scan(from: superblock) { sealed, segment in
            guard isWhole else { return }
            do throws(StoreError) {
                try doAgain(sealed, of: segment, in: log, whole)
            } catch {
                // Whether it counts is not known yet.
                isWhole = false
            }
        }
        guard let limit = try durableLimit(of: found, log, superblock) else { return nil }
        if isWhole, limit == found.end.lsn { return try whole.finish() }
        let replay = Replay(onto: base)
        let end = try log.visit(
            after: found.start, through: limit
        ) { sealed, segment throws(StoreError) in
            try doAgain(sealed, of: segment, in: log, replay)
        }
        guard end != nil else { throw log.notReaching(superblock) }
        return try replay.finish()
    }

    private func doAgain(
        _ sealed: ValidatedFrame, of segment: LogSegment, in log: LogFiles, _ replay: Replay
    ) throws(StoreError) {
        guard sealed.header.kind == .operations else {
            throw Replay.hasNoOperations(sealed.header.lsn, in: path)
        }
        try log.withOperations(of: sealed, segment) { bytes throws(StoreError) in
            try replay.apply(bytes, count: sealed.header.operationCount, of: sealed.header.lsn)
        }
    }

    /// Up to where an unattended log can be believed to be on disk; `nil` if somebody uses it now.
    private func durableLimit(
        of found: LogFiles.Extent, _ log: LogFiles, _ superblock: Superblock
    ) throws(StoreError) -> LSN? {
        // Also one that is closed says the truth about what is on disk.
        let region = openAnyRegion(.readOnly).flatMap { region in
            region.belongs(to: pages.fileID, boot: services.bootIdentity)
                && region.generation == superblock.logGeneration ? region : nil
        }
        let synced = region?.synced ?? .zero
        let proven = max(found.provenDurable, synced, superblock.lsn)
        if synced > found.end.lsn, try !isLogInUse() {
            // Somebody may have committed since, and died.
            let again = try log.scan(from: superblock)
            guard again.end.lsn == found.end.lsn else { return nil }
            try checkReaching(synced, again)
        }
        guard proven < found.end.lsn else { return found.end.lsn }
        // What came after a sync that failed was never acknowledged.
        if let region, region.hasFailed, region.synced > .zero { return proven }
        // Whoever takes the log over has not begun to write: all that is there is from before.
        if try isLogInUse(), try !isLogTakenOver() {
            if openRegion(.readOnly, superblock.logGeneration) != nil { return nil }
            guard try isLogInUse() else { return nil }
            // Those who write go on, and their memory cannot be seen from here: what they have
            // proved is all that can be had.
            return proven
        }
        try log.syncAll()
        return found.end.lsn
    }
}
