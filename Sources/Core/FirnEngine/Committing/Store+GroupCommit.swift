import FirnPlatform
import FirnValues

/// Group commit: one sync for all concurrent commits, across processes.
///
///     append n, n + 1, n + 2 ...     each under the writer lock, in turn
///     sync                           by the first process that gets the sync lock, for every frame
///                                    appended before the sync began; the others wait for the word
///
/// The lock only saves syncs; correctness does not depend on it. A commit that waits too long for a
/// process that holds the lock and may be stopped syncs without the lock: the result of a sync is
/// valid for the caller that requested it.
extension Store {
    /// The longest wait for a sync by another process, which may have died.
    private static let timeoutNanoseconds: UInt64 = 5_000_000
    /// The number of waits without any progress after which the other process counts as dead.
    private static let fruitlessWaitMaximum = 100

    /// Waits until an appended commit is on disk.
    ///
    /// - Throws: ``StoreError`` if a sync failed, here or in another process: whether the commit
    ///   took place is then unknown.
    func waitForSync(of lsn: LSN, _ attachment: LogAttachment) throws(StoreError) {
        let region = attachment.region
        var seen = region.synced
        var fruitlessWaits = 0
        while true {
            let count = region.syncCount
            let synced = region.synced
            if synced >= lsn { return attachment.noteDurable(synced) }
            if region.hasFailed { throw attachment.failedElsewhere() }
            guard try tryTakeSync() else {
                fruitlessWaits = synced == seen ? fruitlessWaits + 1 : 0
                seen = synced
                guard fruitlessWaits > Store.fruitlessWaitMaximum else {
                    region.waitForSync(since: count, nanoseconds: Store.timeoutNanoseconds)
                    continue
                }
                try syncAll(attachment, for: lsn)
                return region.announceEndOfSync()
            }
            try attempt(
                syncAll(attachment, for: lsn), onFailure: { _ in locks.sync.release() })
            locks.sync.release()
            // The lock is released first, because one of the awakened threads will take it.
            region.announceEndOfSync()
        }
    }

    /// Waits until a version is on disk.
    ///
    /// - Parameter version: A version that some process has committed.
    /// - Throws: ``StoreError`` if a sync failed.
    func waitUntilDurable(_ version: LSN) throws(StoreError) {
        // Without a log, a commit is on disk before the writer lock is released.
        guard let attachment = state.withLock({ $0.attachment }), attachment.isWriter else {
            return
        }
        try waitForSync(of: version, attachment)
    }

    /// Syncs every frame appended so far, unless another process has already done so.
    private func syncAll(_ attachment: LogAttachment, for lsn: LSN) throws(StoreError) {
        let region = attachment.region
        if region.synced >= lsn { return }
        if region.hasFailed { throw attachment.failedElsewhere() }
        // The LSN is read first: a segment that the log has left since then was synced at that
        // time.
        let tail = attachment.announcedTail
        // Overwritten memory has no tail.
        guard tail.lsn >= lsn else { throw attachment.unknownOutcome(of: contradiction) }
        try attachment.sync(tail.segment)
        attachment.noteSynced(tail.lsn)
        // Observers are notified at once, because they wait only for this.
        region.announceDurability()
    }

    private func tryTakeSync() throws(StoreError) -> Bool {
        do throws(PlatformError) {
            return try locks.sync.tryTake()
        } catch {
            // The frame is in the log, and a sync by another process may make it durable.
            throw StoreError(
                .inputOutput, path: path,
                detail: "whether the commit took place is unknown: the log could not be locked for "
                    + "its sync: \(error.reason)",
                remedy: "check whether the commit is there before you try again", cause: error)
        }
    }
}
