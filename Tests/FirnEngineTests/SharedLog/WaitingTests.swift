import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Waiting for commits, and its ends that are no commit.
@Suite("Waiting for a version")
struct WaitingTests {
    private let folder = TemporaryFolder()

    /// A database of the disk: the shared memory that waits go over is real.
    private func makeStore(_ logging: StoreOptions.Logging) throws -> Store {
        let store = try MarkStore.make(folder("w.firn"), logging)
        #expect(folder.names.contains("w.firn-log0") == (logging == .always))
        return store
    }

    /// Waits on a thread of its own, without an end.
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

        /// How often it has looked.
        var asked: Int { state.withLock { $0.asked } }

        /// What the wait came to.
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
        "ends at once when nobody wants it any more and endWaits() says so",
        arguments: [StoreOptions.Logging.always, .never])
    func ended(logging: StoreOptions.Logging) throws {
        let store = try makeStore(logging)
        let version = try store.snapshot().version
        let reader = try Store.open(folder("w.firn"), readOnly: true)
        for waiting in [store, reader] {
            let waiter = try Waiter(waiting, after: version)
            // It has looked once: from now on only a wake-up, or its patience, lets it look again.
            while waiter.asked == 0 {}
            waiter.cancel()
            waiting.endWaits()
            #expect(waiter.result(seconds: 60) == version)
        }
        try store.close()
    }

    @Test("goes on after endWaits() for those who still want it")
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

    @Test("endWaits() without anybody who waits, also of a file that nobody writes, does nothing")
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

    /// Of fifty observers that ended together, one had found the shared memory half made by another,
    /// had waited without it, and went without taking back that it waited. The last one that had it
    /// then left it for the one that was gone.
    @Test("leaves nothing beside the file, also where the shared memory could not be had")
    func leavesNothing() throws {
        let store = try makeStore(.never)
        let version = try store.snapshot().version
        let names = folder.names
        // What another process has made and not prepared yet.
        let files = SystemFileSystem()
        let memory = folder("w.firn-shm")
        _ = try files.sharedRegion(memory, .createNew, words: SharedLogState.wordCount)
        _ = try store.waitForVersion(after: version, nanoseconds: 1_000_000)
        #expect(folder.names == names + ["w.firn-shm"])
        try files.remove(memory)
        // Another handle waits and goes, while the first one is still open.
        let reader = try Store.open(folder("w.firn"), readOnly: true)
        _ = try reader.waitForVersion(after: version, nanoseconds: 1_000_000)
        #expect(folder.names == names)
        try store.close()
    }
}
