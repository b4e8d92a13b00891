import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Several processes commit together, and a sync that should have brought all commits to disk
/// fails.
///
/// The system marks the data of a failed sync as clean: the next sync succeeds and writes none of
/// it. So a process that syncs at the same time, or next, must not rely on its own success.
@Suite("Overlapping syncs of the log with a failure")
struct OverlappingSyncTests {
    private static let fails = Fault.Effect.fails(errno: SystemErrno.inputOutput)

    /// Any order of steps, and any of the first syncs.
    ///
    /// Whether a process shares the failing sync depends on the order: the long run met a seed with
    /// eight orders without that, so it continues until one has it.
    @Test("No process acknowledges a commit that is not on disk", arguments: TestScale.seeds(6))
    func anyOrder(seed: UInt64) throws {
        var (refused, shared, runCount) = (0, 0, 0)
        while runCount < 8 || (shared == 0 && runCount < 80) {
            let ordinal = runCount % 8
            let scheduler = ProcessScheduler(
                seed: seed &* 100 &+ UInt64(runCount), disk: try Ledger.disk(), stepsMax: 2_000_000)
            let ledger = Ledger()
            let failures = Guarded(0)
            scheduler.disk.plan(
                Fault(Self.fails, at: ordinal, of: [.sync], pathSuffix: "-log0"))
            for number in 0..<3 {
                scheduler.start("writer \(number)") { process in
                    var store = try Ledger.open(process.services)
                    for round in 0..<4 {
                        do {
                            try ledger.tryCommit(
                                (number + 1) * 1000 + round, .operations, to: store)
                        } catch let error as StoreError {
                            guard [.inputOutput, .poisoned].contains(error.code) else {
                                throw error
                            }
                            failures.withLock { $0 += 1 }
                            // As in a program that continues after the error.
                            try? store.close()
                            store = try Ledger.open(process.services)
                        }
                    }
                    try? store.close()
                }
            }
            do {
                try scheduler.run()
                for loss in [PowerLoss.nothingSurvives, .everythingSurvives, .random(seed: seed)] {
                    try Ledger(ledger).checkEnd(
                        scheduler.disk.powerLossImage(loss), isAtRest: false)
                }
                scheduler.disk.forgetPlans()
                scheduler.disk.dropCleanCache()
                try ledger.checkEnd(scheduler.disk, isAtRest: false)
            } catch {
                throw TestFailure("seed \(seed), run \(runCount): \(error)")
            }
            RunCounters.scheduledRuns.add(1)
            let count = failures.withLock { $0 }
            refused += count
            if count > 1 { shared += 1 }
            runCount += 1
        }
        RunCounters.faults.add(runCount)
        #expect(refused > 0 && shared > 0, "seed \(seed): \(refused) refused, \(shared) together")
    }

    /// One sync takes so long that the wait of another process times out, and that process syncs,
    /// too.
    ///
    /// - Parameter isInner: whether the sync of the impatient process fails.
    @Test(
        "A successful sync proves nothing if another sync failed in the meantime",
        arguments: [false, true])
    func impatient(isInner: Bool) throws {
        let disk = try Ledger.disk()
        let ledger = Ledger()
        let slow = try Ledger.open(disk.anotherProcess().services(entropySeed: 2))
        let impatient = try Ledger.open(disk.anotherProcess().services(entropySeed: 3))
        try ledger.commit(100, to: slow)
        try ledger.commit(101, to: impatient)
        let inner = Guarded<Result<Void, any Error>?>(nil)
        let isFirst = Guarded(true)
        disk.beforeEachOperation { operation in
            guard operation.kind == .sync, operation.path.contains("-log"),
                isFirst.withLock({ isFirst in
                    defer { isFirst = false }
                    return isFirst
                })
            else { return }
            // The slow sync has begun, and ends after this one.
            let result = Result { try ledger.tryCommit(201, .operations, to: impatient) }
            inner.withLock { $0 = result }
        }
        for file in ["-log0", "-log1"] {
            disk.plan(Fault(Self.fails, at: isInner ? 0 : 1, of: [.sync], pathSuffix: file))
        }
        let outer = Result { try ledger.tryCommit(200, .operations, to: slow) }
        disk.beforeEachOperation(nil)
        disk.forgetPlans()
        let innerResult = try #require(inner.withLock { $0 })
        // Each process reports the outcome truthfully: both frames, or neither, are on disk.
        for loss in [PowerLoss.nothingSurvives, .everythingSurvives] {
            try Ledger(ledger).checkEnd(disk.powerLossImage(loss), isAtRest: false)
        }
        #expect(throws: StoreError.self) { try (isInner ? innerResult : outer).get() }
        disk.dropCleanCache()
        let next = try Ledger.open(disk.anotherProcess().services(entropySeed: 4))
        try ledger.commit(202, to: next)
        for store in [slow, impatient, next] { try? store.close() }
        try ledger.checkEnd(disk, isAtRest: false)
    }
}
