import FirnPlatform
import FirnValues

/// How a handle gets to the log of its file.
extension Store {
    /// Follows a log that others write.
    ///
    /// - Returns: `nil` if nobody has the log open, or if memory cannot be shared with who has.
    func follow(_ superblock: Superblock) throws(StoreError) -> LogAttachment? {
        guard try isLogInUse(), let region = openRegion(.readOnly, superblock.logGeneration) else {
            return nil
        }
        return LogAttachment(
            store: self, region: region,
            log: LogFiles(store: self, generation: superblock.logGeneration, mode: .readOnly),
            isWriter: false)
    }

    func isLogInUse() throws(StoreError) -> Bool {
        do throws(PlatformError) {
            return try file.conflictingLock(in: LockMap.session, .exclusive) != nil
        } catch {
            throw StoreError(error, doing: "look who uses the log")
        }
    }

    /// Whether somebody has the log for himself, to recover or to end it.
    func isLogTakenOver() throws(StoreError) -> Bool {
        do throws(PlatformError) {
            return try file.conflictingLock(in: LockMap.session, .shared) != nil
        } catch {
            throw StoreError(error, doing: "look who uses the log")
        }
    }

    /// The shared memory of a log; `nil` if there is none, or none to believe.
    func openRegion(_ mode: OpenMode, _ generation: UInt64) -> SharedLogState? {
        guard let region = openAnyRegion(mode),
            region.isReady(
                for: pages.fileID, generation: generation, boot: services.bootIdentity)
        else { return nil }
        return region
    }

    /// Whatever stands in the place of the shared memory.
    func openAnyRegion(_ mode: OpenMode) -> SharedLogState? {
        // What cannot be opened or has another size is as good as none: all of it can be made again.
        guard
            let region = try? services.files.sharedRegion(
                LogFiles.regionPath(location), mode, words: SharedLogState.wordCount)
        else { return nil }
        return SharedLogState(region)
    }

    /// Opens the log for writing, under the writer lock; recovers it if nobody has it open.
    func join(_ root: Root) throws(StoreError) {
        let superblock = root.superblock
        let log = LogFiles(
            store: self, generation: superblock.logGeneration, mode: .readWrite)
        let session: LogAttachment
        if try tryLockSession(.exclusive) {
            do throws(StoreError) {
                session = try recover(log, root)
                // From exclusive to shared without a gap.
                guard try tryLockSession(.shared) else { throw sessionLost }
            } catch {
                unlockSession()
                throw error
            }
        } else {
            // Whoever has it exclusively has the writer lock, too, and that is ours.
            guard try tryLockSession(.shared) else { throw sessionLost }
            guard let region = openRegion(.readWrite, superblock.logGeneration) else {
                unlockSession()
                throw StoreError(
                    .inputOutput, path: LogFiles.regionPath(location),
                    detail: "the shared memory of the log is missing or damaged, while other "
                        + "processes use it",
                    remedy: "end the other processes; see: firn stats \(path) --sessions")
            }
            do throws(StoreError) {
                session =
                    region.hasFailed
                    ? try takeOver(log)
                    : LogAttachment(store: self, region: region, log: log, isWriter: true)
            } catch {
                unlockSession()
                throw error
            }
        }
        attach(session)
    }

    /// Recovers a log of which a sync failed while other processes still have it open.
    ///
    /// They commit nothing any more, and whoever holds the rights to write, fold and sync knows that
    /// they are not about to. They notice by the closing of the old memory.
    private func takeOver(_ log: LogFiles) throws(StoreError) -> LogAttachment {
        try take(
            rights.checkpoint, LockMap.checkpoint, waitNanoseconds: Store.takeOverWaitNanoseconds,
            work: "folding the log")
        defer { giveBack(rights.checkpoint) }
        try take(
            rights.sync, LockMap.sync, waitNanoseconds: Store.takeOverWaitNanoseconds,
            work: "syncing the log")
        defer { rights.sync.release() }
        // A checkpoint may have come through meanwhile.
        return try recover(log, pinNewestRoot().0)
    }

    /// How long a sync or a checkpoint that goes on since before a failed sync is waited for.
    private static let takeOverWaitNanoseconds: UInt64 = 5_000_000_000

    private var sessionLost: StoreError {
        StoreError(.inputOutput, path: path, detail: "the lock of the log was lost")
    }

    func tryLockSession(_ kind: LockKind) throws(StoreError) -> Bool {
        do throws(PlatformError) {
            return try file.tryLock(LockMap.session, kind)
        } catch {
            throw StoreError(error, doing: "lock the log")
        }
    }

    /// If the lock cannot be given back, it goes when the file is closed.
    func unlockSession() {
        if generation.isCurrent { try? file.unlock(LockMap.session) }
    }

    /// Uses a session from now on.
    func attach(_ session: LogAttachment) {
        state.withLock { $0.session = session }
    }

    /// Forgets a session that has ended.
    func leave(_ session: LogAttachment) {
        let wasOurs = state.withLock { state in
            guard state.session === session else { return false }
            state.session = nil
            // Who ends a log gives back what was kept for it.
            state.reserve = nil
            return true
        }
        if wasOurs, session.isWriter { unlockSession() }
    }
}
