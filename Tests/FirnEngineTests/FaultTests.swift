import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@Suite("Failing disks")
struct FaultTests {
    private static let path = "/fault.firn"

    /// Fails the n-th operation of a commit, for every n until the commit succeeds.
    @Test(
        "A failed commit leaves the state before it, and later commits work",
        arguments: [
            SystemErrno.inputOutput, SystemErrno.diskFull, SystemErrno.quotaUsed,
            SystemErrno.fileTooLarge,
        ])
    func nthOperation(errno: Int32) throws {
        for ordinal in 0..<200 {
            let disk = SimulatedFileSystem()
            try makeSample(FaultTests.path, rowCount: 20, services: disk.services(entropySeed: 1))
            let store = try Store.open(
                FaultTests.path, readOnly: false, services: disk.services(entropySeed: 2))
            let before = try store.contents()
            disk.plan(Fault(.fails(errno: errno), at: ordinal, of: [.write, .sync]))
            do {
                try insert(into: store)
                #expect(ordinal > 3, "a commit has at least two writes and two syncs")
                return
            } catch let error as StoreError {
                #expect([.inputOutput, .diskFull].contains(error.code))
            }
            disk.forgetPlans()
            // This handle may be poisoned; a new one must find one of the two states and be usable.
            let reopened = try Store.open(
                FaultTests.path, readOnly: false, services: disk.services(entropySeed: 3))
            let after = try reopened.contents()
            #expect(after == before || after.count == before.count + 5)
            if after == before { try insert(into: reopened) }
            #expect(try reopened.contents().count == 25)
            try expectSound(reopened, allowingTornCopy: true)
        }
        Issue.record("the commit never succeeded")
    }

    @Test(
        "A failed creation leaves a whole database or none, and no temporary file",
        arguments: [
            SystemErrno.inputOutput, SystemErrno.diskFull, SystemErrno.quotaUsed,
            SystemErrno.fileTooLarge,
        ])
    func creation(errno: Int32) throws {
        for ordinal in 0..<200 {
            let disk = SimulatedFileSystem()
            let services = disk.services(entropySeed: 1)
            disk.plan(Fault(.fails(errno: errno), at: ordinal))
            let isMade = (try? makeSample(FaultTests.path, rowCount: 20, services: services)) != nil
            disk.forgetPlans()
            let names = disk.fileNames
            #expect(names.isEmpty || names == [FaultTests.path], "ordinal \(ordinal): \(names)")
            if !names.isEmpty {
                let store = try Store.open(FaultTests.path, readOnly: true, services: services)
                #expect(try store.contents().count == 20)
                try expectSound(store)
            }
            if isMade {
                #expect(ordinal > 8, "a creation has more operations than that")
                return
            }
        }
        Issue.record("the creation never succeeded")
    }

    /// After a failed sync the kernel marks the lost pages as clean, and the next sync succeeds: a
    /// handle that retried would acknowledge data that is not on disk.
    @Test("The first failed sync poisons the handle, which never acknowledges lost data")
    func failedSync() throws {
        for ordinal in 0..<2 {
            let disk = SimulatedFileSystem()
            try makeSample(FaultTests.path, rowCount: 20, services: disk.services(entropySeed: 1))
            let store = try Store.open(
                FaultTests.path, readOnly: false, services: disk.services(entropySeed: 2))
            disk.plan(
                Fault(.fails(errno: SystemErrno.inputOutput), at: ordinal, of: [.sync]))
            #expect(throws: StoreError.self) { try insert(into: store) }
            let error = #expect(throws: StoreError.self) { try insert(into: store) }
            #expect(error?.code == .poisoned)
            #expect(try store.contents().count >= 20, "reading goes on")
            let durable = disk.powerLossImage(.nothingSurvives)
            let reopened = try Store.open(
                FaultTests.path, readOnly: false, services: durable.services(entropySeed: 3))
            try insert(into: reopened)
            try expectSound(reopened)
        }
    }

    /// The kernel shows a root whose sync failed as if it were written. A process that built on it
    /// once overwrote the root before it, and a crash at that moment left only the root before
    /// that.
    @Test("A root in doubt is made durable before the next commit overwrites the previous one")
    func doubtfulRoot() throws {
        let disk = SimulatedFileSystem()
        try makeSample(FaultTests.path, rowCount: 20, services: disk.services(entropySeed: 1))
        for entropySeed in [UInt64(2), 3] {
            let store = try Store.open(
                FaultTests.path, readOnly: false, services: disk.services(entropySeed: entropySeed))
            let transaction = try store.beginWrite()
            try transaction.delete(RowID(entropySeed), in: try store.itemClass().id)
            // The second one also syncs before it repairs the damage that the first one left.
            let last = entropySeed == 2 ? 1 : 2
            disk.plan(Fault(.fails(errno: SystemErrno.inputOutput), at: last, of: [.sync]))
            let error = #expect(throws: StoreError.self) { try transaction.commit() }
            #expect(error?.code == .inputOutput)
        }
        let durable = disk.powerLossImage(.nothingSurvives)
        let reopened = try Store.open(
            FaultTests.path, readOnly: true, services: durable.services(entropySeed: 4))
        #expect(try reopened.snapshot().version == LSN(2))
        try expectSound(reopened)
    }

    @Test("A disk that fills up during a load leaves neither a database nor a temporary file")
    func diskFull() throws {
        let disk = SimulatedFileSystem(capacity: 40_000)
        let error = #expect(throws: StoreError.self) {
            try makeSample(
                FaultTests.path, rowCount: 4000, services: disk.services(entropySeed: 1),
                rowsPerGroup: 64)
        }
        #expect(error?.code == .diskFull)
        #expect(disk.fileNames.isEmpty)
        disk.setCapacity(nil)
        try makeSample(FaultTests.path, rowCount: 4000, services: disk.services(entropySeed: 1))
    }

    private func insert(into store: Store) throws {
        let schema = try store.itemClass()
        let transaction = try store.beginWrite()
        for number in 100..<105 { try transaction.create(in: schema.id, Sample.values(number)) }
        _ = try transaction.commit()
    }
}
