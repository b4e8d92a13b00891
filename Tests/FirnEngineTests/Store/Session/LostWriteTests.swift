import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// A drive that acknowledges a write and never stores it, or stores it elsewhere.
///
/// Checksums know what a place should hold, so what is read is what was written, or an error. Only
/// the last frame of a log may be missing without one: nothing that was stored speaks of it.
@Suite("A write that the drive lost or misplaced")
struct LostWriteTests {
    /// Performs commits, one write of which goes wrong, and reads all as the next process does.
    ///
    /// - Returns: whether there was such a write, and whether anybody noticed.
    private func run(
        _ effect: Fault.Effect, at ordinal: Int, _ logging: StoreOptions.Logging
    ) throws -> (hasHappened: Bool, isNoticed: Bool) {
        let disk = SimulatedFileSystem()
        try Ledger.make(disk.services(entropySeed: 70))
        let ledger = Ledger()
        let writes = Guarded(0)
        disk.beforeEachOperation { operation in
            if operation.kind == .write { writes.withLock { $0 += 1 } }
        }
        disk.plan(Fault(effect, at: ordinal, of: [.write]))
        var isNoticed = false
        do {
            let store = try Ledger.open(disk.services(entropySeed: 2), logging: logging)
            for attempt in 100..<104 { try ledger.commit(attempt, to: store) }
            try ledger.commit(104, .pages, to: store)
            try store.checkpoint()
            for attempt in 105..<108 { try ledger.commit(attempt, to: store) }
            disk.beforeEachOperation(nil)
            let left = disk.powerLossImage(.everythingSurvives)
            let reader = try Ledger.open(left.services(entropySeed: 3), readOnly: true)
            let snapshot = try reader.snapshot()
            let lost: UInt64 = logging == .never ? 0 : 1
            guard snapshot.version.rawValue + lost >= ledger.newestPromised.rawValue else {
                throw TestFailure("\(snapshot.version) of \(ledger.newestPromised) in silence")
            }
            try ledger.check(snapshot)
        } catch let error as StoreError {
            guard [.corrupt, .logMissing, .notADatabase].contains(error.code) else { throw error }
            isNoticed = true
        }
        disk.beforeEachOperation(nil)
        Tally.faults.add(1)
        return (writes.withLock { $0 } > ordinal, isNoticed)
    }

    @Test("is noticed, or does not matter", arguments: [StoreOptions.Logging.never, .always])
    func everyWrite(logging: StoreOptions.Logging) throws {
        let effects: [Fault.Effect] = [
            .losesWrite, .misdirects(by: 512), .misdirects(by: -512), .misdirects(by: 8192),
        ]
        var noticed = 0
        for effect in effects {
            var ordinal = 0
            while true {
                do {
                    let result = try run(effect, at: ordinal, logging)
                    if result.isNoticed { noticed += 1 }
                    guard result.hasHappened || result.isNoticed else { break }
                } catch {
                    Issue.record("\(effect) at write \(ordinal), logging \(logging): \(error)")
                }
                ordinal += 1
            }
            #expect(ordinal > 20)
        }
        #expect(noticed > 20, "hardly anything was noticed")
    }
}
