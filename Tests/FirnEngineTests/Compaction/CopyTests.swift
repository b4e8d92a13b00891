import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Copies of a database")
struct CopyTests {
    private static let path = "/copy.firn"

    @Test("A copy has the content of the original", arguments: TestScale.seeds(8))
    func randomHistories(seed: UInt64) throws {
        let history = try ObjectHistory(seed: seed, population: seed % 4 == 0 ? 120 : 25)
        do {
            try history.run(operations: 300, perTransaction: seed % 2 == 0 ? 40 : 200)
            let snapshot = try history.store.snapshot()
            try CopyTests.expectCopy(of: snapshot, history, history.model, "a root")
            let transaction = try history.store.beginWrite()
            for _ in 0..<60 { try history.operate(transaction) }
            try CopyTests.expectCopy(
                of: transaction.snapshot(), history, history.model, "a root with changes")
        } catch {
            Issue.record("seed \(seed): \(error)\n\(history.log.joined(separator: "\n"))")
        }
    }

    /// Copies a snapshot, twice, and compares the copy with the model and with its own copy.
    private static func expectCopy(
        of snapshot: Snapshot, _ history: ObjectHistory, _ model: ObjectModel, _ what: String
    ) throws {
        let byteCount = try history.store.copy(snapshot, to: path)
        let copy = try Store.open(path, readOnly: true, services: history.services)
        let copied = try copy.snapshot()
        try model.compare(with: copied, &history.generator, what: "a copy of \(what)")
        try expectSound(copy)
        #expect(try copy.fileStatus().size == byteCount)
        try expectSameIdentities(copied, snapshot)
        // A copy of a copy saves no more space, except for different page boundaries.
        let first = try #require(byteCount)
        let again = try #require(try copy.copy(copied, to: "\(path)-again"))
        #expect(again <= first + 1024 && first <= again + 1024, "\(what)")
        try history.services.files.remove(path)
        try history.services.files.remove("\(path)-again")
    }

    private static func expectSameIdentities(_ copied: Snapshot, _ original: Snapshot) throws {
        #expect(copied.version == original.version)
        #expect(copied.root.superblock.fileID != original.root.superblock.fileID)
        #expect(copied.catalog.schemaVersion == original.catalog.schemaVersion)
        #expect(copied.catalog.nextClassID == original.catalog.nextClassID)
        #expect(try copied.freezes().isEmpty)
        for record in original.catalog.classes {
            let other = try #require(copied.catalog[record.schema.id])
            #expect(
                other.nextRowID == (original.overlay?.nextRowID(of: record) ?? record.nextRowID))
            #expect(other.nextPropertyID == record.nextPropertyID)
            #expect(other.defaultValues.isEmpty)
        }
    }

    @Test("A copy is writable like any other database")
    func goesOn() throws {
        let history = try ObjectHistory(seed: 77, population: 30)
        try history.run(operations: 300, perTransaction: 50)
        try history.store.copy(history.store.snapshot(), to: CopyTests.path)
        history.store = try Store.open(
            CopyTests.path, readOnly: false, services: history.services,
            options: CompactionFixture.storeOptions())
        let transaction = try history.store.beginWrite()
        for _ in 0..<100 { try history.operate(transaction) }
        _ = try transaction.commit()
        try history.store.checkpoint()
        try history.model.compare(
            with: history.store.snapshot(), &history.generator, what: "a copy that was changed")
        try expectSound(history.store)
    }

    @Test("A copy of mostly deleted rows has full row groups and no key index")
    func isDense() throws {
        let disk = SimulatedFileSystem()
        let services = disk.services(entropySeed: 1)
        try makeSample("/a.firn", rowCount: 400, services: services)
        let store = try Store.open("/a.firn", readOnly: false, services: services)
        let schema = try store.itemClass()
        let transaction = try store.beginWrite()
        // Keys out of order make an index; without that object the index is not needed.
        let row = try transaction.create(in: schema.id, Sample.values(-5))
        _ = try transaction.commit()
        let second = try store.beginWrite()
        try second.delete(
            (0..<400).filter { $0 % 10 != 3 }.map { RowID($0) } + [row], in: schema.id)
        _ = try second.commit()
        guard case .tree? = try store.snapshot().catalog[schema.id]?.keyIndex else {
            throw TestFailure("the keys have no index")
        }
        try store.copy(store.snapshot(), to: CopyTests.path)
        let copy = try Store.open(CopyTests.path, readOnly: true, services: services)
        let record = try #require(copy.snapshot().catalog[schema.id])
        #expect(record.keyIndex == .ascending)
        #expect(record.groupCount == 5)
        #expect(try copy.contents() == store.contents())
        try expectSound(copy)
    }

    @Test("A cancelled copy leaves no file")
    func ended() throws {
        let disk = SimulatedFileSystem()
        let services = disk.services(entropySeed: 1)
        try makeSample("/a.firn", rowCount: 100, services: services)
        let store = try Store.open("/a.firn", readOnly: true, services: services)
        var steps: [CompactionProgress] = []
        let size = try store.copy(store.snapshot(), to: CopyTests.path) { progress in
            steps.append(progress)
            return steps.count < 5
        }
        #expect(size == nil)
        #expect(steps.count == 5)
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.doneByteCount < $1.doneByteCount })
        #expect(disk.fileNames == ["/a.firn"])
    }

    @Test("A copy does not touch an existing file at its path")
    func exists() throws {
        let disk = SimulatedFileSystem()
        let services = disk.services(entropySeed: 1)
        try makeSample("/a.firn", rowCount: 10, services: services)
        try makeSample(CopyTests.path, rowCount: 3, services: services)
        let store = try Store.open("/a.firn", readOnly: true, services: services)
        let error = #expect(throws: StoreError.self) {
            try store.copy(store.snapshot(), to: CopyTests.path)
        }
        #expect(error?.code == .exists)
        let other = try Store.open(CopyTests.path, readOnly: true, services: services)
        #expect(try other.contents().count == 3)
        #expect(disk.fileNames == ["/a.firn", CopyTests.path])
    }

    @Test(
        "A copy is complete or absent, whichever operation of the disk fails",
        arguments: [SystemErrno.inputOutput, SystemErrno.diskFull])
    func everyFault(errno: Int32) throws {
        for ordinal in 0..<200 {
            let disk = SimulatedFileSystem()
            let services = disk.services(entropySeed: 1)
            try makeSample("/a.firn", rowCount: 30, services: services)
            let store = try Store.open("/a.firn", readOnly: true, services: services)
            disk.plan(Fault(.fails(errno: errno), at: ordinal))
            let isMade = (try? store.copy(store.snapshot(), to: CopyTests.path)) != nil
            disk.forgetPlans()
            if disk.fileNames.contains(CopyTests.path) {
                let copy = try Store.open(CopyTests.path, readOnly: true, services: services)
                #expect(try copy.contents().count == 30)
                try expectSound(copy)
            }
            #expect(disk.fileNames.allSatisfy { ["/a.firn", CopyTests.path].contains($0) })
            if isMade {
                #expect(ordinal > 8, "a copy has more operations than that")
                return
            }
        }
        Issue.record("the copy never succeeded")
    }
}
