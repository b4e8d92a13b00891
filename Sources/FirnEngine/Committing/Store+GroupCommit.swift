import FirnPlatform
import FirnValues

/// One sync for all who commit at the same time, whatever their process.
///
///     append n, n + 1, n + 2 ...     each under the writer lock, in turn
///     sync                           by whoever gets the sync right first, for all that was
///                                    appended before it began; the others wait for the word
///
/// The right saves syncs; nothing rests on it. Whoever waits too long for one that has it, which may
/// be a stopped process, syncs without it: what a sync says holds for whoever asked for it.
extension Store {
    /// How long a wait for the sync of another lasts at most: it may have died.
    private static let patienceNanoseconds: UInt64 = 5_000_000
    /// After so many waits in which nothing was synced, the other is as good as dead.
    private static let fruitlessWaitMaximum = 100

    /// Returns when a commit that was appended is on disk.
    ///
    /// - Throws: ``StoreError`` if a sync failed, here or in another process: whether the commit took
    ///   place is then unknown.
    func waitForSync(of lsn: LSN, _ session: LogAttachment) throws(StoreError) {
        let region = session.region
        var seen = region.synced
        var fruitlessWaits = 0
        while true {
            let count = region.syncCount
            let synced = region.synced
            if synced >= lsn { return }
            if region.hasFailed { throw unknownOutcome() }
            guard try tryTakeSync() else {
                fruitlessWaits = synced == seen ? fruitlessWaits + 1 : 0
                seen = synced
                guard fruitlessWaits > Store.fruitlessWaitMaximum else {
                    region.waitForSync(since: count, nanoseconds: Store.patienceNanoseconds)
                    continue
                }
                try syncAll(session, for: lsn)
                return region.announceEndOfSync()
            }
            do throws(StoreError) {
                try syncAll(session, for: lsn)
                rights.sync.release()
            } catch {
                rights.sync.release()
                throw error
            }
            // After the right was given back: one of those who wake is going to take it.
            region.announceEndOfSync()
        }
    }

    /// Syncs all that was appended so far, unless another did so already.
    private func syncAll(_ session: LogAttachment, for lsn: LSN) throws(StoreError) {
        let region = session.region
        if region.synced >= lsn { return }
        if region.hasFailed { throw unknownOutcome() }
        // The LSN first: a segment that was left since was synced when it was left.
        let tail = session.announcedTail
        try session.sync(tail.segment)
        region.noteSynced(tail.lsn)
        // At once: those who watch have waited for nothing but this.
        region.announceDurability()
    }

    private func tryTakeSync() throws(StoreError) -> Bool {
        do throws(PlatformError) {
            return try rights.sync.tryTake()
        } catch {
            // The frame is in the log, and the sync of another may put it on disk.
            throw StoreError(
                .inputOutput, path: path,
                detail: "whether the commit took place is unknown: the log could not be locked for "
                    + "its sync: \(error.reason)",
                remedy: "look whether it is there before trying again", cause: error)
        }
    }

    private func unknownOutcome() -> StoreError {
        let error = StoreError(
            .inputOutput, path: path,
            detail: "whether the commit took place is unknown: a sync of the log failed in another "
                + "process",
            remedy: "this process writes no more to the database; open it again")
        poison(error)
        return error
    }
}
