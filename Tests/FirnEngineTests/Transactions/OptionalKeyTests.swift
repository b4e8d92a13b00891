import FirnCodec
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

@Suite("A primary key that may be nil")
struct OptionalKeyTests {
    private static let bases: [ValueTag] = [.int, .string, .uuid, .objectID]
    private let folder = TemporaryFolder()
    private var path: String { folder("desks.firn") }

    private static func definition(_ base: ValueTag) -> ClassDefinition {
        ClassDefinition(
            name: "Desk",
            properties: [
                .init(name: "label", type: PropertyType(.string)),
                .init(name: "id", type: PropertyType(base, isOptional: true)),
            ], keyName: "id")
    }

    /// A closed database with objects that have these keys, each committed on its own.
    private func make(_ base: ValueTag, _ keys: [Value]) throws {
        let creation = try Store.create(path, options: Sample.options(rowsPerGroup: 4))
        let transaction = try creation.store.beginWrite()
        try transaction.addClass(OptionalKeyTests.definition(base))
        _ = try transaction.commit()
        try creation.publish()
        for key in keys { try create(key) }
    }

    private func create(_ key: Value) throws {
        let store = try Store.open(path, readOnly: false)
        let transaction = try store.beginWrite()
        try transaction.create(in: desk(store).id, [.string("\(key)"), key])
        _ = try transaction.commit()
    }

    private func desk(_ store: Store) throws -> ClassSchema {
        try #require(try store.snapshot().schema.classNamed("Desk"))
    }

    private func row(_ key: Value, in store: Store) throws -> UInt64? {
        try store.snapshot().table(desk(store).id)?.row(forKey: key)?.rawValue
    }

    private func keyIndex(_ store: Store) throws -> KeyIndex? {
        try store.snapshot().root.catalog[desk(store).id]?.keyIndex
    }

    @Test(
        "A leading object without a key is found, with the rows as the index",
        arguments: bases)
    func first(base: ValueTag) throws {
        let keys = (0..<11).map { Generated.key(base, Int64($0) * 3) }
        try make(base, [.null] + keys)
        let store = try Store.open(path, readOnly: true)
        #expect(try keyIndex(store) == .ascending)
        #expect(try row(.null, in: store) == 0)
        for (index, key) in keys.enumerated() {
            #expect(try row(key, in: store) == UInt64(index + 1))
        }
        #expect(try row(Generated.key(base, 4), in: store) == nil)
        try expectSound(store)
    }

    @Test("A later object without a key is found in a tree", arguments: bases)
    func later(base: ValueTag) throws {
        let keys = (0..<11).map { Generated.key(base, Int64($0) * 3) }
        try make(base, keys + [.null])
        let store = try Store.open(path, readOnly: true)
        guard case .tree? = try keyIndex(store) else { throw TestFailure("there is no tree") }
        #expect(try row(.null, in: store) == 11)
        for (index, key) in keys.enumerated() {
            #expect(try row(key, in: store) == UInt64(index))
        }
        #expect(try row(Generated.key(base, 4), in: store) == nil)
        try expectSound(store)
    }

    @Test("A search for nil finds nothing if every object has a key", arguments: bases)
    func absent(base: ValueTag) throws {
        for keys in [[], [3], [3, 1], [0, 1, 2, 3, 4, 5]] as [[Int64]] {
            let folder = TemporaryFolder()
            let creation = try Store.create(
                folder("a.firn"), options: Sample.options(rowsPerGroup: 4))
            let transaction = try creation.store.beginWrite()
            let schema = try transaction.addClass(OptionalKeyTests.definition(base))
            for key in keys {
                try transaction.create(in: schema.id, [.string(""), Generated.key(base, key)])
            }
            #expect(try transaction.row(forKey: .null, in: schema.id) == nil)
            _ = try transaction.commit()
            try creation.publish()
            let store = try Store.open(folder("a.firn"), readOnly: true)
            #expect(try row(.null, in: store) == nil)
        }
    }

    @Test(
        "Only one object may have the key nil, until it is deleted or gets another key",
        arguments: bases)
    func unique(base: ValueTag) throws {
        try make(base, [Generated.key(base, 5), .null, Generated.key(base, 2)])
        let store = try Store.open(path, readOnly: false)
        let schema = try desk(store)
        let key = try #require(schema.key)
        let transaction = try store.beginWrite()
        func refuse(_ body: () throws -> Void) {
            let error = #expect(throws: StoreError.self, performing: body)
            #expect(error?.code == .duplicateKey)
            #expect(error?.detail == "Desk has an object with id null already")
        }
        refuse { try transaction.create(in: schema.id, [.string("b"), .null]) }
        refuse { try transaction.set(key, of: RowID(2), in: schema.id, to: .null) }
        try transaction.set(key, of: RowID(1), in: schema.id, to: Generated.key(base, 9))
        #expect(try transaction.row(forKey: .null, in: schema.id) == nil)
        try transaction.set(key, of: RowID(2), in: schema.id, to: .null)
        refuse { try transaction.create(in: schema.id, [.string("b"), .null]) }
        try transaction.delete(RowID(2), in: schema.id)
        let row = try transaction.create(in: schema.id, [.string("c"), .null])
        #expect(try transaction.row(forKey: .null, in: schema.id) == row)
        _ = try transaction.commit()
        #expect(try self.row(.null, in: store) == row.rawValue)
        try expectSound(store)
    }

    @Test("A put without a key has the key nil", arguments: PutPolicy.allCases)
    func put(policy: PutPolicy) throws {
        try make(.string, [.string("")])
        let store = try Store.open(path, readOnly: false)
        let schema = try desk(store)
        let label = schema.properties[0].id
        let transaction = try store.beginWrite()
        func put(_ text: String) throws -> PutOutcome {
            try transaction.put([(label, .string(text))], in: schema.id, policy: policy)
        }
        if policy == .update {
            #expect(throws: StoreError.self) { _ = try put("a") }
            try transaction.create(in: schema.id, [.string("x"), .null])
        } else {
            #expect(try put("a").effect == .inserted)
        }
        if policy == .insert {
            #expect(throws: StoreError.self) { _ = try put("b") }
        } else {
            #expect(try put("b") == PutOutcome(row: RowID(1), effect: .updated))
            #expect(try transaction.put([.string("c"), .null], in: schema.id) == RowID(1))
        }
        #expect(try transaction.row(forKey: .string(""), in: schema.id) == RowID(0))
    }

    @Test("A bulk load with two nil keys is refused")
    func bulk() throws {
        try make(.int, [.int(4)])
        let store = try Store.open(path, readOnly: false)
        let transaction = try store.beginWrite()
        let loader = try transaction.bulkLoader(for: desk(store).id)
        for key in [Value.int(8), .null, .int(1), .null] {
            try loader.columns[0].append(.string(""))
            try loader.columns[1].append(key)
            try loader.endRow()
        }
        let error = #expect(throws: StoreError.self) { try loader.finish() }
        #expect(error?.code == .duplicateKey)
        #expect(error?.detail == "id null is the key of record 2 and of record 4")
    }

    @Test("A key becomes optional or required when its type changes")
    func retyped() throws {
        try make(.int, [.null, .int(3), .int(1)])
        let store = try Store.open(path, readOnly: false)
        let transaction = try store.beginWrite()
        let key = try #require(desk(store).key)
        let id = try desk(store).id
        let required = ClassDefinition.Property(name: "id", type: PropertyType(.string))
        #expect(throws: StoreError.self) {
            try transaction.retypeProperty(key, of: id, to: required) {
                $0.isNull ? .null : .string("\($0)")
            }
        }
        try transaction.retypeProperty(key, of: id, to: required) { .string("\($0)") }
        #expect(try transaction.row(forKey: .null, in: id) == nil)
        let later = try #require(transaction.schema[id]?.key)
        #expect(throws: StoreError.self) {
            try transaction.set(later, of: RowID(1), in: id, to: .null)
        }
        try transaction.retypeProperty(
            later, of: id,
            to: .init(name: "id", type: PropertyType(.string, isOptional: true))
        ) { $0 }
        let last = try #require(transaction.schema[id]?.key)
        try transaction.set(last, of: RowID(1), in: id, to: .null)
        #expect(try transaction.row(forKey: .null, in: id) == RowID(1))
        _ = try transaction.commit()
        #expect(try row(.null, in: store) == 1)
        try expectSound(store)
    }

    @Test("An optional key sets a flag in the catalog, which older readers refuse")
    func catalog() throws {
        for isOptional in [false, true] {
            let key = PropertySchema(
                id: PropertyID(1), name: "k", type: PropertyType(.int, isOptional: isOptional))
            let schema = ClassSchema(
                id: ClassID(1), name: "A", properties: [key], key: key.id)
            var catalog = Catalog()
            catalog.classes = [ClassRecord(schema: schema, nextPropertyID: PropertyID(2))]
            catalog.nextClassID = ClassID(2)
            var bytes = try catalog.encoded()
            #expect(try Catalog(decoding: bytes) == catalog)
            // next class, version, count, length | id, length, "A", next property, key, flags
            #expect(bytes[9] == (isOptional ? 2 : 0))
            bytes[9] ^= 2
            #expect(throws: CodecError.self) { _ = try Catalog(decoding: bytes) }
        }
    }
}
