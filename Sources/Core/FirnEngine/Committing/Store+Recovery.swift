import FirnPlatform
import FirnValues

/// Recovering a log that no process has open.
///
/// The processes that used the log crashed, were killed, or could not fold it.
///
///     scan       frames after the root, until one does not follow: a torn tail ends there; damage
///                with proof of later durable frames is an error
///     settle     frames that are not proved durable are rewritten in place and synced: after a
///                failed sync the system may report them as clean although they are not on
///                disk. If a sync failed and the log has not gone on since then, the frames after
///                the last good sync are cut off instead: their committers received an error
///     confirm    the root itself is synced, because it may be the first root that names the log
///     begin      new shared memory; the session lock goes from exclusive to shared
extension Store {
    /// Recovers a log for use, under the writer lock and the exclusive session lock.
    func recover(_ log: LogFiles, _ root: Root) throws(StoreError) -> LogAttachment {
        let superblock = root.superblock
        let old = openAnyRegion(.readWrite).flatMap { region in
            region.isReady(
                for: pages.fileID, generation: log.generation, boot: services.bootIdentity)
                ? region : nil
        }
        let found = try log.scan(from: superblock)
        let known = max(old?.synced ?? .zero, superblock.lsn)
        try checkReaching(known, found)
        let end: LogAddress
        if let old, let durable = durableEnd(of: found, old, superblock), durable < found.end.lsn {
            end = try log.cut(after: durable, found)
        } else {
            end = found.end
            try log.settle(found, knownDurable: known)
        }
        guard let last = try log.segment(end.segment) else {
            throw .corrupt(path, "a segment of the commit log is gone")
        }
        // The process that published this root may have died before the root was durable. If it is
        // the first root that names the log, losing it would lose every later commit.
        try confirmRoot(root)
        let tail = SharedLogState.Tail(end, salt: last.header.salt)
        let region = try makeRegion(
            log, root: superblock.rootVersion, rootLSN: superblock.lsn, tail: tail)
        region.makeReady()
        let attachment = LogAttachment(store: self, region: region, log: log, isWriter: true)
        attachment.verifiedTail.withLock { $0 = tail }
        return attachment
    }

    /// Returns the last durable commit of a log that ended with a failed sync, or `nil` if none is
    /// known to have failed.
    ///
    /// The mark must state the end of this log. Otherwise it is an older copy that another program
    /// put back, and later commits may have been acknowledged.
    private func durableEnd(
        of found: LogFiles.Extent, _ region: SharedLogState, _ superblock: Superblock
    ) -> LSN? {
        guard let failure = region.failedSync, failure.durable > .zero,
            failure.tail == found.end.lsn, failure.chain == found.end.chain
        else { return nil }
        return max(failure.durable, region.synced, found.provenDurable, superblock.lsn)
    }

    /// Ensures that the log contains the commits that the shared memory of a killed process reports
    /// as durable.
    ///
    /// After a restart of the machine there is no such memory. A log whose last frames are zeros,
    /// or an older copy of the log, then looks like a log that ends earlier.
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

    /// Returns the newest version of a file whose log no process has open, without writing.
    ///
    /// - Returns: `nil` if the log was taken over or folded meanwhile.
    func unattendedSnapshot(_ root: Root, _ pin: RootPin) throws(StoreError) -> Snapshot? {
        let superblock = root.superblock
        let base = Snapshot(of: root, pages: pages, pin: pin)
        let snapshot: Snapshot?
        do throws(StoreError) {
            snapshot = try unattendedSnapshot(over: base, superblock)
        } catch {
            // Another process folded and removed the log meanwhile.
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
        // Usually every frame counts, so the commits are replayed during the search for the end.
        let whole = Replay(onto: base)
        var isWhole = true
        let found = try log.scan(from: superblock) { sealed, segment in
            guard isWhole else { return }
            do throws(StoreError) {
                try doAgain(sealed, of: segment, in: log, whole)
            } catch {
                // This frame may turn out not to count.
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
            let header = sealed.header
            try replay.apply(
                bytes, count: header.operationCount, of: header.lsn, chain: header.chain)
        }
    }

    /// Returns the last commit of an unattended log that can be assumed durable, or `nil` if
    /// another process is using the log now.
    private func durableLimit(
        of found: LogFiles.Extent, _ log: LogFiles, _ superblock: Superblock
    ) throws(StoreError) -> LSN? {
        // A closed region still states correctly which commits are on disk.
        let region = openAnyRegion(.readOnly).flatMap { region in
            region.belongs(to: pages.fileID, boot: services.bootIdentity)
                && region.generation == superblock.logGeneration ? region : nil
        }
        let synced = region?.synced ?? .zero
        let proven = max(found.provenDurable, synced, superblock.lsn)
        if synced > found.end.lsn, try !isLogInUse() {
            // Another process may have committed since then and died.
            let again = try log.scan(from: superblock)
            guard again.end.lsn == found.end.lsn else { return nil }
            try checkReaching(synced, again)
        }
        guard proven < found.end.lsn else { return found.end.lsn }
        // The frames after a failed sync may not be on disk, whatever the system shows.
        if let region, let durable = durableEnd(of: found, region, superblock) { return durable }
        // A process that recovers the log has not begun to write, so every frame predates the
        // recovery.
        if try isLogInUse(), try !isLogTakenOver() {
            if openRegion(.readOnly, superblock.logGeneration) != nil { return nil }
            guard try isLogInUse() else { return nil }
            // Writers continue, and their memory is not visible from here, so only the commits that
            // the log itself proves durable are used.
            return proven
        }
        try log.syncAll()
        return found.end.lsn
    }
}
