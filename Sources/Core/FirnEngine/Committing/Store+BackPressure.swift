import FirnPlatform
import FirnValues

/// Back-pressure, which keeps the log short.
extension Store {
    /// The longest sleep of a writer that waits for room before it checks the log again.
    private static let timeoutNanoseconds: UInt64 = 5_000_000

    /// Counts a commit to the log and reports it to the background checkpointer.
    func noteCommit(_ attachment: LogAttachment) {
        let isRepeated = state.withLock { state in
            state.commitCount += 1
            return state.commitCount > 1
        }
        if isRepeated { startCheckpointer() }
        checkpointer.withLock { $0 }?.noteCommit(waitingByteCount: attachment.waitingByteCount)
    }

    /// Starts the background checkpointer if it is enabled and not running yet.
    ///
    /// Without this thread, the log is folded when it is full and when it is closed.
    private func startCheckpointer() {
        guard options.checkpointsInBackground else { return }
        checkpointer.withLock { checkpointer in
            guard checkpointer == nil, !state.withLock({ $0.isClosed }) else { return }
            checkpointer = try? Checkpointer { [weak self] in
                guard let self else { return .ended }
                return self.foldInBackground()
            }
        }
    }

    private func foldInBackground() -> Checkpointer.Outcome {
        do throws(StoreError) {
            try checkpoint()
            return .folded
        } catch {
            // The log holds every commit; writers receive the error when the log is full.
            return state.withLock { $0.poison == nil && !$0.isClosed } ? .failed : .ended
        }
    }

    /// If the log is full, waits until it is folded or folds it.
    func makeRoomInLog(waitNanoseconds: UInt64) throws(StoreError) {
        let start = services.clock.monotonicNanoseconds()
        while let attachment = state.withLock({ $0.attachment }), attachment.isWriter,
            attachment.waitingByteCount >= options.logByteCountMaximum
        {
            let news = attachment.region.newsCount
            let releaseCount = locks.checkpoint.releaseCount
            if attachment.region.isClosed || attachment.region.hasFailed { return }
            let waited = services.clock.monotonicNanoseconds() &- start
            if try checkpoint(waitNanoseconds: waitNanoseconds - min(waited, waitNanoseconds))
                != nil
            {
                return
            }
            // No limit applies to the checkpoint of this process, which always ends.
            guard waited < waitNanoseconds || locks.checkpoint.wasTakenHere(since: releaseCount)
            else {
                throw held(
                    locks.checkpoint, LockMap.checkpoint, work: "folding the log, which is full")
            }
            attachment.region.waitForNews(since: news, nanoseconds: Store.timeoutNanoseconds)
        }
    }
}

extension LogAttachment {
    /// The approximate size in bytes of the commits that no root contains yet.
    ///
    /// A segment that a root contains only in part counts as a whole.
    var waitingByteCount: UInt64 {
        let tail = announcedTail
        let rootLSN = region.rootLSN
        guard tail.lsn > rootLSN else { return 0 }
        let current = log.knownSegment(tail.segment)
        let isOlderNeeded = current.map { $0.header.base > rootLSN } ?? false
        let older = isOlderNeeded ? log.knownSegment(tail.segment &- 1)?.knownByteCount ?? 0 : 0
        return tail.end + older
    }
}
