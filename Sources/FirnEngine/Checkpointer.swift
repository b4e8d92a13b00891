import FirnPlatform
import FirnValues

/// The thread that folds the log of a writing handle in the background.
final class Checkpointer: Sendable {
    private struct State {
        var isStopped = false
        /// Bytes of the log that no root has, as of the last commit of this process.
        var waitingByteCount: UInt64 = 0
        /// At so many the log is folded; more after a checkpoint that failed.
        var limit = Checkpointer.busyByteCount
    }

    /// After so many bytes the log is folded at once.
    static let busyByteCount: UInt64 = 512 * 1024
    /// And so many are folded when nothing was committed for a while.
    static let idleByteCount: UInt64 = 64 * 1024
    private static let idleNanoseconds: UInt64 = 200_000_000

    /// What became of a checkpoint.
    enum Outcome {
        case folded
        /// The log stays; trying again at once would fail again.
        case failed
        /// There is nothing to fold any more.
        case ended
    }

    private let lock = Lock()
    private let changed = Condition()
    /// Only touched under the lock.
    nonisolated(unsafe) private var state = State()
    private let thread = Guarded<WorkerThread?>(nil)

    /// Starts the thread.
    ///
    /// - Parameter fold: makes a checkpoint.
    init(_ fold: @escaping @Sendable () -> Outcome) throws(PlatformError) {
        let thread = try WorkerThread { [self] in run(fold) }
        self.thread.withLock { $0 = thread }
    }

    /// Notes how much of the log waits after a commit.
    func noteCommit(waitingByteCount: UInt64) {
        lock.withLock {
            let before = state.waitingByteCount
            state.waitingByteCount = waitingByteCount
            // Waking the thread with every commit would cost more than the commit.
            for threshold in [Checkpointer.idleByteCount, state.limit]
            where before < threshold && waitingByteCount >= threshold {
                changed.wakeAll()
            }
        }
    }

    /// Ends the thread, and waits for the checkpoint that it is making.
    func stop() {
        lock.withLock {
            state.isStopped = true
            changed.wakeAll()
        }
        let thread = thread.withLock { $0 }
        // The last reference to the store may go on this very thread.
        if let thread, !thread.isCurrent { thread.join() }
    }

    private func run(_ fold: () -> Outcome) {
        while let waiting = waitForWork() {
            let outcome = fold()
            if outcome == .ended { return }
            lock.withLock {
                state.limit =
                    outcome == .failed
                    ? waiting + Checkpointer.busyByteCount : Checkpointer.busyByteCount
            }
        }
    }

    /// - Returns: how many bytes there are to fold; `nil` to end.
    private func waitForWork() -> UInt64? {
        lock.lock()
        defer { lock.unlock() }
        while !state.isStopped {
            let waiting = state.waitingByteCount
            if waiting >= state.limit { break }
            guard waiting >= Checkpointer.idleByteCount,
                state.limit == Checkpointer.busyByteCount
            else {
                changed.wait(lock)
                continue
            }
            // Still the same after a while: nobody is in a hurry.
            if !changed.wait(lock, nanoseconds: Checkpointer.idleNanoseconds),
                state.waitingByteCount == waiting
            {
                break
            }
        }
        defer { state.waitingByteCount = 0 }
        return state.isStopped ? nil : state.waitingByteCount
    }
}
