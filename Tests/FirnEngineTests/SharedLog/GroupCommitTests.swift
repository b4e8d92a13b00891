import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Commits that share a sync")
struct GroupCommitTests {
    /// A soak test hung here: the system once refused to release the byte of the sync lock, and the
    /// other process waited for a sync that no process was going to do. A process that is stopped
    /// in the middle of its sync looks the same to others.
    @Test("Commits do not wait forever for a process that holds the sync lock and does nothing")
    func idleHolder() throws {
        let disk = SimulatedFileSystem()
        try Ledger.make(disk.services(entropySeed: 70))
        let ledger = Ledger()
        let store = try Ledger.open(disk.anotherProcess().services(entropySeed: 2))
        for number in 100..<103 { try ledger.commit(number, to: store) }
        let stopped = try disk.anotherProcess().services(entropySeed: 3).files.open(
            Ledger.path, .readWrite)
        #expect(try stopped.tryLock(LockMap.sync, .exclusive))
        for number in 103..<106 { try ledger.commit(number, to: store) }
        try Ledger(ledger).checkEnd(disk.powerLossImage(.nothingSurvives), isAtRest: false)
        try stopped.unlock(LockMap.sync)
        try ledger.commit(106, to: store)
        try store.close()
        try ledger.checkEnd(disk, isAtRest: true)
    }

    @Test("The sync lock is released even if the system refuses once")
    func refusedUnlock() throws {
        var refused = 0
        for ordinal in 0..<60 {
            let disk = SimulatedFileSystem()
            try Ledger.make(disk.services(entropySeed: 70))
            let ledger = Ledger()
            let stores = try (0..<2).map {
                try Ledger.open(disk.anotherProcess().services(entropySeed: UInt64($0)))
            }
            for (number, store) in stores.enumerated() {
                try ledger.commit(100 + number, to: store)
            }
            disk.plan(
                Fault(.fails(errno: SystemErrno.inputOutput), at: ordinal, of: [.lock]))
            for (number, store) in (stores + stores).enumerated() {
                do {
                    try ledger.tryCommit(200 + ordinal * 10 + number, .operations, to: store)
                } catch let error as StoreError {
                    #expect(error.code == .inputOutput || error.code == .poisoned)
                    refused += 1
                }
            }
            disk.forgetPlans()
            try Ledger(ledger).checkEnd(disk.powerLossImage(.nothingSurvives), isAtRest: false)
        }
        #expect(refused > 0)
    }
}
