import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("Indexes")
struct IndexTests {
    private static let path = "/people.firn"
    private let disk = SimulatedFileSystem()

    private func options() -> StoreOptions {
        var options = StoreOptions()
        options.rowsPerGroup = 16
        options.checkpointsInBackground = false
        return options
    }

    /// People with a name, an age, and tags.
    private func make(_ count: Int, indexes: [ClassDefinition.Index] = []) throws -> Store {
        let creation = try Store.create(
            Self.path, services: disk.services(entropySeed: 1), options: options())
        let transaction = try creation.store.beginWrite()
        let person = try transaction.addClass(
            ClassDefinition(
                name: "Person",
                properties: [
                    .init(name: "name", type: PropertyType(.string, isOptional: true)),
                    .init(name: "age", type: PropertyType(.int, isOptional: true)),
                    .init(name: "tags", type: PropertyType(.string, container: .list)),
                ], indexes: indexes))
        for number in 0..<count { try transaction.create(in: person.id, Self.values(number)) }
        _ = try transaction.commit()
        try creation.publish()
        return creation.store
    }

    private static func values(_ number: Int) -> [Value] {
        [.string("n\(number % 7)"), .int(Int64(number % 10)), .list([.string("t\(number % 3)")])]
    }

    private func person(_ store: Store) throws -> ClassSchema {
        try #require(store.snapshot().schema.classNamed("Person"))
    }

    private func add(
        _ names: [String], _ options: IndexSchema.Options = [], to store: Store
    ) throws {
        let transaction = try store.beginWrite()
        try transaction.addIndex(.init(names, options: options), to: person(store).id)
        _ = try transaction.commit()
    }

    /// The rows of a value, by the index and by reading all rows.
    private func rows(_ name: String, _ value: Value, _ store: Store) throws -> [UInt64] {
        let snapshot = try store.snapshot()
        let schema = try person(store)
        let property = try #require(schema.propertyNamed(name))
        let table = try #require(snapshot.table(schema.id))
        let index = try #require(schema.index(on: [property.id], options: []))
        let reader = try #require(try table.reader(of: index))
        let test: ColumnTest = value.isNull ? .isNull : .compare(.equal, value)
        let ranges = try #require(ValueRanges(test, of: property, ignoresCase: false))
        guard case .points(let keys, _) = ranges else { return [] }
        let range = IndexRange(prefix: keys[0])
        let found = try reader.rows(in: range)
        let expected = try table.liveRowIDs().filter { row in
            try table.values(of: row)?[schema.index(of: property.id) ?? 0] == value
        }
        #expect(found == expected)
        #expect(try reader.count(in: range) == expected.count)
        return found.map(\.rawValue)
    }

    @Test(
        "An index finds rows in the root and in the log, and rows that the log changed or deleted")
    func overlay() throws {
        let store = try make(40)
        try add(["name"], to: store)
        #expect(try rows("name", .string("n3"), store) == [3, 10, 17, 24, 31, 38])
        let person = try person(store)
        let name = person.properties[0].id
        // The first commits of a handle write pages; later ones are in the log.
        for number in 40..<44 {
            let transaction = try store.beginWrite()
            try transaction.create(in: person.id, Self.values(number))
            _ = try transaction.commit()
        }
        let transaction = try store.beginWrite()
        try transaction.delete(RowID(10), in: person.id)
        try transaction.set(name, of: RowID(17), in: person.id, to: .null)
        try transaction.set(name, of: RowID(0), in: person.id, to: .string("n3"))
        try transaction.set(name, of: RowID(41), in: person.id, to: .string("n3"))
        try transaction.delete(RowID(42), in: person.id)
        _ = try transaction.commit()
        #expect(try rows("name", .string("n3"), store) == [0, 3, 24, 31, 38, 41])
        #expect(try rows("name", .null, store) == [17])
        #expect(try rows("name", .string("n0"), store) == [7, 14, 21, 28, 35])
        try store.checkpoint()
        #expect(try rows("name", .string("n3"), store) == [0, 3, 24, 31, 38, 41])
        try expectSound(store)
    }

    @Test("A rolled back transaction leaves the index as it was")
    func rollback() throws {
        let store = try make(20)
        try add(["age"], to: store)
        let person = try person(store)
        let transaction = try store.beginWrite()
        try transaction.set(
            person.properties[1].id, of: RowID(3), in: person.id, to: .int(99))
        transaction.rollback()
        #expect(try rows("age", .int(99), store).isEmpty)
        #expect(try rows("age", .int(3), store) == [3, 13])
        try expectSound(store)
    }

    @Test("Nil is not 0, and a missing element is not an entry")
    func null() throws {
        let store = try make(0)
        try add(["age"], to: store)
        try add(["tags"], to: store)
        let person = try person(store)
        let transaction = try store.beginWrite()
        try transaction.create(in: person.id, [.null, .int(0), .list([])])
        try transaction.create(in: person.id, [.null, .null, .list([.string("a"), .string("a")])])
        _ = try transaction.commit()
        #expect(try rows("age", .int(0), store) == [0])
        #expect(try rows("age", .null, store) == [1])
        let tags = person.properties[2]
        let table = try #require(store.snapshot().table(person.id))
        let index = try #require(self.person(store).index(on: [tags.id], options: []))
        #expect(try table.reader(of: index)?.count == 1)
        try store.checkpoint()
        try expectSound(store)
    }

    @Test("A file with an index sets the feature for writers, and a file without one does not")
    func feature() throws {
        let store = try make(5)
        #expect(try store.readSuperblock().newest.readOnlyFeatures == 0)
        try add(["name"], to: store)
        #expect(
            try store.readSuperblock().newest.readOnlyFeatures == Superblock.indexFeature)
        let transaction = try store.beginWrite()
        let person = try person(store)
        try transaction.removeIndex(try #require(person.indexes.first), of: person.id)
        _ = try transaction.commit()
        #expect(try store.readSuperblock().newest.readOnlyFeatures == 0)
        try expectSound(store)
    }

    @Test("Impossible indexes are refused, and nothing changes")
    func refused() throws {
        let store = try make(5)
        try add(["name"], to: store)
        let person = try person(store)
        let wrong: [(names: [String], options: IndexSchema.Options)] = [
            (["name"], []), (["nme"], []), ([], []), (["name", "name"], []),
            (["name", "tags"], []), (["age"], .caseInsensitive), (["tags"], .unique),
        ]
        for (names, options) in wrong {
            let transaction = try store.beginWrite()
            #expect(throws: StoreError.self, "\(names)") {
                try transaction.addIndex(.init(names, options: options), to: person.id)
            }
            #expect(try transaction.schema == store.snapshot().schema)
        }
    }

    @Test("Old versions keep their indexes, and versions before an index do not have it")
    func versions() throws {
        let store = try make(20)
        let before = try store.snapshot()
        try add(["name"], to: store)
        let with = try store.snapshot()
        let person = try person(store)
        let transaction = try store.beginWrite()
        for row in 0..<20 { try transaction.delete(RowID(UInt64(row)), in: person.id) }
        try transaction.removeIndex(person.indexes[0], of: person.id)
        _ = try transaction.commit()
        #expect(before.schema.classes[0].indexes.isEmpty)
        let table = try #require(with.table(person.id))
        #expect(try table.reader(of: person.indexes[0])?.count == 20)
        #expect(try self.person(store).indexes.isEmpty)
    }

    // MARK: Unique values

    @Test("Creating or setting a value that another object has is refused")
    func unique() throws {
        let store = try make(5)
        try add(["name"], .unique, to: store)
        let person = try person(store)
        let transaction = try store.beginWrite()
        func refused(_ body: () throws -> Void) {
            let error = #expect(throws: StoreError.self) { try body() }
            #expect(error?.code == .duplicateKey)
        }
        refused { try transaction.create(in: person.id, Self.values(3)) }
        let name = person.properties[0].id
        refused { try transaction.set(name, of: RowID(0), in: person.id, to: .string("n4")) }
        // A value that became free may be used, and nil any number of times.
        try transaction.delete(RowID(4), in: person.id)
        try transaction.set(name, of: RowID(0), in: person.id, to: .string("n4"))
        for _ in 0..<3 { try transaction.create(in: person.id, [.null, .null, .list([])]) }
        refused { try transaction.create(in: person.id, Self.values(4)) }
        try transaction.create(in: person.id, Self.values(0))
        _ = try transaction.commit()
        #expect(try store.snapshot().table(person.id)?.liveRowCount == 8)
        try store.checkpoint()
        try expectSound(store)
    }

    /// Only neighbours were compared, and the third text differed from the second one.
    @Test("Equal long strings are found among others with the same prefix, even in bulk")
    func equalLongTexts() throws {
        let text = String(repeating: "x", count: 512)
        let store = try make(0)
        let person = try person(store)
        let transaction = try store.beginWrite()
        for ending in ["a", "b", "a"] {
            try transaction.create(in: person.id, [.string(text + ending), .null, .list([])])
        }
        let error = #expect(throws: StoreError.self) {
            try transaction.addIndex(.init(["name"], options: .unique), to: person.id)
        }
        #expect(error?.detail.contains("@id 0 and 2") == true, "\(String(describing: error))")
        try transaction.delete(RowID(0), in: person.id)
        try transaction.addIndex(.init(["name"], options: .unique), to: person.id)
        _ = try transaction.commit()
        let bulk = try store.beginWrite()
        let loader = try bulk.bulkLoader(for: person.id)
        for ending in ["c", "d", "a"] {
            try loader.columns[0].append(.string(text + ending))
            loader.columns[1].appendNull()
            try loader.endRow()
        }
        try loader.finish()
        #expect(throws: StoreError.self) { try bulk.commit() }
        try expectSound(store)
    }

    /// Each of them was compared with all others.
    @Test("Many objects without a value cost a unique index nothing")
    func manyNils() throws {
        let store = try make(0)
        try add(["name", "age"], .unique, to: store)
        let person = try person(store)
        for _ in 0..<3 {
            let transaction = try store.beginWrite()
            for number in 0..<3_000 {
                try transaction.create(
                    in: person.id, [number % 2 == 0 ? .null : .string("a"), .null, .list([])])
            }
            _ = try transaction.commit()
        }
        try store.checkpoint()
        try expectSound(store)
    }

    /// The entries of the property that was rolled back were those of the next one.
    @Test("A property that is added again after a rollback has its own entries")
    func rolledBackProperty() throws {
        let store = try make(0)
        let person = try person(store)
        for number in 0..<3 {
            let transaction = try store.beginWrite()
            try transaction.create(in: person.id, Self.values(number))
            _ = try transaction.commit()
        }
        for value in [1, 7] {
            let transaction = try store.beginWrite()
            try transaction.addProperty(
                .init(name: "x", type: PropertyType(.int), isIndexed: true), to: person.id,
                defaultValue: .int(Int64(value)))
            let snapshot = try transaction.snapshot()
            let schema = try #require(snapshot.schema[person.id])
            let table = try #require(snapshot.table(person.id))
            let index = try #require(schema.indexes.first)
            if let reader = try table.reader(of: index) {
                let property = try #require(schema.propertyNamed("x"))
                let ranges = ValueRanges(
                    .compare(.equal, .int(Int64(value))), of: property, ignoresCase: false)
                guard case .points(let keys, _)? = ranges else { return }
                #expect(try reader.rows(in: IndexRange(prefix: keys[0])).count == 3)
            }
            transaction.rollback()
        }
    }

    /// The index was read after the deletion, and the value of the object that came back was free.
    @Test("A step that is undone restores the values of its objects")
    func undone() throws {
        let store = try make(5)
        try add(["name"], .unique, to: store)
        let person = try person(store)
        let transaction = try store.beginWrite()
        #expect(throws: StoreError.self) {
            try transaction.atomically { () throws(StoreError) in
                try transaction.delete(RowID(0), in: person.id)
                try transaction.create(in: person.id, [.string("new"), .null, .list([])])
                throw StoreError(.invalidValue, path: Self.path, detail: "the step is rejected")
            }
        }
        #expect(throws: StoreError.self) {
            try transaction.create(in: person.id, Self.values(0))
        }
        try transaction.create(in: person.id, [.string("new"), .null, .list([])])
        _ = try transaction.commit()
        try store.checkpoint()
        try expectSound(store)
    }

    @Test("Two objects that violate a unique index are named, and nothing changes")
    func contradiction() throws {
        let store = try make(10)
        let person = try person(store)
        let transaction = try store.beginWrite()
        let error = #expect(throws: StoreError.self) {
            try transaction.addIndex(.init(["name"], options: .unique), to: person.id)
        }
        #expect(error?.code == .duplicateKey)
        #expect(error?.detail.contains("@id 0 and 7") == true)
        #expect(try transaction.schema == store.snapshot().schema)
    }

    @Test("A bulk load with a duplicate value is refused as a whole")
    func bulk() throws {
        let store = try make(5)
        try add(["name", "age"], .unique, to: store)
        let person = try person(store)
        let transaction = try store.beginWrite()
        let loader = try transaction.bulkLoader(for: person.id)
        for number in [100, 101, 102, 31] {
            try loader.columns[0].append(.string("n\(number % 7)"))
            try loader.columns[1].append(.int(Int64(number % 10)))
            try loader.endRow()
        }
        try loader.finish()
        let error = #expect(throws: StoreError.self) { try transaction.commit() }
        #expect(error?.code == .duplicateKey)
        #expect(try store.snapshot().table(person.id)?.liveRowCount == 5)
        try expectSound(store)
    }

    @Test("Long strings are duplicates only if they are also equal after the cut")
    func longTexts() throws {
        let store = try make(0)
        try add(["name"], .unique, to: store)
        let person = try person(store)
        let text = String(repeating: "x", count: 600)
        let transaction = try store.beginWrite()
        for ending in ["a", "b", ""] {
            try transaction.create(in: person.id, [.string(text + ending), .null, .list([])])
        }
        #expect(throws: StoreError.self) {
            try transaction.create(in: person.id, [.string(text + "b"), .null, .list([])])
        }
        _ = try transaction.commit()
        try store.checkpoint()
        try expectSound(store)
    }

    @Test("Without case, strings that differ only in case violate a unique index")
    func withoutCase() throws {
        let store = try make(3)
        try add(["name"], [.unique, .caseInsensitive], to: store)
        let person = try person(store)
        let transaction = try store.beginWrite()
        let error = #expect(throws: StoreError.self) {
            try transaction.create(in: person.id, [.string("N1"), .null, .list([])])
        }
        // The value is that of the other object.
        #expect(error?.detail.contains("@id 1 has name \"n1\" already") == true)
        try transaction.create(in: person.id, [.string("N9"), .null, .list([])])
        _ = try transaction.commit()
    }
}
