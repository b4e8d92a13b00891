import FirnPlatform
import FirnValues

/// The creation of a log, in three steps around the commit that switches it on.
///
///     make      first segment and shared memory, on disk, under the session lock
///     (commit)  the superblock says that there is a log
///     begin     the shared memory becomes ready, the lock shared
///
/// A crash in between leaves files that no superblock names; the next log replaces them.
extension Store {
    /// Removes the files of a process that died while it made or ended a log, under the writer
    /// lock.
    func removeOrphanedFiles(_ root: Root) throws(StoreError) {
        let isFirst = state.withLock { state in
            defer { state.hasLookedForOrphans = true }
            return !state.hasLookedForOrphans
        }
        guard isFirst, !isCreation, (try? file.tryLock(LockMap.session, .exclusive)) == true else {
            return
        }
        defer { unlockSession() }
        try confirmBeforeRemoval(root)
        let log = LogFiles(store: self, generation: 0, mode: .readWrite)
        // A file that cannot be removed only takes up space.
        try? log.removeOwnSegments()
        guard (try? file.tryLock(LockMap.waiting, .exclusive)) == true else { return }
        try? log.removeOwnRegion()
        try? file.unlock(LockMap.waiting)
    }

    /// Ensures that no power loss leads back to a root that needs the files of an older log.
    ///
    /// The last closer may have died after it wrote the superblock that names no log, and before
    /// that superblock was on disk.
    private func confirmBeforeRemoval(_ root: Root) throws(StoreError) {
        let hasSegment: Bool
        do throws(PlatformError) {
            let first = try services.files.status(of: LogSegment.path(of: location, number: 0))
            let second = try services.files.status(of: LogSegment.path(of: location, number: 1))
            hasSegment = first != nil || second != nil
        } catch {
            throw StoreError(error, doing: "look for the commit log")
        }
        if hasSegment { try confirmRoot(root) }
    }

    /// Whether the direct commit that is about to be made creates a log.
    var wantsLog: Bool {
        guard !isCreation else { return false }
        switch options.logging {
        case .never: return false
        case .automatic: guard state.withLock({ $0.commitCount }) > 0 else { return false }
        case .always: break
        }
        // Memory cannot be shared between machines, and a file with two names would have two logs.
        guard (try? services.files.volume(of: location)) == .local,
            let status = try? file.status(), status.linkCount == 1
        else { return false }
        return true
    }

    /// Creates the files of a log that begins after a commit.
    ///
    /// - Returns: `nil` if they cannot be created; the commit then proceeds without a log, as
    ///   before.
    func makeLog(
        after root: Root, _ lsn: LSN, _ chain: ChainHash
    ) throws(StoreError) -> LogAttachment? {
        guard try tryLockSession(.exclusive) else { return nil }
        let old = root.superblock
        try attempt(confirmBeforeRemoval(root), onFailure: { _ in unlockSession() })
        let log = LogFiles(
            store: self, generation: old.logGeneration &+ 1, mode: .readWrite)
        do throws(StoreError) {
            try log.removeOwnFiles()
            let first = try log.begin(0, after: lsn, chain: chain)
            let region = try makeRegion(
                log, root: RootVersion(old.rootVersion.rawValue + 1), rootLSN: lsn,
                tail: SharedLogState.Tail(start: first.header))
            return LogAttachment(store: self, region: region, log: log, isWriter: true)
        } catch {
            // The folder may be read-only, the disk full, or another file in the way. Without a log
            // a commit only takes one more sync.
            try? log.removeOwnFiles()
            unlockSession()
            return nil
        }
    }

    /// Creates the shared memory of a log, and replaces any existing shared memory.
    func makeRegion(
        _ log: LogFiles, root: RootVersion, rootLSN: LSN, tail: SharedLogState.Tail
    ) throws(StoreError) -> SharedLogState {
        try locks.region.withLock { () throws(StoreError) in
            try lockRegion()
            defer { unlockRegion() }
            return try replaceRegion(log, root: root, rootLSN: rootLSN, tail: tail)
        }
    }

    /// Prevents observers that wait without a log from creating and removing shared memory.
    ///
    /// They hold their lock only briefly.
    private func lockRegion() throws(StoreError) {
        let start = services.clock.monotonicNanoseconds()
        do throws(PlatformError) {
            while try !file.tryLock(LockMap.region, .exclusive) {
                guard services.clock.monotonicNanoseconds() &- start < 1_000_000_000 else {
                    throw PlatformError(
                        .other, operation: "lock", path: LogFiles.regionPath(location))
                }
                services.clock.sleep(nanoseconds: 100_000)
            }
        } catch {
            throw StoreError(error, doing: "make the shared memory of the log")
        }
    }

    private func replaceRegion(
        _ log: LogFiles, root: RootVersion, rootLSN: LSN, tail: SharedLogState.Tail
    ) throws(StoreError) -> SharedLogState {
        let path = LogFiles.regionPath(location)
        // Processes that still watch the old region must look again.
        let old = openAnyRegion(.readWrite).flatMap { region in
            region.belongs(to: pages.fileID, boot: services.bootIdentity) ? region : nil
        }
        old?.close()
        do throws(PlatformError) {
            if try services.files.status(of: path) != nil { try services.files.remove(path) }
            // Another program may have opened it again as long as it had its name.
            old?.close()
            return try SharedLogState.make(
                of: location,
                for: RegionPurpose(
                    fileID: pages.fileID, boot: services.bootIdentity,
                    generation: log.generation, tail: tail, root: root, rootLSN: rootLSN),
                files: services.files, access: try file.status().access)
        } catch {
            throw StoreError(error, doing: "make the shared memory of the log")
        }
    }

    /// Releases the region lock.
    ///
    /// If it cannot be released now, it is released when the file is closed.
    func unlockRegion() { try? file.unlock(LockMap.region) }

    /// Switches to a log that the superblock names now.
    func begin(_ attachment: LogAttachment) {
        attachment.region.makeReady()
        // The commit is on disk. Without the lock, no process has this log open, and the next
        // writer recovers it.
        guard (try? tryLockSession(.shared)) == true else { return unlockSession() }
        attach(attachment)
    }

    /// Abandons a log; it may be unknown whether the superblock names it.
    func giveUp(_ attachment: LogAttachment) {
        // If the superblock may name the log, its first segment is needed to open the file.
        if state.withLock({ $0.poison }) == nil { try? attachment.log.removeOwnFiles() }
        unlockSession()
    }
}
