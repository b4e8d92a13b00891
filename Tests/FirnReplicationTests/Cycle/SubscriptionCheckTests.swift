import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// New objects that the subset of their file does not contain.
///
/// Without the check, a cycle uploaded such an object and took it out of the file, and nothing told
/// the program or the user.
@Suite("Writes outside of the subset", .serialized, .timeLimit(.minutes(5)))
struct SubscriptionCheckTests {
    private let folder = TemporaryFolder()
    private let address: String

    init() throws {
        address = try PostgresServer.shared.get().makeDatabase("outside")
    }

    private func client(_ queries: [String]) throws -> SyncClient {
        let client = try SyncClient(folder("a.firn"))
        try client.prepare(address)
        try client.attach(address, queries)
        return client
    }

    private func expectRefusal(
        _ client: SyncClient, _ text: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: @escaping (WriteTransaction) throws -> Void
    ) throws {
        let version = try client.database.store.snapshot().version
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
            try client.writeChecked(body)
        }
        #expect(error?.code == .notSubscribed, sourceLocation: sourceLocation)
        #expect(
            error.map { $0.detail + "; " + ($0.remedy ?? "") }?.contains(text) == true,
            "\(String(describing: error))", sourceLocation: sourceLocation)
        #expect(
            try client.database.store.snapshot().version == version,
            sourceLocation: sourceLocation)
    }

    @Test("A new object that no subscription selects is refused at the commit")
    func refused() throws {
        let a = try client(["Person age > 30", "Person name == 'x'"])
        try a.writeChecked { transaction in
            try SyncClient.put("Person", ["id": .int(1), "age": .int(31)], in: transaction)
            try SyncClient.put("Person", ["id": .int(2), "name": .string("x")], in: transaction)
        }
        try expectRefusal(a, "Person with the key 4") { transaction in
            try SyncClient.put("Person", ["id": .int(3), "age": .int(40)], in: transaction)
            try SyncClient.put("Person", ["id": .int(4), "age": .int(30)], in: transaction)
        }
        #expect(try a.keys("Person") == ["1", "2"])
        try expectRefusal(a, "firn sync subscribe FILE City") { transaction in
            try SyncClient.put(
                "City", ["name": .string("Oslo"), "size": .int(1)], in: transaction)
        }
        // Only the state at the commit counts.
        try a.writeChecked { transaction in
            try SyncClient.put("Person", ["id": .int(5)], in: transaction)
            try SyncClient.put("Person", ["id": .int(5), "age": .int(50)], in: transaction)
        }
        #expect(try a.keys("Person") == ["1", "2", "5"])
        let report = try a.upstream.synchronize()
        #expect(report.removed == [])
        #expect(try a.keys("Person") == ["1", "2", "5"])
    }

    @Test("An object may leave the subset, and then exists only on the server")
    func leaving() throws {
        let a = try client(["Person age > 30"])
        try a.writeChecked { transaction in
            try SyncClient.put("Person", ["id": .int(1), "age": .int(31)], in: transaction)
        }
        _ = try a.upstream.synchronize()
        try a.writeChecked { transaction in
            try SyncClient.put("Person", ["id": .int(1), "age": .int(5)], in: transaction)
        }
        _ = try a.upstream.synchronize()
        #expect(try a.keys("Person") == [])
        let server = try PostgresConnection(address)
        #expect(try server.query("SELECT age FROM firn.\"Person\" WHERE id = 1")[0, 0] == "5")
    }

    @Test("Objects from before the attachment are uploaded, and the report names those removed")
    func removed() throws {
        let a = try SyncClient(folder("a.firn"))
        for id in 1...4 {
            try a.put("Person", ["id": .int(Int64(id)), "age": .int(Int64(id) * 10)])
        }
        try a.prepare(address)
        try a.attach(address, ["Person age > 20"])
        let report = try a.upstream.synchronize()
        #expect(report.removed == ["Person 1", "Person 2"])
        #expect(try a.keys("Person") == ["3", "4"])
        let server = try PostgresConnection(address)
        #expect(try server.query("SELECT count(*) FROM firn.\"Person\"")[0, 0] == "4")
        #expect(try a.upstream.synchronize().removed == [])
    }

    @Test("A file without a server, or a detached file, accepts any object")
    func unattached() throws {
        let a = try SyncClient(folder("a.firn"))
        try a.subscribe(["Person age > 20"])
        let body: (WriteTransaction) throws -> Void = { transaction in
            try SyncClient.put("Person", ["id": .int(1), "age": .int(1)], in: transaction)
        }
        try a.writeChecked(body)
        try a.prepare(address)
        try a.attach(address, ["Person age > 20"])
        try expectRefusal(a, "Person with the key 2") { transaction in
            try SyncClient.put("Person", ["id": .int(2), "age": .int(1)], in: transaction)
        }
        // An update is not a creation.
        try a.writeChecked(body)
        try a.upstream.detach()
        try a.writeChecked { transaction in
            try SyncClient.put("Person", ["id": .int(2), "age": .int(1)], in: transaction)
        }
        #expect(try a.keys("Person") == ["1", "2"])
    }

    /// The check must know the same classes as the replication: a class that can be neither
    /// subscribed to nor written would be lost to its program.
    @Test("Classes that cannot be replicated accept any object")
    func unreplicated() throws {
        let a = try client(["Person"])
        typealias Property = ClassDefinition.Property
        let long = String(repeating: "x", count: 61)
        try a.write { transaction in
            for (name, key, properties) in [
                ("Note", nil, [Property(name: "id", type: PropertyType(.int))]),
                ("Maybe", "id", [Property(name: "id", type: PropertyType(.int, isOptional: true))]),
                ("meta", "id", [Property(name: "id", type: PropertyType(.int))]),
                (
                    String(repeating: "C", count: 51), "id",
                    [Property(name: "id", type: PropertyType(.int))]
                ),
                ("Dash", "_id", [Property(name: "_id", type: PropertyType(.int))]),
                (
                    "Wide", "id",
                    [
                        Property(name: "id", type: PropertyType(.int)),
                        Property(name: long, type: PropertyType(.int, isOptional: true)),
                    ]
                ),
                (
                    "Linked", "id",
                    [
                        Property(name: "id", type: PropertyType(.int)),
                        Property(
                            name: "note", type: PropertyType(.link, isOptional: true),
                            targetName: "Note"),
                    ]
                ),
            ] as [(String, String?, [Property])] {
                _ = try transaction.addClass(
                    ClassDefinition(name: name, properties: properties, keyName: key))
            }
        }
        let schema = try a.database.store.snapshot().schema
        let synced = Set(SyncedClass.classes(of: schema).synced.map(\.name))
        for type in schema.listedClasses where !type.isEmbedded {
            #expect(
                type.canBeReplicated(in: schema) == synced.contains(type.name), "\(type.name)")
        }
        try a.writeChecked { transaction in
            for name in ["Note", "Maybe", "meta", "Wide", "Linked"] {
                try SyncClient.put(name, ["id": .int(1)], in: transaction)
            }
        }
    }
}
