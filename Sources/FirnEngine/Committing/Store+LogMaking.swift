import FirnPlatform
import FirnValues

/// Beginning to use a log, in three steps around the commit that switches it on.
///
///     make      first segment and shared memory, on disk, under the session lock
///     (commit)  the superblock says that there is a log
///     begin     the shared memory becomes ready, the lock shared
///
/// A crash in between leaves files that no superblock names; the next log takes their place.
extension Store {
    /// Removes what a process left that died while it made or ended a log; under the writer lock.
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
        // Nothing depends on them: what cannot be removed only takes space.
        try? log.removeOwnSegments()
        guard (try? file.tryLock(LockMap.waiting, .exclusive)) == true else { return }
        try? log.removeOwnRegion()
        try? file.unlock(LockMap.waiting)
    }

    /// Makes sure that no power loss leads back to a root that needs the files of an older log.
    ///
    /// The last closer may have died after the superblock that names no log was written, and before
    /// it was on disk.
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

    /// Whether the commit that is about to be made directly is to switch to a log.
    var wantsLog: Bool {
        guard !isCreation else { return false }
        switch options.logging {
        case .never: return false
        case .automatic: guard state.withLock({ $0.commitCount }) > 0 else { return false }
        case .always: break
        }
        // Memory cannot be shared with other machines, and a file with two names would have two logs.
        guard (try? services.files.volume(of: location)) == .local,
            let status = try? file.status(), status.linkCount == 1
        else { return false }
        return true
    }

    /// Makes the files of a log that begins behind a commit.
    ///
    /// - Returns: `nil` if they cannot be made: then the commit goes without a log, as before.
    func makeLog(
        after root: Root, _ lsn: LSN, _ chain: ChainHash
    ) throws(StoreError) -> LogAttachment? {
        guard try tryLockSession(.exclusive) else { return nil }
        let old = root.superblock
        do throws(StoreError) {
            try confirmBeforeRemoval(root)
        } catch {
            unlockSession()
            throw error
        }
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
            // An unwritable folder, a full disk, a foreign file in the way: without a log commits
            // take two syncs, and that is all.
            try? log.removeOwnFiles()
            unlockSession()
            return nil
        }
    }

    /// Makes the shared memory of a log, in place of any that was there.
    func makeRegion(
        _ log: LogFiles, root: RootVersion, rootLSN: LSN, tail: SharedLogState.Tail
    ) throws(StoreError) -> SharedLogState {
        try rights.region.withLock { () throws(StoreError) in
            try lockRegion()
            defer { unlockRegion() }
            return try replaceRegion(log, root: root, rootLSN: rootLSN, tail: tail)
        }
    }

    /// Keeps those who wait without a log from making and removing shared memory; they are quick.
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
        // Those who still look at the old one must look again.
        if let old = openAnyRegion(.readWrite),
            old.belongs(to: pages.fileID, boot: services.bootIdentity)
        {
            old.close()
        }
        do throws(PlatformError) {
            if try services.files.status(of: path) != nil { try services.files.remove(path) }
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

    /// If the lock cannot be given back, it goes when the file is closed.
    func unlockRegion() { try? file.unlock(LockMap.region) }

    /// The superblock names the log: everybody may use it now.
    func begin(_ session: LogAttachment) {
        session.region.makeReady()
        // The commit is on disk. Without the lock this is a log that nobody has open, and whoever
        // writes next takes it over.
        guard (try? tryLockSession(.shared)) == true else { return unlockSession() }
        attach(session)
    }

    /// The superblock does not name the log, or nobody knows whether it does.
    func giveUp(_ session: LogAttachment) {
        // If the superblock may name the log, its first segment is needed to open the file.
        if state.withLock({ $0.poison }) == nil { try? session.log.removeOwnFiles() }
        unlockSession()
    }
}
