import FirnPlatform
import FirnValues

/// Attaching a handle to the log of its file.
extension Store {
    /// Follows a log that other processes write.
    ///
    /// - Returns: `nil` if no process has the log open, or if memory cannot be shared with it.
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
        try attempt(
            file.conflictingLock(in: LockMap.session, .exclusive) != nil,
            to: "look who uses the log")
    }

    /// Whether another process holds the session lock exclusively, to recover or to end the log.
    func isLogTakenOver() throws(StoreError) -> Bool {
        try attempt(
            file.conflictingLock(in: LockMap.session, .shared) != nil, to: "look who uses the log")
    }

    /// Returns the shared memory of a log, or `nil` if there is none that can be trusted.
    func openRegion(_ mode: OpenMode, _ generation: UInt64) -> SharedLogState? {
        guard let region = openAnyRegion(mode),
            region.isReady(
                for: pages.fileID, generation: generation, boot: services.bootIdentity)
        else { return nil }
        return region
    }

    /// Opens the file at the path of the shared memory, whatever its state.
    func openAnyRegion(_ mode: OpenMode) -> SharedLogState? {
        // A file that cannot be opened or has another size counts as missing, because its content
        // can be rebuilt.
        guard
            let region = try? services.files.sharedRegion(
                LogFiles.regionPath(location), mode, words: SharedLogState.wordCount)
        else { return nil }
        return SharedLogState(region)
    }

    /// Opens the log for writing, under the writer lock, and recovers it if no process has it open.
    func join(_ root: Root) throws(StoreError) {
        let superblock = root.superblock
        let log = LogFiles(
            store: self, generation: superblock.logGeneration, mode: .readWrite)
        let attachment: LogAttachment
        if try tryLockSession(.exclusive) {
            do throws(StoreError) {
                attachment = try recover(log, root)
                // The lock changes from exclusive to shared without a gap.
                guard try tryLockSession(.shared) else { throw sessionLost }
            } catch {
                unlockSession()
                throw error
            }
        } else {
            // A process with the exclusive lock also holds the writer lock, which this process
            // holds now.
            guard try tryLockSession(.shared) else { throw sessionLost }
            guard let region = openRegion(.readWrite, superblock.logGeneration) else {
                unlockSession()
                throw StoreError(
                    .inputOutput, path: LogFiles.regionPath(location),
                    detail: "the shared memory of the log is missing or damaged, while other "
                        + "processes use it",
                    remedy: "end the other processes; see: firn stats \(path) --sessions")
            }
            attachment =
                region.hasFailed
                ? try attempt(takeOver(log), onFailure: { _ in unlockSession() })
                : LogAttachment(store: self, region: region, log: log, isWriter: true)
        }
        attach(attachment)
    }

    /// Recovers a log after a failed sync while other processes still have it open.
    ///
    /// The other processes commit nothing any more. Holding the writer, checkpoint and sync locks
    /// proves that none of them is about to. They notice when the old shared memory is closed.
    private func takeOver(_ log: LogFiles) throws(StoreError) -> LogAttachment {
        try take(
            locks.checkpoint, LockMap.checkpoint, waitNanoseconds: Store.takeOverWaitNanoseconds,
            work: "folding the log")
        defer { giveBack(locks.checkpoint) }
        try take(
            locks.sync, LockMap.sync, waitNanoseconds: Store.takeOverWaitNanoseconds,
            work: "syncing the log")
        defer { locks.sync.release() }
        // A checkpoint may have completed meanwhile.
        return try recover(log, pinNewestRoot().0)
    }

    /// The time to wait for a sync or a checkpoint that began before the failed sync.
    private static let takeOverWaitNanoseconds: UInt64 = 5_000_000_000

    private var sessionLost: StoreError {
        StoreError(.inputOutput, path: path, detail: "the lock of the log was lost")
    }

    func tryLockSession(_ kind: LockKind) throws(StoreError) -> Bool {
        try attempt(file.tryLock(LockMap.session, kind), to: "lock the log")
    }

    /// Releases the session lock.
    ///
    /// If it cannot be released now, it is released when the file is closed.
    func unlockSession() {
        if generation.isCurrent { try? file.unlock(LockMap.session) }
    }

    /// Uses a log attachment from now on.
    func attach(_ attachment: LogAttachment) {
        state.withLock { $0.attachment = attachment }
    }

    /// Drops a log attachment that has ended.
    func leave(_ attachment: LogAttachment) {
        let wasOurs = state.withLock { state in
            guard state.attachment === attachment else { return false }
            state.attachment = nil
            // The process that ends a log releases the blocks that were reserved for it.
            state.reserve = nil
            return true
        }
        if wasOurs, attachment.isWriter { unlockSession() }
    }
}
