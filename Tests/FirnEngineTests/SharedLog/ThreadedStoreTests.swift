import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Real threads over one handle and real files: the thread sanitizer or the content shows
/// unfinished work of one of them.
@Suite("Threads that share a handle")
struct ThreadedStoreTests {
    private let folder = TemporaryFolder()
    private static let writers = 4
    private static let commits = TestScale.scaled(60)

    @Test("Concurrent commits, checkpoints and snapshots are atomic")
    func together() throws {
        let path = folder("crew.firn")
        try CrewDatabase.create(path, members: Self.writers)
        var options = StoreOptions()
        options.logging = .automatic
        let store = try Store.open(path, readOnly: false, options: options)
        let failures = Guarded<[String]>([])
        let isDone = Guarded(false)
        func start(_ body: @escaping @Sendable () throws -> Void) throws -> WorkerThread {
            try WorkerThread {
                do {
                    try body()
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        let writers = try (0..<Self.writers).map { member in
            try start {
                for _ in 0..<Self.commits {
                    let transaction = try store.beginWrite(waitNanoseconds: 60_000_000_000)
                    _ = try CrewDatabase(transaction.schema).step(transaction, member: member)
                    _ = try transaction.commit()
                }
            }
        }
        var others = try (0..<2).map { _ in
            try start {
                var last = try CrewState(store.snapshot())
                while !isDone.withLock({ $0 }) {
                    let state = try CrewState(store.snapshot())
                    try state.check(after: last)
                    last = state
                }
            }
        }
        others.append(
            try start {
                while !isDone.withLock({ $0 }) {
                    _ = try store.checkpoint(waitNanoseconds: 60_000_000_000)
                    _ = try store.spaceReport()
                }
            })
        for thread in writers { thread.join() }
        isDone.withLock { $0 = true }
        for thread in others { thread.join() }
        #expect(failures.withLock { $0 } == [])
        let state = try CrewState(store.snapshot())
        for member in 0..<Self.writers {
            #expect(state.sequences[member] == UInt64(Self.commits))
        }
        RunCounters.commits.add(Self.writers * Self.commits)
        try store.close()
        #expect(folder.names == ["crew.firn"])
        try expectSound(Store.open(path, readOnly: true))
    }
}
