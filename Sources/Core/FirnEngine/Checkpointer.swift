import FirnPlatform
import FirnValues

/// The thread that folds the log of a writing handle in the background.
final class Checkpointer: Sendable {
    private struct State {
        var isStopped = false
        /// The bytes of the log that no root contains, as of the last commit of this process.
        var waitingByteCount: UInt64 = 0
        /// The size at which the log is folded, which is larger after a failed checkpoint.
        var limit = Checkpointer.busyByteCount
    }

    /// The size in bytes at which the log is folded at once.
    static let busyByteCount: UInt64 = 512 * 1024
    /// The size in bytes at which the log is folded after a period without commits.
    static let idleByteCount: UInt64 = 64 * 1024
    private static let idleNanoseconds: UInt64 = 200_000_000

    /// The result of a checkpoint.
    enum Outcome {
        case folded
        /// The log stays; an immediate retry would fail again.
        case failed
        /// Nothing is left to fold.
        case ended
    }

    private let lock = Lock()
    private let changed = Condition()
    /// Accessed only under the lock.
    nonisolated(unsafe) private var state = State()
    private let thread = Guarded<WorkerThread?>(nil)

    /// Starts the thread.
    ///
    /// - Parameter fold: Performs a checkpoint.
    init(_ fold: @escaping @Sendable () -> Outcome) throws(PlatformError) {
        let thread = try WorkerThread { [self] in run(fold) }
        self.thread.withLock { $0 = thread }
    }

    /// Records the bytes of the log that wait to be folded after a commit.
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

    /// Stops the thread after the checkpoint that it is performing.
    func stop() {
        lock.withLock {
            state.isStopped = true
            changed.wakeAll()
        }
        let thread = thread.withLock { $0 }
        // The last reference to the store may be released on this very thread.
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

    /// - Returns: The number of bytes to fold; `nil` to end the thread.
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
            // No commit arrived in this time, so the checkpoint disturbs no writer.
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
