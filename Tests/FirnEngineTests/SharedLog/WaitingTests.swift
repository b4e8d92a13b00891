import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Waits for commits, including waits that end without a commit.
@Suite("Waiting for a version")
struct WaitingTests {
    private let folder = TemporaryFolder()

    /// A database on the disk: waits use real shared memory.
    private func makeStore(_ logging: StoreOptions.Logging) throws -> Store {
        let store = try MarkStore.make(folder("w.firn"), logging)
        #expect(folder.names.contains("w.firn-log0") == (logging == .always))
        return store
    }

    /// Waits on a thread of its own, without a time limit.
    private final class Waiter: Sendable {
        private let state = Guarded<(newest: LSN?, isWanted: Bool, asked: Int)>((nil, true, 0))
        private let lock = Lock()
        private let ended = Condition()

        init(_ store: Store, after known: LSN) throws {
            _ = try WorkerThread { [self] in
                let newest = try? store.waitForVersion(after: known, nanoseconds: .max) {
                    state.withLock { state in
                        state.asked += 1
                        return state.isWanted
                    }
                }
                lock.withLock {
                    state.withLock { $0.newest = newest ?? .zero }
                    ended.wakeAll()
                }
            }
        }

        func cancel() { state.withLock { $0.isWanted = false } }

        /// The number of times that it has looked.
        var asked: Int { state.withLock { $0.asked } }

        /// The result of the wait.
        func result(seconds: UInt64) -> LSN? {
            let clock = SystemClock()
            let end = clock.monotonicNanoseconds() + seconds * 1_000_000_000
            return lock.withLock {
                while true {
                    if let newest = state.withLock({ $0.newest }) { return newest }
                    let now = clock.monotonicNanoseconds()
                    guard now < end else { return nil }
                    ended.wait(lock, nanoseconds: end - now)
                }
            }
        }
    }

    @Test(
        "A wait ends at once after it is cancelled and endWaits() is called",
        arguments: [StoreOptions.Logging.always, .never])
    func ended(logging: StoreOptions.Logging) throws {
        let store = try makeStore(logging)
        let version = try store.snapshot().version
        let reader = try Store.open(folder("w.firn"), readOnly: true)
        for waiting in [store, reader] {
            let waiter = try Waiter(waiting, after: version)
            // It has looked once: from now on only a wake-up, or its timeout, makes it look again.
            while waiter.asked == 0 {}
            waiter.cancel()
            waiting.endWaits()
            #expect(waiter.result(seconds: 60) == version)
        }
        try store.close()
    }

    @Test("After endWaits() the waits that are not cancelled continue")
    func goesOn() throws {
        let store = try makeStore(.always)
        let version = try store.snapshot().version
        let waiter = try Waiter(store, after: version)
        while waiter.asked == 0 {}
        for _ in 0..<3 {
            let before = waiter.asked
            store.endWaits()
            while waiter.asked == before {}
        }
        let newest = try MarkStore.commit(1, to: store)
        #expect(waiter.result(seconds: 60) == newest)
        try store.close()
    }

    @Test("endWaits() does nothing without waiters or on a file without writers")
    func nobody() throws {
        let store = try makeStore(.never)
        try store.close()
        let reader = try Store.open(folder("w.firn"), readOnly: true)
        let names = folder.names
        reader.endWaits()
        #expect(folder.names == names)
        let waited = try reader.waitForVersion(
            after: reader.snapshot().version, nanoseconds: 1_000_000)
        #expect(waited == (try reader.snapshot().version))
    }

    /// Fifty observers ended together. One of them had found the shared memory half created by
    /// another, had waited without it, and ended without unregistering its wait. The last one with
    /// the memory then left it for the one that had gone.
    @Test("A wait leaves no other file, even if the shared memory was unavailable")
    func leavesNothing() throws {
        let store = try makeStore(.never)
        let version = try store.snapshot().version
        let names = folder.names
        // Shared memory that another process has created and not prepared yet.
        let files = SystemFileSystem()
        let memory = folder("w.firn-shm")
        _ = try files.sharedRegion(memory, .createNew, words: SharedLogState.wordCount)
        _ = try store.waitForVersion(after: version, nanoseconds: 1_000_000)
        #expect(folder.names == names + ["w.firn-shm"])
        try files.remove(memory)
        // Another handle waits and closes, while the first one is still open.
        let reader = try Store.open(folder("w.firn"), readOnly: true)
        _ = try reader.waitForVersion(after: version, nanoseconds: 1_000_000)
        #expect(folder.names == names)
        try store.close()
    }
}
