import FirnCodec
import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@Suite("The rules of the data")
struct RuleTests {
    private let folder = TemporaryFolder()

    private func open(rowCount: Int = 20) throws -> (Store, ClassSchema) {
        let path = folder("items.firn")
        try makeSample(path, rowCount: rowCount, services: .real)
        let store = try Store.open(path, readOnly: false)
        return (store, try store.itemClass())
    }

    @Test("A key that another object has is refused, wherever that object is")
    func duplicateKeys() throws {
        let (store, schema) = try open()
        let transaction = try store.beginWrite()
        try transaction.create(in: schema.id, Sample.values(30))
        for taken in [0, 19, 30] {
            let error = #expect(throws: StoreError.self) {
                try transaction.create(in: schema.id, Sample.values(taken))
            }
            #expect(error?.code == .duplicateKey)
        }
        // The key of a deleted object is free, and a key in a gap was never taken.
        try transaction.delete(RowID(4), in: schema.id)
        try transaction.create(in: schema.id, Sample.values(4))
        try transaction.create(in: schema.id, Sample.values(25))
        _ = try transaction.commit()
        #expect(try store.contents().count == 22)
        try expectSound(store)
    }

    @Test("Changing a key to one that is in use is refused")
    func keyChange() throws {
        let (store, schema) = try open()
        let key = try #require(schema.key)
        let transaction = try store.beginWrite()
        #expect(throws: StoreError.self) {
            try transaction.set(key, of: RowID(1), in: schema.id, to: .int(2))
        }
        try transaction.set(key, of: RowID(1), in: schema.id, to: .int(99))
        #expect(throws: StoreError.self) {
            try transaction.create(in: schema.id, Sample.values(99))
        }
        try transaction.create(in: schema.id, Sample.values(1))
        _ = try transaction.commit()
        try expectSound(store)
    }

    @Test("The error of a bulk load with a duplicate key names both records", arguments: [4, 100])
    func bulkDuplicates(rowsPerGroup: Int) throws {
        let creation = try Store.create(
            folder("bulk.firn"), options: Sample.options(rowsPerGroup: rowsPerGroup))
        let transaction = try creation.store.beginWrite()
        let schema = try transaction.addClass(Sample.definition)
        let loader = try transaction.bulkLoader(for: schema.id)
        for number in [5, 9, 1, 7, 3, 8, 9, 2] {
            for (column, value) in zip(loader.columns, Sample.values(number)) {
                try column.append(value)
            }
            try loader.endRow()
        }
        let error = #expect(throws: StoreError.self) { try loader.finish() }
        #expect(error?.code == .duplicateKey)
        #expect(error?.detail == "id 9 is the key of record 2 and of record 7")
    }

    @Test(
        "A nil in a required property, a wrong type, a wrong count and an unknown name are refused")
    func wrongValues() throws {
        let (store, schema) = try open()
        let transaction = try store.beginWrite()
        var missing = Sample.values(50)
        missing[3] = .null
        var wrong = Sample.values(51)
        wrong[1] = .int(1)
        let score = try #require(schema.propertyNamed("score")).id
        func code(_ body: () throws -> Void) -> StoreError.Code? {
            #expect(throws: StoreError.self, performing: body)?.code
        }
        #expect(code { try transaction.create(in: schema.id, missing) } == .missingValue)
        #expect(code { try transaction.create(in: schema.id, wrong) } == .typeMismatch)
        #expect(code { try transaction.create(in: schema.id, []) } == .missingValue)
        #expect(code { try transaction.create(in: ClassID(9), []) } == .unknownClass)
        #expect(code { try transaction.delete(RowID(999), in: schema.id) } == .unknownObject)
        #expect(
            code { try transaction.set(score, of: RowID(0), in: schema.id, to: .string("x")) }
                == .typeMismatch)
        #expect(
            code { try transaction.set(PropertyID(77), of: RowID(0), in: schema.id, to: .null) }
                == .unknownProperty)
        try transaction.delete(RowID(3), in: schema.id)
        #expect(code { try transaction.delete(RowID(3), in: schema.id) } == .unknownObject)
        _ = try transaction.commit()
        #expect(try store.contents().count == 19)
    }

    @Test("Contradictory classes are refused")
    func wrongClasses() throws {
        let (store, _) = try open()
        let transaction = try store.beginWrite()
        let int = ClassDefinition.Property(name: "a", type: PropertyType(.int))
        let nilDate = ClassDefinition.Property(
            name: "n", type: PropertyType(.date, isOptional: true))
        let wrong = [
            ClassDefinition(name: "Item", properties: [int]),
            ClassDefinition(name: "", properties: [int]),
            ClassDefinition(name: "A\u{7}", properties: [int]),
            ClassDefinition(name: "A", properties: [int, int]),
            ClassDefinition(name: "A", properties: [int], keyName: "b"),
            ClassDefinition(name: "A", properties: [nilDate], keyName: "n"),
            ClassDefinition(name: "A", properties: [.init(name: "l", type: PropertyType(.link))]),
        ]
        for definition in wrong {
            let error = #expect(throws: StoreError.self) { try transaction.addClass(definition) }
            #expect(error?.code == .invalidSchema)
        }
    }
}
