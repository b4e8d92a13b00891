import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// Schemas that change on one of the sides while a file replicates.
///
/// Columns were found by their names: a renamed property was emptied, a new one lost its values, swapped
/// names swapped values, and a renamed or removed class stopped every run.
@Suite("Schema changes of replicated files", .serialized, .timeLimit(.minutes(5)))
struct SchemaChangeTests {
    private let folder = TemporaryFolder()
    private let address: String
    private let server: PostgresConnection

    init() throws {
        address = try PostgresServer.shared.get().makeDatabase("schemas")
        server = try PostgresConnection(address)
    }

    private typealias Property = ClassDefinition.Property

    private func client(_ name: String, _ queries: [String] = ["City"]) throws -> SyncClient {
        let client = try SyncClient(folder(name + ".firn"))
        try client.prepare(address)
        try client.attach(address, queries)
        return client
    }

    /// Changes the schema as `firn alter` does, by statements of the engine.
    private func alter(
        _ client: SyncClient, _ body: (WriteTransaction, ClassSchema) throws -> Void
    ) throws {
        try client.writeChecked { transaction in
            try body(transaction, try present(transaction.schema.classNamed("City")))
        }
    }

    private func rename(_ client: SyncClient, _ names: [(String, String)]) throws {
        try alter(client) { transaction, city in
            for (old, new) in names {
                let current = try present(transaction.schema[city.id])
                try transaction.renameProperty(
                    try present(current.propertyNamed(old)).id, of: city.id, to: new)
            }
        }
    }

    private func retypeSize(
        _ client: SyncClient, _ type: PropertyType, _ convert: (Value) -> Value
    ) throws {
        try alter(client) { transaction, city in
            try transaction.retypeProperty(
                try present(city.propertyNamed("size")).id, of: city.id,
                to: Property(name: "size", type: type), convert: { value in convert(value) })
        }
    }

    private func column(_ name: String, _ table: String = "City") throws -> [String?] {
        let found = try server.query(
            "SELECT \(SQLText.name(name)) FROM firn.\(SQLText.name(table)) ORDER BY name")
        return (0..<found.count).map { found[$0, 0] }
    }

    @Test("A renamed property keeps its values, before and after its column is renamed")
    func renamedProperty() throws {
        let (a, b) = (try client("a"), try client("b", ["City size > 0"]))
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        for client in [a, b] { _ = try client.upstream.synchronize() }
        // A change from before the renaming waits in the file.
        try a.put("City", ["name": .string("Oslo"), "size": .int(2)])
        try a.upstream.capture(try Subset(try a.upstream.snapshot()))
        for client in [a, b] { try rename(client, [("size", "people")]) }
        #expect(try b.upstream.subscriptions().first == "City | people > 0")
        try a.put("City", ["name": .string("Rome"), "people": .int(3)])
        for client in [a, b, a] { _ = try client.upstream.synchronize() }
        #expect(try column("size") == ["2", "3"])
        #expect(try b.value("City", .string("Oslo"), "people") == .int(2))
        let notes = try Upstream.prepareServer(for: a.database, at: address)
        #expect(notes == ["renamed City.size to people"])
        try server.execute(#"UPDATE firn."City" SET people = 5 WHERE name = 'Rome'"#)
        try a.put("City", ["name": .string("Oslo"), "people": .int(6)])
        for client in [a, b] { _ = try client.upstream.synchronize() }
        #expect(try column("people") == ["6", "5"])
        for client in [a, b] {
            #expect(try client.value("City", .string("Rome"), "people") == .int(5))
            #expect(try client.upstream.verify().allSatisfy(\.isEqual))
        }
        // The server was renamed already.
        #expect(try Upstream.prepareServer(for: b.database, at: address) == [])
    }

    @Test("A file that still uses the old name of a renamed column continues")
    func otherFile() throws {
        let (a, b) = (try client("a"), try client("b"))
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        for client in [a, b] { _ = try client.upstream.synchronize() }
        try rename(a, [("size", "people")])
        try a.prepare(address)
        try b.put("City", ["name": .string("Oslo"), "size": .int(2)])
        // The file that did not rename leaves the name as it is.
        #expect(try Upstream.prepareServer(for: b.database, at: address) == [])
        for client in [b, a] { _ = try client.upstream.synchronize() }
        #expect(try a.value("City", .string("Oslo"), "people") == .int(2))
        #expect(try column("people") == ["2"])
    }

    @Test("Swapped names swap neither values nor times")
    func swapped() throws {
        let a = try client("a")
        try alter(a) { transaction, city in
            try transaction.addProperty(
                Property(name: "hills", type: PropertyType(.int)), to: city.id)
        }
        try a.prepare(address)
        let b = try SyncClient(folder("b.firn"))
        try alter(b) { transaction, city in
            try transaction.addProperty(
                Property(name: "hills", type: PropertyType(.int)), to: city.id)
        }
        try b.attach(address, ["City"])
        try a.put("City", ["name": .string("Oslo"), "size": .int(1), "hills": .int(10)])
        for client in [a, b] { _ = try client.upstream.synchronize() }
        try server.execute(#"UPDATE firn."City" SET size = 2"#)
        try rename(a, [("size", "spare"), ("hills", "size"), ("spare", "hills")])
        for client in [a, b] { _ = try client.upstream.synchronize() }
        #expect(try a.value("City", .string("Oslo"), "hills") == .int(2))
        #expect(try a.value("City", .string("Oslo"), "size") == .int(10))
        try a.prepare(address)
        let stamps = try server.query(#"SELECT _hlc ? 'hills', _hlc ? 'size' FROM firn."City""#)
        #expect(stamps.texts(ofRow: 0) == ["t", "f"])
        for client in [a, b] {
            _ = try client.upstream.synchronize()
            #expect(try client.upstream.verify().allSatisfy(\.isEqual))
        }
        #expect(try column("hills") == ["2"])
        #expect(try column("size") == ["10"])
        // The other file did not swap anything: its names still mean the same.
        #expect(try b.value("City", .string("Oslo"), "size") == .int(2))
    }

    @Test("A new property also has its values on the server")
    func added() throws {
        let (a, b) = (try client("a"), try client("b"))
        for (index, name) in ["Bonn", "Oslo", "Rome"].enumerated() {
            try a.put("City", ["name": .string(name), "size": .int(Int64(index))])
        }
        for client in [a, b] { _ = try client.upstream.synchronize() }
        for (client, value) in [(a, Int64(5)), (b, 7)] {
            try alter(client) { transaction, city in
                try transaction.addProperty(
                    Property(name: "prio", type: PropertyType(.int)), to: city.id,
                    defaultValue: .int(value))
            }
        }
        try a.put("City", ["name": .string("Oslo"), "prio": .int(6)])
        let error = #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(error?.detail == "the server has no column for City.prio")
        #expect(try Upstream.prepareServer(for: a.database, at: address) == ["added City.prio"])
        for client in [a, b, a] { _ = try client.upstream.synchronize() }
        #expect(try column("prio") == ["5", "6", "5"])
        for client in [a, b] {
            #expect(try client.value("City", .string("Bonn"), "prio") == .int(5))
            #expect(try client.value("City", .string("Oslo"), "prio") == .int(6))
            #expect(try client.upstream.verify().allSatisfy(\.isEqual))
        }
    }

    @Test("Values of a new property are not lost if only another file has the objects")
    func addedElsewhere() throws {
        let (a, b) = (try client("a"), try client("b", ["City size == 2"]))
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        _ = try a.upstream.synchronize()
        try a.upstream.detach()
        try b.put("City", ["name": .string("Rome"), "size": .int(2)])
        _ = try b.upstream.synchronize()
        for (client, value) in [(a, Int64(5)), (b, 7)] {
            try alter(client) { transaction, city in
                try transaction.addProperty(
                    Property(name: "prio", type: PropertyType(.int, isOptional: true)), to: city.id,
                    defaultValue: .int(value))
            }
        }
        try server.execute(#"ALTER TABLE firn."City" ADD COLUMN prio bigint"#)
        let error = #expect(throws: UpstreamError.self) { try b.upstream.synchronize() }
        #expect(error?.detail.hasSuffix("do not know the column prio") == true)
        try b.prepare(address)
        _ = try b.upstream.synchronize()
        #expect(try column("prio") == [nil, "7"])
        #expect(try b.value("City", .string("Rome"), "prio") == .int(7))
    }

    /// The increment was added to 0.
    @Test("A change that waits for a new column is applied after the initial value")
    func incremented() throws {
        let a = try client("a")
        for name in ["Bonn", "Oslo"] {
            try a.put("City", ["name": .string(name), "size": .int(1)])
        }
        _ = try a.upstream.synchronize()
        try alter(a) { transaction, city in
            try transaction.addProperty(
                Property(name: "votes", type: PropertyType(.int)), to: city.id,
                defaultValue: .int(5))
        }
        _ = try a.increment("City", .string("Oslo"), "votes")
        try a.put("City", ["name": .string("Rome"), "size": .int(1), "votes": .int(9)])
        // Another user prepares the server, without these objects.
        try server.execute(#"ALTER TABLE firn."City" ADD COLUMN votes bigint NOT NULL DEFAULT 0"#)
        let rules: TextMap<ConflictRules> = ["City": ConflictRules(counters: ["votes"])]
        try a.prepare(address, rules: rules)
        _ = try a.upstream.synchronize()
        #expect(try column("votes") == ["5", "6", "9"])
        #expect(try a.upstream.verify().allSatisfy(\.isEqual))
    }

    @Test("A converted property converts its column, if every value can be converted")
    func converted() throws {
        let a = try client("a")
        try a.put("City", ["name": .string("Oslo"), "size": .int(17)])
        _ = try a.upstream.synchronize()
        try retypeSize(a, PropertyType(.string)) { .string($0.description) }
        let error = #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(error?.detail.contains("City.size is a column of the type bigint") == true)
        #expect(
            try Upstream.prepareServer(for: a.database, at: address)
                == ["converted City.size to text"])
        _ = try a.upstream.synchronize()
        try a.put("City", ["name": .string("Oslo"), "size": .string("many")])
        _ = try a.upstream.synchronize()
        #expect(try column("size") == ["many"])
        #expect(try a.upstream.verify().allSatisfy(\.isEqual))
        try retypeSize(a, PropertyType(.int)) { _ in .int(0) }
        let refusal = #expect(throws: UpstreamError.self) { try a.prepare(address) }
        #expect(refusal?.detail.contains("not every value can be converted") == true)
        #expect(refusal?.remedy?.contains("ALTER COLUMN \"size\" TYPE bigint") == true)
    }

    @Test("A column that was dropped and recreated gets the values of the file")
    func droppedColumn() throws {
        let a = try client("a")
        for (index, name) in ["Bonn", "Oslo", "Rome"].enumerated() {
            try a.put("City", ["name": .string(name), "size": .int(Int64(index))])
        }
        _ = try a.upstream.synchronize()
        try server.execute(#"ALTER TABLE firn."City" DROP COLUMN size"#)
        #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(try Upstream.prepareServer(for: a.database, at: address) == ["added City.size"])
        for _ in 0..<2 { _ = try a.upstream.synchronize() }
        #expect(try column("size") == ["0", "1", "2"])
        #expect(try a.upstream.verify().allSatisfy(\.isEqual))
    }

    @Test("A property that becomes optional may be NULL on the server")
    func optional() throws {
        let a = try client("a")
        try a.put("City", ["name": .string("Oslo"), "size": .int(17)])
        _ = try a.upstream.synchronize()
        try retypeSize(a, PropertyType(.int, isOptional: true)) { $0 }
        #expect(
            try Upstream.prepareServer(for: a.database, at: address) == ["let City.size be nil"])
        try a.put("City", ["name": .string("Oslo"), "size": .null])
        #expect(try a.upstream.synchronize().refused == [])
        #expect(try column("size") == [nil])
    }

    @Test("A changed key is an error that names both keys, and setting it back resolves it")
    func key() throws {
        let a = try client("a")
        try a.put("City", ["name": .string("Oslo"), "size": .int(17)])
        _ = try a.upstream.synchronize()
        try alter(a) { transaction, city in
            try transaction.setKey(try present(city.propertyNamed("size")).id, of: city.id)
        }
        let error = #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(error?.detail == "the key of City is size in the file, and name on the server")
        #expect(error?.remedy == "set it back with: firn alter FILE 'key City.name'")
        #expect(throws: UpstreamError.self) { try a.prepare(address) }
        try alter(a) { transaction, city in
            try transaction.setKey(try present(city.propertyNamed("name")).id, of: city.id)
        }
        _ = try a.upstream.synchronize()
        #expect(try a.upstream.verify().allSatisfy(\.isEqual))
    }

    @Test("A renamed class continues, and the next preparation renames its table")
    func renamedClass() throws {
        let (a, b) = (try client("a", ["City", "Person"]), try client("b"))
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        for client in [a, b] { _ = try client.upstream.synchronize() }
        try a.put("City", ["name": .string("Oslo"), "size": .int(2)])
        try a.upstream.capture(try Subset(try a.upstream.snapshot()))
        try alter(a) { transaction, city in try transaction.renameClass(city.id, to: "Town") }
        #expect(try a.upstream.subscriptions().sorted() == ["Person", "Town"])
        _ = try a.upstream.synchronize()
        #expect(try column("size") == ["2"])
        #expect(
            try Upstream.prepareServer(for: a.database, at: address)
                == ["renamed the class City to Town"])
        try a.put("Town", ["name": .string("Rome"), "size": .int(3)])
        try server.execute(#"INSERT INTO firn."Town" (name, size) VALUES ('Bonn', 4)"#)
        for client in [a, b] {
            _ = try client.upstream.synchronize()
            #expect(try client.upstream.verify().allSatisfy(\.isEqual))
        }
        #expect(try a.keys("Town") == ["Bonn", "Oslo", "Rome"])
        #expect(try b.keys("City") == ["Bonn", "Oslo", "Rome"], "its name there stays")
    }

    @Test(
        "Removing a class removes its subscriptions, and keeps its unsent changes as refused"
    )
    func removedClass() throws {
        let a = try client("a", ["City", "Person"])
        try a.put("Person", ["id": .int(1), "name": .string("Ada")])
        _ = try a.upstream.synchronize()
        try a.put("Person", ["id": .int(1), "name": .string("Bea")])
        try a.upstream.capture(try Subset(try a.upstream.snapshot()))
        try a.writeChecked { transaction in
            let person = try present(transaction.schema.classNamed("Person"))
            try transaction.removeClass(person.id)
        }
        #expect(try a.upstream.subscriptions() == ["City"])
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        _ = try a.upstream.synchronize()
        #expect(try column("name", "City") == ["Oslo"])
        #expect(try column("name", "Person") == ["Ada"], "the server keeps the objects")
    }

    @Test("A change that would break a subscription is refused, and names it")
    func brokenSubscription() throws {
        let a = try client("a", ["City size > 3"])
        let error = #expect(throws: StoreError.self) {
            try alter(a) { transaction, city in
                try transaction.removeProperty(
                    try present(city.propertyNamed("size")).id, of: city.id)
            }
        }
        #expect(
            error?.detail == "the subscription City | size > 3 would not be valid any more: "
                + "no property \"size\" in class City")
        #expect(try a.database.store.snapshot().schema.classNamed("City")?.properties.count == 2)
    }
}
