import FirnCodec
import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnText
import FirnValues
import Testing

@testable import FirnFormats
@testable import FirnTools

@Suite("Objects of a database in results")
struct StoredObjectTests {
    private let folder = TemporaryFolder()

    private static let document = """
        {"v":1,"classes":[{"name":"Person","key":"id","properties":[{"name":"id","type":"Int"},\
        {"name":"dogs","type":"List<Dog>"},{"name":"home","type":"Address"},\
        {"name":"notes","type":"Map<Any>"}]},\
        {"name":"Dog","properties":[{"name":"name","type":"String","indexed":true},\
        {"name":"size","type":"Int8","optional":true},{"name":"tags","type":"Set<String>"},\
        {"name":"owners","type":"LinkingObjects<Person>","origin":"dogs"}]},\
        {"name":"Address","embedded":true,"properties":[{"name":"city","type":"String"}]}]}
        """

    /// Creates 400 dogs, every third without a size, and one person with two of them.
    private func makeDatabase() throws -> (path: String, person: RowID) {
        let path = folder("a.firn")
        let definitions = try SchemaDocument.read(
            MemorySource(Array(Self.document.utf8), name: "schema.json"))
        let creation = try Store.create(path)
        let transaction = try creation.store.beginWrite()
        let classes = try transaction.addClasses(definitions)
        var dogs: [Value] = []
        for number in 0..<400 {
            let row = try transaction.create(
                in: classes[1].id,
                [
                    .string("dog \(number)"), number % 3 == 0 ? .null : .int(Int64(number % 100)),
                    .set([.string("a\(number)"), .string("b")]),
                ])
            dogs.append(.link(ObjectReference(classID: classes[1].id, rowID: row)))
        }
        let home = try transaction.create(in: classes[2].id, [.string("Oslo")])
        let person = try transaction.create(
            in: classes[0].id,
            [
                .int(7), .list([dogs[399], dogs[3]]),
                .link(ObjectReference(classID: classes[2].id, rowID: home)),
                .map(["best": dogs[5], "since": .date(Timestamp(seconds: 0))]),
            ])
        _ = try transaction.commit()
        try creation.publish()
        return (path, person)
    }

    @Test("The schema is printed as it was declared")
    func schema() throws {
        let file = try makeDatabase().path
        let run = CommandHarness().run(["schema", file, "-f", "json"])
        #expect(run.output == Self.document + "\n")
        let swift = CommandHarness().run(["schema", file, "Address", "-f", "swift"])
        #expect(
            swift.output == """
                import Firn

                class Address: EmbeddedObject {
                    @Persisted var city: String
                }

                """)
    }

    @Test("Links, collections and embedded objects of a snapshot are written")
    func objects() throws {
        let (path, person) = try makeDatabase()
        let snapshot = try Store.open(path, readOnly: true).snapshot()
        let schema = try #require(snapshot.schema.classNamed("Person"))
        let lookup = SnapshotLookup(snapshot)
        #expect(
            try written(schema, [person], lookup, depth: 0) == """
                {"id":7,"dogs":[399,3],"home":{"city":"Oslo"},\
                "notes":{"best":{"$ref":"Dog","id":5},"since":{"$type":"date","value":"1970-01-01T00:00:00Z"}}}

                """)
        #expect(
            try written(schema, [person], lookup, depth: 1) == """
                {"id":7,"dogs":[{"$id":399,"name":"dog 399","size":null,"tags":["a399","b"]},\
                {"$id":3,"name":"dog 3","size":null,"tags":["a3","b"]}],"home":{"city":"Oslo"},\
                "notes":{"best":{"$ref":"Dog","id":5},"since":{"$type":"date","value":"1970-01-01T00:00:00Z"}}}

                """)
    }

    @Test("Values are read from all row groups and from changes, and are null where missing")
    func gathering() throws {
        let path = try makeDatabase().path
        let store = try Store.open(path, readOnly: false)
        let dog = try #require(try store.snapshot().schema.classNamed("Dog"))
        let name = try #require(dog.propertyNamed("name"))
        let tags = try #require(dog.propertyNamed("tags"))
        let transaction = try store.beginWrite()
        try transaction.set(name.id, of: RowID(1), in: dog.id, to: .string("changed"))
        try transaction.delete(RowID(2), in: dog.id)
        let created = try transaction.create(
            in: dog.id, [.string("new"), .null, .set([.string("x")])])
        let lookup = SnapshotLookup(try transaction.snapshot())
        let rows = [RowID(0), RowID(1), RowID(2), RowID(399), created, RowID(90_000)]
        let names = try lookup.column(name, of: dog, rows: rows)
        #expect(
            (0..<rows.count).map { names.value(at: $0) } == [
                .string("dog 0"), .string("changed"), .null, .string("dog 399"), .string("new"),
                .null,
            ])
        let sets = try lookup.column(tags, of: dog, rows: rows)
        #expect(sets.value(at: 3) == .set([.string("a399"), .string("b")]))
        #expect(sets.value(at: 4) == .set([.string("x")]))
        #expect(sets.value(at: 5) == .null)
    }

    private func written(
        _ schema: ClassSchema, _ rows: [RowID], _ lookup: SnapshotLookup, depth: Int
    ) throws -> String {
        let columns = schema.properties.map {
            ResultColumn(name: $0.name, type: $0.type, display: $0.display)
        }
        let vectors = try schema.properties.map { property throws(StoreError) in
            try lookup.column(property, of: schema, rows: rows)
        }
        var options = ValueOptions()
        options.depth = depth
        let resolver = ResultResolver(columns, lookup: lookup, options)
        let sink = MemorySink()
        let writer = JSONWriter(sink, .lines)
        try writer.begin(resolver.columns)
        try writer.write(resolver.resolve(ResultBatch(rowCount: rows.count, vectors: vectors)))
        try writer.finish()
        return sink.text
    }
}
