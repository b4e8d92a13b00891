import FirnPlatform
import FirnTesting
import Testing

@testable import FirnEngine

/// The times at which the background thread folds a log, with real threads and real time.
@Suite("The checkpointer thread")
struct CheckpointerTests {
    /// Counts the folds, and decides their results.
    private final class Folds: Sendable {
        private let lock = Lock()
        private let changed = Condition()
        private let state: Guarded<(count: Int, outcome: Checkpointer.Outcome)>

        init(_ outcome: Checkpointer.Outcome) { state = Guarded((0, outcome)) }

        func fold() -> Checkpointer.Outcome {
            lock.withLock {
                defer { changed.wakeAll() }
                return state.withLock { state in
                    state.count += 1
                    return state.outcome
                }
            }
        }

        func become(_ outcome: Checkpointer.Outcome) { state.withLock { $0.outcome = outcome } }

        var count: Int { state.withLock { $0.count } }

        /// Waits until there were the given number of folds.
        ///
        /// - Returns: whether the number was reached in time.
        func wait(for count: Int, seconds: UInt64 = 60) -> Bool {
            let clock = SystemClock()
            let end = clock.monotonicNanoseconds() + seconds * 1_000_000_000
            return lock.withLock {
                while self.count < count {
                    let now = clock.monotonicNanoseconds()
                    guard now < end else { return false }
                    changed.wait(lock, nanoseconds: end - now)
                }
                return true
            }
        }
    }

    private func withCheckpointer(
        _ folds: Folds, _ body: (Checkpointer) throws -> Void
    ) throws {
        let checkpointer = try Checkpointer { folds.fold() }
        defer { checkpointer.stop() }
        try body(checkpointer)
    }

    @Test("The checkpointer folds at once, and repeatedly, while there is much to fold")
    func busy() throws {
        let folds = Folds(.folded)
        try withCheckpointer(folds) { checkpointer in
            for round in 1...3 {
                checkpointer.noteCommit(waitingByteCount: Checkpointer.busyByteCount)
                #expect(folds.wait(for: round))
                checkpointer.noteCommit(waitingByteCount: 0)
            }
        }
        #expect(folds.count == 3)
    }

    @Test("The checkpointer folds a small backlog when idle, and never folds a tiny one")
    func idle() throws {
        let folds = Folds(.folded)
        try withCheckpointer(folds) { checkpointer in
            checkpointer.noteCommit(waitingByteCount: Checkpointer.idleByteCount - 1)
            checkpointer.noteCommit(waitingByteCount: Checkpointer.idleByteCount)
            #expect(folds.wait(for: 1))
        }
        #expect(folds.count == 1)
    }

    @Test("The checkpointer retries a failed fold only when there is much more to fold")
    func failed() throws {
        let folds = Folds(.failed)
        try withCheckpointer(folds) { checkpointer in
            let busy = Checkpointer.busyByteCount
            checkpointer.noteCommit(waitingByteCount: busy)
            #expect(folds.wait(for: 1))
            for waiting in stride(from: busy, to: 2 * busy, by: 4096) {
                checkpointer.noteCommit(waitingByteCount: waiting)
            }
            #expect(folds.count == 1)
            folds.become(.folded)
            checkpointer.noteCommit(waitingByteCount: 2 * busy)
            #expect(folds.wait(for: 2))
            // After a success the thresholds are reset.
            checkpointer.noteCommit(waitingByteCount: 0)
            checkpointer.noteCommit(waitingByteCount: busy)
            #expect(folds.wait(for: 3))
        }
    }

    @Test("The checkpointer ends when there is nothing left to fold, or on request")
    func ended() throws {
        let folds = Folds(.ended)
        try withCheckpointer(folds) { checkpointer in
            checkpointer.noteCommit(waitingByteCount: Checkpointer.busyByteCount)
            #expect(folds.wait(for: 1))
            checkpointer.noteCommit(waitingByteCount: 0)
            checkpointer.noteCommit(waitingByteCount: Checkpointer.busyByteCount)
        }
        #expect(folds.count == 1)
        try withCheckpointer(Folds(.folded)) { _ in }
    }
}
