import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// Files and a real server.
@Suite("Replication with PostgreSQL", .serialized, .timeLimit(.minutes(5)))
struct UpstreamTests {
    private let folder = TemporaryFolder()
    private let address: String
    private let server: PostgresConnection

    init() throws {
        address = try PostgresServer.shared.get().makeDatabase("cycle")
        server = try PostgresConnection(address)
    }

    /// Creates a file that replicates everything.
    private func client(
        _ name: String, _ queries: [String] = ["Person", "City"]
    ) throws -> SyncClient {
        let client = try SyncClient(folder(name + ".firn"))
        try client.prepare(address)
        try client.attach(address, queries)
        return client
    }

    private func expectEqual(_ clients: SyncClient...) throws {
        for client in clients {
            let comparisons = try client.upstream.verify()
            for comparison in comparisons { #expect(comparison.isEqual, "\(comparison)") }
        }
    }

    @Test("An object with values of all types arrives on the server and in another file")
    func allTypes() throws {
        let (a, b) = (try client("a"), try client("b"))
        try a.put("City", ["name": .string("Österbro \"x\" \\ {,}"), "size": .int(3)])
        let city = try a.link("City", .string("Österbro \"x\" \\ {,}"))
        let values: TextMap<Value> = [
            "id": .int(.min), "name": .string("O'Neil \u{1F600}"), "age": .int(.max),
            "score": .double(0.1 + 0.2), "ratio": .float(1.0 / 3),
            "price": .decimal128(Decimal128("3.141592653589793238462643383279502")!),
            "when": .date(Timestamp(seconds: 1_356_998_400, nanoseconds: 123_456_789)),
            "data": .data([0, 255, 16]),
            "token": .uuid(UUID(high: 0x0123_4567_89ab_cdef, low: 1)),
            "oid": .objectID(ObjectID("0123456789abcdef01234567")!), "flag": .bool(true),
            "tags": .list([.string("a,b"), .string("NULL"), .string(""), .string("\"\\")]),
            "nums": .set([.int(-1), .int(5)]), "home": city,
            "marks": .map([
                "": .double(1e22), "a b": .double(-0.0), "\"\\": .double(.infinity),
                "\u{1F600}": .double(.leastNonzeroMagnitude),
            ]),
            "visits": .list([
                .date(Timestamp(seconds: -1, nanoseconds: 999_999_999)),
                .date(Timestamp(seconds: 1_356_998_400, nanoseconds: 1)),
            ]),
            "extra": .list([
                .null, .bool(false), .int(.max), .float(1.0 / 3), .double(0.1 + 0.2),
                .string("a\u{7}\nb\u{2028}"), .data([1, 2]), .date(Timestamp(seconds: 5)),
                .decimal128(Decimal128("-0.00")!), .uuid(UUID(high: 1, low: 2)),
                .objectID(ObjectID("0123456789abcdef01234567")!),
                .map(["x": .list([]), "y": .map([:])]),
            ]),
        ]
        try a.put("Person", values)
        try a.put("Person", ["id": .int(2), "friends": .list([a.link("Person", .int(.min))])])
        // Each commit since the attachment is a transaction.
        #expect(try a.upstream.synchronize().pushed == 3)
        #expect(try b.upstream.synchronize().pulled > 0)
        for (name, value) in values where name != "home" {
            #expect(try b.value("Person", .int(.min), name) == value, "\(name)")
        }
        #expect(
            try b.value("Person", .int(.min), "home")
                == b.link("City", .string("Österbro \"x\" \\ {,}")))
        #expect(
            try b.value("Person", .int(2), "friends")
                == .list([try b.link("Person", .int(.min))]))
        try expectEqual(a, b)
        #expect(
            try server.query("SELECT \"when\"::text FROM firn.\"Person\" WHERE flag")[0, 0]
                == "2013-01-01 00:00:00.123456+00")
    }

    /// The connection was released twice.
    @Test("Without a server, changes are collected, and the file is as before")
    func unreachable() throws {
        let a = try client("a")
        _ = try a.upstream.synchronize()
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        let offline = Upstream(a.database)
        let missing = address.replacing("dbname=cycle", with: "dbname=missing")
        try offline.update { transaction throws(UpstreamError) in
            var record = try offline.record()
            record.address = missing
            return record
        }
        try a.put("City", ["name": .string("Rome"), "size": .int(2)])
        let error = #expect(throws: UpstreamError.self) { try offline.synchronize() }
        #expect(error?.code == .address, "\(error?.detail ?? "")")
        #expect(try offline.pendingCount() == 1)
        #expect(try a.keys("City") == ["Oslo", "Rome"])
        #expect(throws: UpstreamError.self) {
            try Upstream(a.database).attach(
                "host=/nowhere password=x", client: UUID(high: 1, low: 1))
        }
    }

    @Test("Without changes, a cycle commits nothing on either side")
    func idle() throws {
        let a = try client("a")
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        _ = try a.upstream.synchronize()
        _ = try a.upstream.synchronize()
        let version = try a.database.store.snapshot().version
        let report = try a.upstream.synchronize()
        #expect(report.isEmpty)
        #expect(try a.database.store.snapshot().version == version)
        // It would keep its pages in a file that is compacted meanwhile.
        #expect(a.upstream.lastCapture == nil)
    }

    @Test("Changes from other programs arrive, including changes to keys")
    func foreignWriters() throws {
        let a = try client("a")
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        _ = try a.upstream.synchronize()
        try server.execute(
            """
            INSERT INTO firn."City" (name, size) VALUES ('Rome', 7), ('Bonn', 3);
            UPDATE firn."City" SET size = 2 WHERE name = 'Oslo';
            UPDATE firn."City" SET name = 'Roma' WHERE name = 'Rome';
            INSERT INTO firn."Person" (id, home, friends) VALUES (1, 'Bonn', '{1,9}');
            DELETE FROM firn."City" WHERE name = 'nowhere';
            """)
        _ = try a.upstream.synchronize()
        #expect(try a.keys("City") == ["Bonn", "Oslo", "Roma"])
        #expect(try a.value("City", .string("Oslo"), "size") == .int(2))
        #expect(try a.value("Person", .int(1), "home") == a.link("City", .string("Bonn")))
        try server.execute("DELETE FROM firn.\"City\" WHERE name = 'Bonn'")
        _ = try a.upstream.synchronize()
        #expect(try a.keys("City") == ["Oslo", "Roma"])
        #expect(try a.value("Person", .int(1), "home") == .null)
        // The link is back as soon as its target is.
        try server.execute("INSERT INTO firn.\"City\" (name, size) VALUES ('Bonn', 4)")
        try server.execute("INSERT INTO firn.\"Person\" (id) VALUES (9)")
        _ = try a.upstream.synchronize()
        #expect(try a.value("Person", .int(1), "home") == a.link("City", .string("Bonn")))
        #expect(
            try a.value("Person", .int(1), "friends")
                == .list([try a.link("Person", .int(1)), try a.link("Person", .int(9))]))
        try expectEqual(a)
    }

    @Test("A file holds only what its subscriptions select, and follows changes to them")
    func subset() throws {
        let (a, b) = (try client("a"), try client("b", ["Person age > 30"]))
        for id in 1...6 {
            try a.put("Person", ["id": .int(Int64(id)), "age": .int(Int64(id) * 10)])
        }
        _ = try a.upstream.synchronize()
        _ = try b.upstream.synchronize()
        #expect(try b.keys("Person") == ["4", "5", "6"])
        // One moves out, one moves in, one of the subset is deleted.
        try a.put("Person", ["id": .int(4), "age": .int(1)])
        try a.put("Person", ["id": .int(1), "age": .int(99)])
        try a.delete("Person", .int(5))
        _ = try a.upstream.synchronize()
        _ = try b.upstream.synchronize()
        #expect(try b.keys("Person") == ["1", "6"])
        try b.subscribe(["Person age < 30 OR age == nil", "City"])
        _ = try b.upstream.synchronize()
        #expect(try b.keys("Person") == ["2", "4"])
        try b.subscribe([])
        _ = try b.upstream.synchronize()
        #expect(try b.keys("Person") == [])
        #expect(try a.keys("Person") == ["1", "2", "3", "4", "6"])
        _ = try a.upstream.synchronize()
        try expectEqual(a, b)
    }

    @Test("Objects that a file had before it was attached are uploaded")
    func firstUpload() throws {
        let a = try SyncClient(folder("a.firn"))
        for id in 1...300 {
            try a.put("Person", ["id": .int(Int64(id)), "name": .string("p\(id)")])
        }
        try a.prepare(address)
        try a.attach(address, ["Person"])
        _ = try a.upstream.synchronize()
        #expect(try server.query("SELECT count(*) FROM firn.\"Person\"")[0, 0] == "300")
        let b = try client("b", ["Person"])
        _ = try b.upstream.synchronize()
        #expect(try b.keys("Person").count == 300)
        try expectEqual(a, b)
    }

    @Test("If two offline files change different properties, both changes are kept")
    func properties() throws {
        let (a, b) = (try client("a"), try client("b"))
        try a.put(
            "Person",
            ["id": .int(1), "name": .string("x"), "tags": Self.list("a", "b", "c")])
        try cycle([a, b, a])
        try a.put("Person", ["id": .int(1), "age": .int(7)])
        try a.put("Person", ["id": .int(1), "tags": Self.list("a", "A", "b", "c")])
        try b.put("Person", ["id": .int(1), "name": .string("y")])
        try b.put("Person", ["id": .int(1), "tags": Self.list("a", "c", "C")])
        try cycle([a, b, a])
        for client in [a, b] {
            #expect(try client.value("Person", .int(1), "age") == .int(7))
            #expect(try client.value("Person", .int(1), "name") == .string("y"))
            #expect(
                try client.value("Person", .int(1), "tags")
                    == Self.list("a", "A", "c", "C"))
        }
        try expectEqual(a, b)
    }

    @Test("Of two changes to a property, the later one wins, whichever arrives first")
    func lastWriter() throws {
        for order in [[0, 1, 0], [1, 0, 1]] {
            let (a, b) = (try client("a\(order[0])"), try client("b\(order[0])"))
            let key = Value.int(Int64(order[0]))
            try a.put("Person", ["id": key, "name": .string("first")])
            try cycle([a, b, a])
            try a.put("Person", ["id": key, "name": .string("earlier")])
            try a.upstream.capture(Subset(a.database.snapshot()))
            try b.put("Person", ["id": key, "name": .string("later")])
            try b.upstream.capture(Subset(b.database.snapshot()))
            try cycle(order.map { [a, b][$0] })
            try cycle([a, b])
            for client in [a, b] {
                #expect(try client.value("Person", key, "name") == .string("later"))
            }
            try expectEqual(a, b)
        }
    }

    /// Half a minute of difference between two clocks undid later changes without a word.
    @Test("A change to a value that the file has seen wins, even if its clock is slow")
    func clocks() throws {
        let (a, b) = (try client("a"), try client("b"))
        try a.put("Person", ["id": .int(1), "name": .string("x")])
        try cycle([a, b])
        let ahead = "(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + 30000 << 20)"
        try server.execute(
            "SET firn.client = 'another'; UPDATE firn.\"Person\" SET name = 'ahead', "
                + "_row_hlc = \(ahead); DELETE FROM firn.\"City\"; "
                + "INSERT INTO firn.tomb (class, pk, hlc) "
                + "SELECT number, 'Oslo', \(ahead) FROM firn.class WHERE name = 'City'; "
                + "INSERT INTO firn.change (class, pk) "
                + "SELECT number, 'Oslo' FROM firn.class WHERE name = 'City'")
        _ = try b.upstream.synchronize()
        #expect(try b.value("Person", .int(1), "name") == .string("ahead"))
        try b.put("Person", ["id": .int(1), "name": .string("after")])
        try b.put("City", ["name": .string("Oslo"), "size": .int(1)])
        try cycle([b, a, b])
        for client in [a, b] {
            #expect(try client.value("Person", .int(1), "name") == .string("after"))
            #expect(try client.keys("City") == ["Oslo"])
        }
        try expectEqual(a, b)
    }

    @Test("A property that the server lacks is an error that says what to do")
    func newProperty() throws {
        let a = try client("a")
        _ = try a.upstream.synchronize()
        try a.write { transaction in
            let schema = try present(transaction.schema.classNamed("City"))
            _ = try transaction.addProperty(
                ClassDefinition.Property(
                    name: "mayor", type: PropertyType(.string, isOptional: true)), to: schema.id)
        }
        try a.put("City", ["name": .string("Oslo"), "size": .int(1), "mayor": .string("Ada")])
        let error = #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(error?.code == .notPrepared, "\(error?.detail ?? "")")
        try a.prepare(address)
        _ = try a.upstream.synchronize()
        #expect(try server.query("SELECT mayor FROM firn.\"City\"")[0, 0] == "Ada")
        try expectEqual(a)
    }

    @Test("A deletion wins over an update, and a later creation is a new object")
    func deletion() throws {
        let (a, b) = (try client("a"), try client("b"))
        try a.put("Person", ["id": .int(1), "name": .string("x"), "age": .int(4)])
        try cycle([a, b])
        try a.delete("Person", .int(1))
        try b.put("Person", ["id": .int(1), "name": .string("y")])
        try cycle([b, a, b])
        #expect(try a.keys("Person") == [])
        #expect(try b.keys("Person") == [])
        try b.put("Person", ["id": .int(1), "name": .string("again")])
        try cycle([b, a])
        #expect(try a.value("Person", .int(1), "name") == .string("again"))
        #expect(try a.value("Person", .int(1), "age") == .null)
        try expectEqual(a, b)
    }

    @Test("A transaction that the server refuses is undone, and the next transactions continue")
    func refusal() throws {
        let a = try client("a")
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        _ = try a.upstream.synchronize()
        try server.execute(
            "ALTER TABLE firn.\"City\" ADD CONSTRAINT small CHECK (size < 100)")
        try a.put("City", ["name": .string("Oslo"), "size": .int(1000)])
        try a.put("City", ["name": .string("Rome"), "size": .int(5000)])
        try a.put("City", ["name": .string("Bonn"), "size": .int(2)])
        try a.put("Person", ["id": .int(1), "name": .string("a\u{0}b")])
        let report = try a.upstream.synchronize()
        #expect(
            report.refused.map(\.objects) == [["Person 1"], ["City Oslo"], ["City Rome"]])
        #expect(try a.value("City", .string("Oslo"), "size") == .int(1))
        #expect(try a.keys("City") == ["Bonn", "Oslo"])
        #expect(try a.keys("Person") == [])
        #expect(try server.query("SELECT count(*) FROM firn.rejected")[0, 0] == "2")
        try expectEqual(a)
    }

    @Test("A batch whose acknowledgement was lost is not sent twice")
    func lostAcknowledgement() throws {
        let a = try client("a")
        _ = try a.upstream.synchronize()
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        try a.upstream.capture(Subset(a.database.snapshot()))
        let record = try a.upstream.record()
        let pending = try Outgoing.all(in: a.database.store.snapshot())
        let state = try ServerState(server, client: record.client)
        let schema = try a.database.store.snapshot().schema
        var size = Push.Size()
        // As if the process had been killed after the server's commit.
        let classes = try record.columns.resolve(
            SyncedClass.classes(of: schema).synced, in: state.layout)
        _ = try Push(server, classes, client: record.client)
            .sendNext(pending, after: record.lastAcknowledged, &size, state)
        try server.execute("UPDATE firn.\"City\" SET size = 2")
        _ = try a.upstream.synchronize()
        #expect(try a.value("City", .string("Oslo"), "size") == .int(2))
        try expectEqual(a)
    }

    @Test("A comparison lists the objects that differ")
    func differences() throws {
        let a = try client("a")
        for name in ["Oslo", "Rome", "Bonn"] {
            try a.put("City", ["name": .string(name), "size": .int(1)])
        }
        try cycle([a])
        try expectEqual(a)
        try server.execute("UPDATE firn.\"City\" SET size = 2 WHERE name = 'Rome'")
        try a.delete("City", .string("Bonn"))
        let city = try #require(a.upstream.verify().first { $0.className == "City" })
        #expect(!city.isEqual && city.differences == ["Bonn", "Rome"])
        #expect(city.localCount == 2 && city.serverCount == 3)
    }

    @Test("Large subsets are read in pages that the file stages")
    func staging() throws {
        let a = try client("a", ["Person"])
        a.upstream.memoryMaximum = 20_000
        try server.execute(
            "INSERT INTO firn.\"Person\" (id, name, friends) "
                + "SELECT i, 'p' || i, ARRAY[i + 1] FROM generate_series(1, 12345) i")
        _ = try a.upstream.synchronize()
        #expect(try a.keys("Person").count == 12_345)
        #expect(
            try a.value("Person", .int(1), "friends") == .list([try a.link("Person", .int(2))]))
        #expect(try a.database.store.snapshot().schema.classNamed("firn.Staged") == nil)
        try expectEqual(a)
    }

    /// The file lost the rows that the other process removed, and took them for deleted.
    @Test("A bootstrap whose staged pages are removed by another process fails, and is repeated")
    func sharedStaging() throws {
        let a = try client("a", ["Person"])
        a.upstream.memoryMaximum = 0
        try server.execute(
            "INSERT INTO firn.\"Person\" (id) SELECT i FROM generate_series(1, 12345) i")
        let other = Upstream(a.database)
        var refusal: UpstreamError?
        var pages = 0
        let connection = try a.upstream.connected()
        connection.interruption = { sql, isDone in
            guard sql.hasPrefix("FETCH"), isDone else { return false }
            pages += 1
            guard pages == 3 else { return false }
            // The lock on the server keeps another process from reading at the same time.
            do throws(UpstreamError) { _ = try other.synchronize() } catch { refusal = error }
            try? PulledRows.discardStaged(in: a.database.store)
            return false
        }
        let failure = #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(refusal?.detail.contains("another process") == true, "\(refusal?.detail ?? "")")
        #expect(failure?.detail.contains("another process") == true, "\(failure?.detail ?? "")")
        #expect(failure?.isTransient == true)
        connection.interruption = nil
        _ = try a.upstream.synchronize()
        #expect(try a.keys("Person").count == 12_345)
        try expectEqual(a)
    }

    private static func list(_ texts: String...) -> Value { .list(texts.map { .string($0) }) }

    private func cycle(_ clients: [SyncClient]) throws {
        for client in clients { _ = try client.upstream.synchronize() }
    }
}
