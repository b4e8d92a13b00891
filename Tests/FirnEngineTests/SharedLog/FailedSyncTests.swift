import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// A sync of the log fails in one process while other processes have the log open.
@Suite("Failed syncs of a shared log")
struct FailedSyncTests {
    private final class Run {
        let disk = SimulatedFileSystem()
        let ledger = Ledger()
        private var entropy: UInt64 = 1

        init() throws { try Ledger.make(disk.services(entropySeed: 70)) }

        func open() throws -> Store {
            entropy += 1
            return try Ledger.open(disk.anotherProcess().services(entropySeed: entropy))
        }

        /// Makes the next sync of the log fail in a commit.
        func fail(_ attempt: Int, _ store: Store) throws {
            disk.plan(
                Fault(
                    .fails(errno: SystemErrno.inputOutput), at: 0, of: [.sync], pathSuffix: "-log0")
            )
            disk.plan(
                Fault(
                    .fails(errno: SystemErrno.inputOutput), at: 0, of: [.sync], pathSuffix: "-log1")
            )
            let error = #expect(throws: StoreError.self) {
                try ledger.tryCommit(attempt, .operations, to: store)
            }
            #expect(error?.code == .inputOutput)
            disk.forgetPlans()
            RunCounters.faults.add(1)
        }
    }

    @Test("An idle process does not keep others from continuing")
    func idle() throws {
        let run = try Run()
        let failing = try run.open()
        let idle = try run.open()
        try run.ledger.commit(100, to: failing)
        try run.ledger.commit(101, to: idle)
        try run.fail(102, failing)
        // The one that failed is still alive, too.
        let next = try run.open()
        try run.ledger.commit(103, to: next)
        try run.ledger.look(idle)
        try run.ledger.look(failing)
        try Ledger(run.ledger).checkEnd(
            run.disk.powerLossImage(.nothingSurvives), isAtRest: false)
        // The idle process had nothing to lose.
        try run.ledger.commit(104, to: idle)
        let error = #expect(throws: StoreError.self) {
            try run.ledger.tryCommit(105, .operations, to: failing)
        }
        #expect(error?.code == .poisoned)
        try run.ledger.look(next)
        for store in [failing, next, idle] { try store.close() }
        try run.ledger.checkEnd(run.disk, isAtRest: true)
    }

    @Test(
        "Checkpoints, closes and reads by other processes with the log open are harmless",
        arguments: 0..<4)
    func latecomers(kind: Int) throws {
        let run = try Run()
        let failing = try run.open()
        let idle = try run.open()
        try run.ledger.commit(100, to: failing)
        try run.ledger.commit(101, to: idle)
        try run.fail(102, failing)
        let next = try run.open()
        try run.ledger.commit(103, to: next)
        switch kind {
        case 0: try idle.checkpoint()
        case 1: try idle.close()
        case 2:
            try next.close()
            try run.ledger.commit(104, to: idle)
            try idle.close()
        default:
            try failing.close()
            try next.checkpoint()
        }
        try run.ledger.look(next)
        for loss in [PowerLoss.nothingSurvives, .everythingSurvives] {
            try Ledger(run.ledger).checkEnd(run.disk.powerLossImage(loss), isAtRest: false)
        }
        for store in [failing, idle, next] { try store.close() }
        try run.ledger.checkEnd(run.disk, isAtRest: false)
    }

    /// The number of a segment that shared memory states was wrong after an attack, and the segment did
    /// not exist. This counted as a failed sync of the log. When an older copy of the newest durable
    /// commit was put back as well, recovery cut off commits that had been acknowledged.
    @Test("A missing segment ends the handle, and other processes lose no commit")
    func missingSegment() throws {
        let run = try Run()
        let (misled, other) = (try run.open(), try run.open())
        try run.ledger.commit(100, to: misled)
        try run.ledger.commit(101, to: other)
        let attachment = try #require(misled.state.withLock { $0.attachment })
        let error = #expect(throws: StoreError.self) {
            try attachment.sync(attachment.region.tail.segment + 4)
        }
        #expect(error?.code == .inputOutput)
        #expect(!attachment.region.hasFailed)
        try run.ledger.commit(102, to: other)
        let refused = #expect(throws: StoreError.self) {
            try run.ledger.tryCommit(103, .operations, to: misled)
        }
        #expect(refused?.code == .poisoned)
        try run.ledger.look(other)
        for store in [misled, other] { try store.close() }
        try run.ledger.checkEnd(run.disk, isAtRest: true)
    }

    /// Recovery cut off the frames after the newest durable commit that the shared memory reported,
    /// if the memory also had the mark of a failed sync. Another program that put both back from an
    /// older copy made it cut off commits that had been acknowledged since then.
    @Test("An older copy of the mark of a failed sync hides no commit", arguments: [false, true])
    func olderMark(readsFirst: Bool) throws {
        let run = try Run()
        let memory = Ledger.path + "-shm"
        let dying = run.disk.anotherProcess()
        let failing = try Ledger.open(dying.services(entropySeed: 60))
        try run.ledger.commit(100, to: failing)
        try run.ledger.commit(101, to: failing)
        try run.fail(102, failing)
        let copy = try #require(run.disk.contents(of: memory))
        let next = try Ledger.open(dying.services(entropySeed: 61))
        for attempt in 103..<106 { try run.ledger.commit(attempt, to: next) }
        dying.kill()
        let now = try #require(run.disk.contents(of: memory))
        // The mark, and the newest durable commit.
        for word in Array(8..<16) + [32, 33] {
            for index in (8 * word)..<(8 * word + 8) {
                run.disk.corrupt(memory, at: index, xor: now[index] ^ copy[index])
            }
        }
        if readsFirst {
            try run.ledger.look(Ledger.open(run.disk.services(entropySeed: 62), readOnly: true))
        }
        let writer = try run.open()
        try run.ledger.look(writer)
        try run.ledger.commit(106, to: writer)
        try writer.close()
        try run.ledger.checkEnd(run.disk, isAtRest: true)
    }

    /// A checkpoint takes appended frames, and another process does the sync that it waits for.
    /// Once its root was on disk before the log: after a power loss the log ended before the root,
    /// like a log of another time, and the database could not be opened any more.
    @Test("A checkpoint never has a commit on disk that the log lacks")
    func unsyncedCheckpoint() throws {
        let run = try Run()
        let disk = run.disk
        let dying = disk.anotherProcess()
        let victim = try Ledger.open(dying.services(entropySeed: 50))
        let writer = try run.open()
        let folding = try run.open()
        try run.ledger.commit(100, to: victim)
        try run.ledger.commit(101, to: writer)
        try run.ledger.commit(102, to: folding)
        // The log has moved to its other segment when the checkpoint dies, and cannot move again.
        disk.beforeEachOperation { operation in
            if operation.kind == .write, operation.path == Ledger.path { dying.kill() }
        }
        _ = try? victim.checkpoint()
        #expect(!dying.isAlive)
        try run.ledger.commit(103, to: writer)
        let state = Guarded<(isDone: Bool, found: Result<Void, any Error>?)>((false, nil))
        let ledger = run.ledger
        disk.beforeEachOperation { operation in
            guard operation.kind == .sync, operation.path.contains("-log") else { return }
            let isFirst = state.withLock { state in
                defer { state.isDone = true }
                return !state.isDone
            }
            guard isFirst else { return }
            let found = Result {
                try folding.checkpoint()
                for loss in [PowerLoss.nothingSurvives, .everythingSurvives] {
                    try Ledger(ledger).checkEnd(disk.powerLossImage(loss), isAtRest: false)
                }
            }
            state.withLock { $0.found = found }
        }
        try run.ledger.commit(104, to: writer)
        disk.beforeEachOperation(nil)
        try #require(state.withLock { $0.found }).get()
        try run.ledger.look(folding)
        try Ledger(run.ledger).checkEnd(disk.powerLossImage(.nothingSurvives), isAtRest: false)
    }
}
