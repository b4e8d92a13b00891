import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// Rules of conflicts that a server has for its classes.
@Suite("Rules of conflicts", .serialized, .timeLimit(.minutes(5)))
struct ConflictRulesTests {
    private let folder = TemporaryFolder()
    private let address: String
    private let server: PostgresConnection

    init() throws {
        address = try PostgresServer.shared.get().makeDatabase("rules")
        server = try PostgresConnection(address)
    }

    /// Creates two files with the same objects.
    private func clients(_ rules: TextMap<ConflictRules>) throws -> (SyncClient, SyncClient) {
        let clients = try ["a", "b"].map { name in
            let client = try SyncClient(folder(name + ".firn"))
            try client.prepare(address, rules: rules)
            try client.attach(address, ["Person", "City"])
            return client
        }
        let (a, b) = (clients[0], clients[1])
        try a.put("City", ["name": .string("Oslo"), "size": .int(5)])
        try a.put("Person", ["id": .int(1), "name": .string("x"), "age": .int(1)])
        try cycle([a, b])
        return (a, b)
    }

    private func cycle(_ clients: [SyncClient]) throws {
        for client in clients { _ = try client.upstream.synchronize() }
    }

    /// Collects the changes of a file without a connection, with the time of now.
    private func capture(_ client: SyncClient) throws {
        try client.upstream.capture(Subset(client.database.snapshot()))
    }

    private func size(_ client: SyncClient) throws -> Value? {
        try client.value("City", .string("Oslo"), "size")
    }

    private func expectEqual(_ clients: SyncClient...) throws {
        for client in clients {
            for comparison in try client.upstream.verify() {
                #expect(comparison.isEqual, "\(comparison)")
            }
        }
    }

    // MARK: Counters

    @Test("Increments by offline files and other programs are added up, in either order")
    func counters() throws {
        let (a, b) = try clients(["City": ConflictRules(counters: ["size"])])
        for (round, order) in [[a, b, a, b], [b, a, b, a]].enumerated() {
            let start = round * 111 + 5
            try a.put("City", ["name": .string("Oslo"), "size": .int(Int64(start + 1))])
            try capture(a)
            try a.put("City", ["name": .string("Oslo"), "size": .int(Int64(start + 11))])
            try b.put("City", ["name": .string("Oslo"), "size": .int(Int64(start + 120))])
            try capture(b)
            try b.put("City", ["name": .string("Oslo"), "size": .int(Int64(start + 99))])
            try server.execute("UPDATE firn.\"City\" SET size = size + 1")
            try cycle(order)
            let sum = Value.int(Int64(start + 11 + 99 + 1))
            #expect(try size(a) == sum)
            #expect(try size(b) == sum)
            try expectEqual(a, b)
        }
    }

    @Test("An increment of a value that changes in the meantime is not lost")
    func countersUnderWay() throws {
        let (a, b) = try clients(["City": ConflictRules(counters: ["size"])])
        for step in 1...20 {
            guard case .int(let here)? = try size(a), case .int(let there)? = try size(b) else {
                throw MissingValue()
            }
            try a.put("City", ["name": .string("Oslo"), "size": .int(here + 1)])
            try b.put("City", ["name": .string("Oslo"), "size": .int(there + 1)])
            // One of them is sometimes offline, and pulls while it has changes to send.
            if step % 2 == 0 { _ = try a.upstream.synchronize() }
            if step % 3 == 0 { _ = try b.upstream.synchronize() }
        }
        try cycle([a, b, a])
        #expect(try size(a) == .int(45))
        try expectEqual(a, b)
    }

    @Test("An increment that would move a counter out of range refuses its transaction")
    func overflow() throws {
        let (a, b) = try clients(["City": ConflictRules(counters: ["size"])])
        try a.put("City", ["name": .string("Oslo"), "size": .int(.max - 1)])
        try b.put("City", ["name": .string("Oslo"), "size": .int(10)])
        try cycle([a])
        let report = try b.upstream.synchronize()
        #expect(report.refused.map(\.objects) == [["City Oslo"]])
        #expect(report.refused.first?.reason.contains("out of range") == true)
        #expect(try size(b) == .int(.max - 1))
        try expectEqual(a, b)
    }

    // MARK: Modes

    @Test("If the first writer wins, the second transaction is refused and undone as a whole")
    func firstWriter() throws {
        let (a, b) = try clients(["Person": ConflictRules(.firstWriter)])
        // By time, the change of the other file would win.
        try b.put("Person", ["id": .int(1), "name": .string("earlier")])
        try capture(b)
        try a.write { transaction in
            try SyncClient.put(
                "Person", ["id": .int(1), "name": .string("later")], in: transaction)
            try SyncClient.put(
                "City", ["name": .string("Rome"), "size": .int(1)], in: transaction)
        }
        try capture(a)
        try a.put("Person", ["id": .int(1), "age": .int(7)])
        try cycle([b])
        let report = try a.upstream.synchronize()
        #expect(report.refused.map { $0.objects.sorted() } == [["City Rome", "Person 1"]])
        #expect(report.refused.first?.reason.contains("name has another value") == true)
        #expect(report.pushed == 1, "the next transaction changes another property")
        try cycle([b])
        for client in [a, b] {
            #expect(try client.value("Person", .int(1), "name") == .string("earlier"))
            #expect(try client.value("Person", .int(1), "age") == .int(7))
            #expect(try client.keys("City") == ["Oslo"])
        }
        try expectEqual(a, b)
        // A file that has seen the change may change it again.
        try a.put("Person", ["id": .int(1), "name": .string("again")])
        #expect(try a.upstream.synchronize().refused.isEmpty)
        try cycle([b])
        try expectEqual(a, b)
    }

    @Test("If the first writer wins, equal values do not conflict, whatever their form")
    func equalValues() throws {
        let (a, b) = try clients(["Person": ConflictRules(.firstWriter)])
        let fields: TextMap<Value> = [
            "id": .int(1), "score": .double(1e22), "ratio": .float(1.0 / 3),
            "when": .date(Timestamp(seconds: 1_356_998_400, nanoseconds: 123_456_789)),
            "price": .decimal128(Decimal128("12.50")!), "data": .data([0, 255]),
            "nums": .set([.int(3), .int(1)]), "tags": .list([.string("a b"), .string("")]),
            "marks": .map(["x": .double(1e22)]), "extra": .list([.double(100_000), .null]),
            "visits": .list([.date(Timestamp(seconds: 5))]), "flag": .bool(true),
            "token": .uuid(UUID(high: 1, low: 2)),
        ]
        try a.put("Person", fields)
        try b.put("Person", fields)
        try cycle([a])
        #expect(try b.upstream.synchronize().refused.isEmpty)
        try cycle([a])
        try expectEqual(a, b)
        // From the values that the server printed to others.
        var others = fields.mapValues { _ in Value.null }
        others["id"] = .int(1)
        others["nums"] = .set([])
        others["tags"] = .list([])
        others["visits"] = .list([])
        others["marks"] = .map([:])
        try b.put("Person", others)
        #expect(try b.upstream.synchronize().refused.isEmpty)
        try expectEqual(b)
    }

    @Test("If the first writer wins, the first deletion or creation prevails")
    func firstWriterOfObjects() throws {
        let (a, b) = try clients([
            "Person": ConflictRules(.firstWriter), "City": ConflictRules(.firstWriter),
        ])
        try a.delete("Person", .int(1))
        try a.put("City", ["name": .string("Rome"), "size": .int(1)])
        try b.put("Person", ["id": .int(1), "name": .string("y")])
        try b.put("City", ["name": .string("Rome"), "size": .int(2)])
        try cycle([a])
        let report = try b.upstream.synchronize()
        #expect(report.refused.map(\.objects) == [["Person 1"], ["City Rome"]])
        try cycle([a])
        for client in [a, b] {
            #expect(try client.keys("Person") == [])
            #expect(try client.value("City", .string("Rome"), "size") == .int(1))
        }
        try expectEqual(a, b)
    }

    @Test("By arrival, the change that the server receives last prevails, whatever its time")
    func arrival() throws {
        let (a, b) = try clients(["Person": ConflictRules(.arrival)])
        try a.put("Person", ["id": .int(1), "name": .string("earlier")])
        try capture(a)
        try b.put("Person", ["id": .int(1), "name": .string("later")])
        try capture(b)
        try cycle([b, a, b])
        for client in [a, b] {
            #expect(try client.value("Person", .int(1), "name") == .string("earlier"))
        }
        try expectEqual(a, b)
    }

    @Test("A reset after a backup recovers objects of a class whose first writer wins")
    func restored() throws {
        let (a, _) = try clients(["City": ConflictRules(.firstWriter)])
        try a.put("City", ["name": .string("Oslo"), "size": .int(6)])
        try a.put("City", ["name": .string("Rome"), "size": .int(1)])
        try cycle([a])
        // The backup has an older Oslo, and no Rome.
        try server.execute(
            "SET firn.client = 'backup'; UPDATE firn.\"City\" SET size = 5, _row_hlc = 1, "
                + "_hlc = '{}' WHERE name = 'Oslo'; DELETE FROM firn.\"City\" WHERE name = 'Rome'; "
                + "UPDATE firn.client SET last_seq = 0; "
                + "DELETE FROM firn.change; DELETE FROM firn.tomb; RESET firn.client")
        #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        try a.upstream.reset(.recover, client: UUID(high: 7, low: 7))
        #expect(try a.upstream.synchronize().refused.isEmpty)
        #expect(try size(a) == .int(6))
        #expect(try a.keys("City") == ["Oslo", "Rome"])
        try expectEqual(a)
    }

    // MARK: Definition

    @Test("Rules are kept when the server is prepared again without rules")
    func kept() throws {
        let (a, _) = try clients(["City": ConflictRules(.arrival, counters: ["size"])])
        try a.prepare(address)
        let rules = try ServerState(server, client: a.upstream.record().client)
            .layout.table(named: "City")?.rules
        #expect(rules == ConflictRules(.arrival, counters: ["size"]))
        try a.prepare(address, rules: ["City": ConflictRules(counters: [])])
        let changed = try ServerState(server, client: a.upstream.record().client)
            .layout.table(named: "City")?.rules
        #expect(changed == ConflictRules(.arrival, counters: []))
    }

    @Test("A server that was prepared before rules existed gets them")
    func upgrade() throws {
        let (a, _) = try clients([:])
        try server.execute(
            "ALTER TABLE firn.class DROP COLUMN conflicts, DROP COLUMN counters; "
                + "UPDATE firn.meta SET format = 1")
        let error = #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(error?.code == .notPrepared)
        #expect(error?.remedy == "run: firn sync init FILE URL")
        try a.prepare(address)
        _ = try a.upstream.synchronize()
        try expectEqual(a)
    }

    @Test(
        "Rules for classes and properties that cannot have them are refused",
        arguments: [
            ("Nobody", "size", "no class Nobody"), ("City", "mayor", "no property mayor"),
            ("City", "name", "City.name cannot be a counter"),
            ("Person", "score", "Person.score cannot be a counter"),
            ("Person", "nums", "Person.nums cannot be a counter"),
            ("Person", "id", "Person.id cannot be a counter"),
        ])
    func invalid(className: String, property: String, text: String) throws {
        let a = try SyncClient(folder("a.firn"))
        let error = #expect(throws: UpstreamError.self) {
            try a.prepare(address, rules: [className: ConflictRules(counters: [property])])
        }
        #expect(error?.detail.contains(text) == true, "\(error?.detail ?? "")")
        #expect(
            try server.query("SELECT 1 FROM pg_namespace WHERE nspname = 'firn'").count == 0,
            "the server is unchanged")
    }
}
