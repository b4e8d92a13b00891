import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Two lost wake-ups, found by checking models of the protocol (`Tests/Models`).
///
/// A thread was refused a lock because another thread of its process was trying to take it; that
/// attempt failed, because another process still held the lock; no lock was released after that,
/// and the first thread slept until its wait ended on its own. And the start of a log did not wake
/// the observers that already waited on its memory.
@Suite("Wake-ups")
struct WakeUpTests {
    @Test("A failed attempt that turned away another thread is repeated")
    func refusedByAttempt() throws {
        let disk = SimulatedFileSystem()
        let right = FileLock(LockMap.sync, of: try disk.open("/f", .createNew))
        let holder = FileLock(LockMap.sync, of: try disk.open("/f", .readWrite))
        #expect(try holder.tryTake())
        let steps = Guarded((count: 0, refused: false))
        disk.beforeEachOperation { _ in
            switch steps.withLock({ steps in
                steps.count += 1
                return steps.count
            }) {
            case 1:
                // Another thread, during the attempt.
                let isTaken = (try? right.tryTake()) ?? true
                steps.withLock { $0.refused = !isTaken }
            case 2: holder.release()
            default: break
            }
        }
        defer { disk.beforeEachOperation(nil) }
        #expect(try right.tryTake())
        #expect(steps.withLock { $0.refused })
    }

    @Test("The start of a log notifies observers that are already waiting on its memory")
    func beginningLog() throws {
        let memory = try SimulatedFileSystem().sharedRegion(
            "/r", .createNew, words: SharedLogState.wordCount)
        let region = SharedLogState(memory)
        region.prepare(
            RegionPurpose(
                fileID: UUID(high: 1, low: 2), boot: nil, generation: 1,
                tail: SharedLogState.Tail(
                    lsn: LSN(1), segment: 0, end: 4_096, chain: ChainHash(7), salt: 3),
                root: RootVersion(1), rootLSN: LSN(1)))
        let known = region.newsCount
        region.makeReady()
        #expect(region.newsCount != known)
    }
}
