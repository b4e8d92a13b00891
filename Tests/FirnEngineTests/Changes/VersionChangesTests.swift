import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Changes between two versions")
struct VersionChangesTests {
    /// Transactions of more than a few hundred bytes write pages, so that operations, whole roots
    /// and both in one span are compared.
    @Test(
        "Changes read from operations or from pages equal the difference between two models",
        arguments: TestScale.seeds(8))
    func againstModel(seed: UInt64) throws {
        let history = try ObjectHistory(
            seed: seed, population: 25, recordedByteCount: seed % 2 == 0 ? 1 << 20 : 3_000)
        history.checksChanges = true
        do {
            try history.run(operations: 500, perTransaction: seed % 4 == 1 ? 100 : 20)
            RunCounters.operations.add(history.operationCount)
        } catch {
            Issue.record(
                """
                seed \(seed), operation \(history.operationCount): \(error)
                \(history.log.joined(separator: "\n"))
                """)
        }
    }

    private static let properties = [
        ClassDefinition.Property(name: "n", type: PropertyType(.int)),
        ClassDefinition.Property(name: "tags", type: PropertyType(.string, container: .list)),
    ]

    private func make(
        _ disk: SimulatedFileSystem, _ logging: StoreOptions.Logging
    ) throws -> (Store, ClassID) {
        let services = disk.services(entropySeed: 1)
        let creation = try Store.create("/c.firn", services: services)
        let transaction = try creation.store.beginWrite()
        let classID = try transaction.addClass(
            ClassDefinition(name: "A", properties: VersionChangesTests.properties)
        ).id
        _ = try transaction.commit()
        try creation.publish()
        var options = StoreOptions()
        options.logging = logging
        options.checkpointsInBackground = false
        let store = try Store.open("/c.firn", readOnly: false, services: services, options: options)
        return (store, classID)
    }

    /// The edits of the list reported only the insertion.
    @Test("A list has no edits for an object that was inserted and removed between the versions")
    func passingElement() throws {
        let disk = SimulatedFileSystem()
        let services = disk.services(entropySeed: 1)
        let creation = try Store.create("/c.firn", services: services)
        let first = try creation.store.beginWrite()
        let links = ClassDefinition.Property(
            name: "links", type: PropertyType(.link, container: .list), targetName: "A")
        let schema = try first.addClass(ClassDefinition(name: "A", properties: [links]))
        let owner = try first.create(in: schema.id, [.list([])])
        _ = try first.commit()
        try creation.publish()
        let old = try creation.store.snapshot()
        let second = try creation.store.beginWrite()
        let row = try second.create(in: schema.id, [.list([])])
        let link = Value.link(ObjectReference(classID: schema.id, rowID: row))
        try second.edit(schema.properties[0].id, of: owner, in: schema.id, .append(link))
        _ = try second.commit()
        let third = try creation.store.beginWrite()
        try third.delete(row, in: schema.id)
        _ = try third.commit()
        let changes = try creation.store.changes(from: old, to: creation.store.snapshot())
        let known = try #require(changes.classes[schema.id])
        #expect(known.created.isEmpty && known.deleted.isEmpty && known.edits.isEmpty)
        #expect(known.modified.map(\.row) == [owner])
    }

    @Test(
        "Changes are read from the log if it exists, from older history, or from both",
        arguments: [StoreOptions.Logging.always, .never])
    func logAndHistory(logging: StoreOptions.Logging) throws {
        let disk = SimulatedFileSystem()
        let (store, classID) = try make(disk, logging)
        let table = try #require(store.snapshot().schema.classNamed("A"))
        let (n, tags) = (table.properties[0].id, table.properties[1].id)
        var snapshots = [try store.snapshot()]
        for step in 0..<12 {
            let transaction = try store.beginWrite()
            let row = try transaction.create(in: classID, [.int(Int64(step)), .list([])])
            if row.rawValue > 0 {
                try transaction.set(n, of: RowID(0), in: classID, to: .int(Int64(step)))
                try transaction.edit(tags, of: RowID(0), in: classID, .append(.string("t")))
            }
            _ = try transaction.commit()
            snapshots.append(try store.snapshot())
            if step == 5 { try store.checkpoint() }
        }
        for (start, old) in snapshots.enumerated() {
            for (end, new) in snapshots.enumerated().dropFirst(start) {
                let changes = try store.changes(from: old, to: new)
                let known = changes.classes[classID] ?? ClassChanges()
                #expect(known.created == (start..<end).map { RowID(UInt64($0)) })
                let isWritten = start > 0 && end > start
                #expect(known.modified.map(\.row) == (isWritten ? [RowID(0)] : []))
                #expect(
                    known.modified.first?.properties
                        == (isWritten ? PropertySet([n, tags]) : nil))
                let place = CollectionID(row: RowID(0), property: tags)
                #expect(known.edits[place]?.count == (isWritten ? end - start : nil))
                #expect((changes.commit != nil) == (end > start))
            }
        }
    }

    @Test("Objects that were created and deleted between the versions do not appear")
    func transientObjects() throws {
        let (store, classID) = try make(SimulatedFileSystem(), .always)
        let old = try store.snapshot()
        var row = RowID(0)
        let first = try store.beginWrite()
        row = try first.create(in: classID, [.int(1), .list([])])
        _ = try first.commit()
        let between = try store.snapshot()
        let second = try store.beginWrite()
        try second.delete(row, in: classID)
        _ = try second.commit()
        let new = try store.snapshot()
        #expect(try store.changes(from: old, to: new).isEmpty)
        #expect(try store.changes(from: between, to: new).classes[classID]?.deleted == [row])
        #expect(try store.changes(from: new, to: new).isEmpty)
    }

    @Test(
        "A property set to its current value appears only if the transaction records rewrites",
        arguments: [true, false], [StoreOptions.Logging.always, .never])
    func rewrites(areRecorded: Bool, logging: StoreOptions.Logging) throws {
        let (store, classID) = try make(SimulatedFileSystem(), logging)
        let first = try store.beginWrite()
        let row = try first.create(in: classID, [.int(7), .list([.string("a")])])
        _ = try first.commit()
        let old = try store.snapshot()
        let schema = try #require(old.schema[classID])
        let second = try store.beginWrite()
        second.recordsRewrites = areRecorded
        try second.set(schema.properties[0].id, of: row, in: classID, to: .int(7))
        _ = try second.commit()
        let new = try store.snapshot()
        #expect(new.version.rawValue == old.version.rawValue + (areRecorded ? 1 : 0))
        let written = try store.changes(from: old, to: new).classes[classID]?.modified
        #expect(
            written
                == (areRecorded
                    ? [
                        ModifiedObject(
                            row: row, properties: PropertySet([schema.properties[0].id]))
                    ] : nil))
        let table = try #require(new.table(classID))
        #expect(try table.values(of: row) == [.int(7), .list([.string("a")])])
    }
}
