import FirnPlatform
import FirnTesting
import Testing

@testable import FirnEngine

/// When the thread that folds a log does so. Real threads and real time.
@Suite("The thread that folds")
struct CheckpointerTests {
    /// Counts what the thread did, and says what becomes of it.
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

        /// Waits until it has folded so often.
        ///
        /// - Returns: whether that came to be.
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

    @Test("folds at once when there is much to fold, as often as that is")
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

    @Test("folds little when nothing was committed for a while, and next to nothing never")
    func idle() throws {
        let folds = Folds(.folded)
        try withCheckpointer(folds) { checkpointer in
            checkpointer.noteCommit(waitingByteCount: Checkpointer.idleByteCount - 1)
            checkpointer.noteCommit(waitingByteCount: Checkpointer.idleByteCount)
            #expect(folds.wait(for: 1))
        }
        #expect(folds.count == 1)
    }

    @Test("does not try again and again what failed, but when there is much more")
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
            // Well again: as at first.
            checkpointer.noteCommit(waitingByteCount: 0)
            checkpointer.noteCommit(waitingByteCount: busy)
            #expect(folds.wait(for: 3))
        }
    }

    @Test("ends when there is nothing to fold any more, and when it is told to")
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
