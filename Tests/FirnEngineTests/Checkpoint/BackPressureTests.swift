import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// A log without a background checkpointer must not grow without bound.
@Suite("Full logs")
struct BackPressureTests {
    /// The header of a segment, and about thirty commits.
    private static let cap: UInt64 = UInt64(LogHeader.byteCount) + 8 * 1024
    /// The growth step of a segment.
    private static let step: UInt64 = 20 * 1024

    private func writer(_ disk: SimulatedFileSystem, seed: UInt64) throws -> Store {
        try Ledger.open(
            disk.anotherProcess().services(entropySeed: seed), logByteCountMaximum: Self.cap)
    }

    private func logByteCounts(_ disk: SimulatedFileSystem) -> [Int] {
        ["-log0", "-log1"].compactMap { disk.contents(of: Ledger.path + $0)?.count }
    }

    @Test("A full log is folded by the next writer, in one process or in several")
    func folded() throws {
        let disk = try Ledger.disk()
        let ledger = Ledger()
        let stores = try (1...3).map { try writer(disk, seed: $0) }
        var segments: Set<UInt64> = []
        for number in 100..<280 {
            try ledger.commit(number, to: stores[number % stores.count])
            for count in logByteCounts(disk) { #expect(count <= Int(Self.cap + Self.step)) }
            let attachment = stores[0].state.withLock { $0.attachment }
            if let attachment { segments.insert(attachment.region.tail.segment) }
        }
        #expect(segments.count >= 3, "segments were used again")
        for store in stores { try store.close() }
        try ledger.checkEnd(disk, isAtRest: true)
    }

    @Test("A full log is an error with the reason while another process is stuck folding it")
    func held() throws {
        let disk = try Ledger.disk()
        let ledger = Ledger()
        let store = try writer(disk, seed: 1)
        let reader = try Ledger.open(disk.anotherProcess().services(), readOnly: true)
        let stopped = try disk.anotherProcess().services(entropySeed: 3).files.open(
            Ledger.path, .readWrite)
        #expect(try stopped.tryLock(LockMap.checkpoint, .exclusive))
        var number = 100
        var failure: StoreError?
        while failure == nil, number < 400 {
            do throws(StoreError) {
                try store.beginWrite(waitNanoseconds: 0).rollback()
            } catch {
                failure = error
                break
            }
            try ledger.commit(number, to: store)
            number += 1
        }
        #expect(failure?.code == .lockHeld)
        #expect(
            failure?.detail == "locked by another process, which is folding the log, which is full")
        #expect(failure?.remedy == "try again, or wait longer")
        #expect(number > 110, "the log had room for some")
        try ledger.look(reader)
        try stopped.unlock(LockMap.checkpoint)
        for more in 0..<40 { try ledger.commit(number + more, to: store) }
        try store.close()
        try ledger.checkEnd(disk, isAtRest: true)
    }

    /// A lone writer of large texts ended with `locked by this process, which is folding the log`.
    ///
    /// Later it ended with `locked by another process` if its own checkpoint ended between the
    /// refusal and the question which process holds the lock.
    @Test(
        "A writer waits for the checkpoint of its own process, whenever it ends", arguments: 1...40
    )
    func own(end: Int) throws {
        let disk = try Ledger.disk()
        let ledger = Ledger()
        let store = try writer(disk, seed: 1)
        try ledger.commit(100, to: store)
        #expect(try store.locks.checkpoint.tryTake())
        var number = 101
        while let attachment = store.state.withLock({ $0.attachment }),
            attachment.waitingByteCount < Self.cap
        {
            try ledger.commit(number, to: store)
            number += 1
        }
        let operationCount = Guarded(0)
        let hasEnded = Guarded(false)
        try disk.beforeEachOperation { _ in
            let count = operationCount.withLock { count in
                count += 1
                return count
            }
            guard count == end else { return }
            store.giveBack(store.locks.checkpoint)
            hasEnded.withLock { $0 = true }
        } of: {
            try store.beginWrite(waitNanoseconds: 0).rollback()
        }
        #expect(hasEnded.withLock { $0 })
        try store.close()
        try ledger.checkEnd(disk, isAtRest: true)
    }

    @Test("A full log is an error while the disk is full, and is folded when there is space again")
    func fullDisk() throws {
        let disk = try Ledger.disk()
        let ledger = Ledger()
        let store = try writer(disk, seed: 1)
        for number in 100..<110 { try ledger.commit(number, to: store) }
        let used = disk.fileNames.reduce(0) { $0 + (disk.contents(of: $1)?.count ?? 0) }
        disk.setCapacity(used)
        var failure: StoreError?
        var number = 110
        while failure == nil, number < 400 {
            do {
                try ledger.tryCommit(number, .operations, to: store)
            } catch let error as StoreError {
                failure = error
            }
            number += 1
        }
        #expect(failure?.code == .diskFull)
        try ledger.look(store)
        disk.setCapacity(nil)
        for more in 0..<40 { try ledger.commit(number + more, to: store) }
        try store.close()
        try ledger.checkEnd(disk, isAtRest: true)
    }
}
