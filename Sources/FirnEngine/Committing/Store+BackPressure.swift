import FirnPlatform
import FirnValues

/// Keeping the log short.
extension Store {
    /// How long a writer that waits for room sleeps at most before it looks again.
    private static let patienceNanoseconds: UInt64 = 5_000_000

    /// Counts a commit to the log, and lets the background fold when it is time.
    func noteCommit(_ session: LogAttachment) {
        let isRepeated = state.withLock { state in
            state.commitCount += 1
            return state.commitCount > 1
        }
        if isRepeated { startCheckpointer() }
        checkpointer.withLock { $0 }?.noteCommit(waitingByteCount: session.waitingByteCount)
    }

    /// Starts the thread that folds, if it is wanted and there is none.
    ///
    /// Without the thread the log is folded when it is full, and at the end.
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
            // The log holds everything that was committed; writers are told when it is full.
            return state.withLock { $0.poison == nil && !$0.isClosed } ? .failed : .ended
        }
    }

    /// Waits, when the log is full, until it was folded, or folds it.
    func makeRoomInLog(waitNanoseconds: UInt64) throws(StoreError) {
        let start = services.clock.monotonicNanoseconds()
        while let session = state.withLock({ $0.session }), session.isWriter,
            session.waitingByteCount >= options.logByteCountMaximum
        {
            let news = session.region.newsCount
            if session.region.isClosed || session.region.hasFailed { return }
            let waited = services.clock.monotonicNanoseconds() &- start
            if try checkpoint(waitNanoseconds: waitNanoseconds - min(waited, waitNanoseconds))
                != nil
            {
                return
            }
            guard waited < waitNanoseconds else {
                throw held(
                    rights.checkpoint, LockMap.checkpoint, work: "folding the log, which is full")
            }
            session.region.waitForNews(since: news, nanoseconds: Store.patienceNanoseconds)
        }
    }
}

extension LogAttachment {
    /// Bytes of the log that no root has, about: a segment that a root has in part counts whole.
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
