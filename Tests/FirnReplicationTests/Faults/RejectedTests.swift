import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// Values that the server refused or replaced stay in the file until a person has decided.
@Suite("Rejected transactions", .serialized, .timeLimit(.minutes(5)))
struct RejectedTests {
    private let folder = TemporaryFolder()
    private let address: String
    private let server: PostgresConnection

    init() throws {
        address = try PostgresServer.shared.get().makeDatabase("rejected")
        server = try PostgresConnection(address)
    }

    private func client(_ name: String, _ queries: [String] = ["City"]) throws -> SyncClient {
        let client = try SyncClient(folder(name + ".firn"))
        try client.prepare(address)
        try client.attach(address, queries)
        return client
    }

    private func city(_ name: String, _ size: Int64) -> TextMap<Value> {
        ["name": .string(name), "size": .int(size)]
    }

    private func refuseThirteen() throws {
        try server.execute(#"ALTER TABLE firn."City" ADD CONSTRAINT lucky CHECK (size <> 13)"#)
    }

    @Test("A refused transaction is listed with its contents, and can be redone and sent")
    func retry() throws {
        let a = try client("a")
        try a.put("City", city("Oslo", 1))
        _ = try a.upstream.synchronize()
        try refuseThirteen()
        try a.write { transaction in
            try SyncClient.put("City", city("Oslo", 2), in: transaction)
            try SyncClient.put("City", city("Rome", 13), in: transaction)
        }
        _ = try a.upstream.synchronize()
        let items = try a.upstream.rejected()
        #expect(items.count == 1)
        #expect(items[0].reason.contains("lucky"))
        #expect(
            items[0].changes.map { "\($0.verb) \($0.className) \($0.key)" }.sorted() == [
                "changed City Oslo", "created City Rome",
            ])
        let line = try present(
            try a.upstream.rejectedLines().first { $0.contains(#""key":"Oslo""#) })
        #expect(line.contains(#""values":{"size":2}"#))
        #expect(line.contains(#""replaces":{"size":1}"#))
        #expect(try a.value("City", .string("Oslo"), "size") == .int(1))
        // Still refused: it is there again, and only once.
        try a.upstream.retryRejected(items[0].number)
        #expect(try a.value("City", .string("Oslo"), "size") == .int(2))
        #expect(try a.upstream.rejected().isEmpty)
        #expect(try a.upstream.synchronize().refused.count == 1)
        let again = try a.upstream.rejected()
        #expect(again.count == 1)
        try server.execute(#"ALTER TABLE firn."City" DROP CONSTRAINT lucky"#)
        try a.upstream.retryRejected(again[0].number)
        #expect(try a.upstream.synchronize().refused == [])
        #expect(try a.keys("City") == ["Oslo", "Rome"])
        #expect(try a.upstream.verify().allSatisfy(\.isEqual))
        #expect(try a.upstream.rejected().isEmpty)
    }

    @Test("An object that the file kept is sent again")
    func kept() throws {
        let a = try SyncClient(folder("a.firn"))
        try a.put("City", city("Oslo", 13))
        try a.prepare(address)
        try refuseThirteen()
        try a.attach(address, ["City"])
        _ = try a.upstream.synchronize()
        #expect(try a.keys("City") == ["Oslo"])
        let items = try a.upstream.rejected()
        #expect(items.flatMap(\.changes).map(\.verb) == ["kept"])
        try server.execute(#"ALTER TABLE firn."City" DROP CONSTRAINT lucky"#)
        // An object that was created meanwhile was taken for sent, because it has a later time.
        try a.put("City", city("Rome", 1))
        try a.upstream.retryRejected(items[0].number)
        let report = try a.upstream.synchronize()
        #expect(report.refused == [])
        #expect(report.pushed == 2)
        #expect(try a.keys("City") == ["Oslo", "Rome"])
        #expect(try a.upstream.verify().allSatisfy(\.isEqual))
        #expect(
            try server.query(#"SELECT size FROM firn."City" WHERE name = 'Oslo'"#)[0, 0] == "13")
    }

    @Test("A change to an object that is gone cannot be redone, and stays listed")
    func gone() throws {
        let a = try client("a")
        try a.put("City", city("Oslo", 1))
        _ = try a.upstream.synchronize()
        try refuseThirteen()
        try a.put("City", city("Oslo", 13))
        _ = try a.upstream.synchronize()
        try server.execute(#"DELETE FROM firn."City""#)
        _ = try a.upstream.synchronize()
        let number = try a.upstream.rejected()[0].number
        let error = #expect(throws: UpstreamError.self) { try a.upstream.retryRejected(number) }
        #expect(error?.detail == "City Oslo does not exist any more")
        #expect(try a.upstream.rejected().map(\.number) == [number])
        try a.upstream.dropRejected([number])
        #expect(try a.upstream.rejected().isEmpty)
    }

    /// One of the objects vanished without a word.
    @Test(
        "If two files create objects with the same key, the contents of both are kept",
        arguments: [false, true])
    func collision(isLaterFirst: Bool) throws {
        let (a, b) = (try client("a"), try client("b"))
        for client in [a, b] { _ = try client.upstream.synchronize() }
        try a.put("City", city("Oslo", 1))
        try b.put("City", city("Oslo", 2))
        let (first, second) = isLaterFirst ? (b, a) : (a, b)
        #expect(try first.upstream.synchronize().collisions == [])
        let report = try second.upstream.synchronize()
        _ = try first.upstream.synchronize()
        #expect(report.collisions == ["City Oslo"])
        let own: Int64 = isLaterFirst ? 1 : 2
        for client in [a, b] { #expect(try client.upstream.verify().allSatisfy(\.isEqual)) }
        #expect(
            try a.value("City", .string("Oslo"), "size")
                == b.value("City", .string("Oslo"), "size"))
        let line = try present(try second.upstream.rejectedLines().first)
        #expect(line.contains(#""values":{"size":\#(own)}"#))
        #expect(line.contains(#""replaces":{"size":\#(3 - own)}"#))
        let content = try server.query("SELECT content->'size'->>'file' FROM firn.rejected")
        #expect(content[0, 0] == String(own))
    }

    @Test("The contents include a string that PostgreSQL cannot store")
    func unsendable() throws {
        let a = try client("a", ["City", "Person"])
        _ = try a.upstream.synchronize()
        try a.put("Person", ["id": .int(1), "name": .string("a\0b"), "age": .int(7)])
        _ = try a.upstream.synchronize()
        let item = try a.upstream.rejected()[0]
        let properties = item.changes[0].properties
        #expect(properties.first { $0.name == "name" }?.value == "a\0b")
        #expect(properties.first { $0.name == "age" }?.value == "7")
    }

    // MARK: The other way

    private static let rows: [(sql: String, column: String)] = [
        ("(id, \"when\") VALUES (2, 'infinity')", "when"),
        ("(id, \"when\") VALUES (2, '0044-03-15 BC')", "when"),
        ("(id, price) VALUES (2, 1234567890123456789012345678901234567890.5)", "price"),
        ("(id, tags) VALUES (2, '{a,NULL}')", "tags"),
        (#"(id, marks) VALUES (2, '{"a.b": 1}')"#, "marks"),
        (#"(id, extra) VALUES (2, '{"t": "bogus"}')"#, "extra"),
    ]

    @Test(
        "A row that the file cannot store is left out by key until it changes",
        arguments: 0..<6)
    func unreadable(number: Int) throws {
        let (sql, column) = Self.rows[number]
        let a = try client("a", ["City", "Person"])
        _ = try a.upstream.synchronize()
        try server.execute(
            #"INSERT INTO firn."Person" \#(sql); INSERT INTO firn."Person" (id, age) VALUES (1, 5); "#
                + #"INSERT INTO firn."City" (name, size) VALUES ('Oslo', 1)"#)
        let report = try a.upstream.synchronize()
        #expect(report.skipped.map(\.object) == ["Person 2"])
        #expect(report.skipped.first?.reason.contains(column) == true)
        #expect(try a.keys("Person") == ["1"])
        #expect(try a.keys("City") == ["Oslo"])
        let comparison = try present(try a.upstream.verify().first { $0.className == "Person" })
        #expect(comparison.differences == ["2"])
        // A file that reads everything does the same.
        let b = try client("b", ["Person"])
        #expect(try b.upstream.synchronize().skipped.count == 1)
        try server.execute(
            #"UPDATE firn."Person" SET "when" = NULL, price = NULL, tags = '{}', marks = '{}', "#
                + "extra = NULL WHERE id = 2")
        for client in [a, b] {
            #expect(try client.upstream.synchronize().skipped == [])
            #expect(try client.keys("Person") == ["1", "2"])
            #expect(try client.upstream.verify().allSatisfy(\.isEqual))
        }
    }

    @Test("With checks, the server rejects what files cannot store", arguments: 0..<5)
    func checks(number: Int) throws {
        let a = try client("a", ["Person"])
        try Upstream.prepareServer(for: a.database, at: address, hasChecks: true)
        let error = #expect(throws: UpstreamError.self) {
            try server.execute(#"INSERT INTO firn."Person" "# + Self.rows[number].sql)
        }
        #expect(error?.state == "23514")
        try server.execute(
            #"INSERT INTO firn."Person" (id, "when", price, tags, marks) VALUES "#
                + #"(1, now(), 12345678901234567890.5, '{a}', '{"a": 1}'), "#
                + "(2, NULL, 1e60, '{}', '{}')")
        #expect(try a.upstream.synchronize().skipped == [])
        #expect(try a.upstream.verify().allSatisfy(\.isEqual))
    }

    @Test("A lock of another program delays what the file sends, but not what it receives")
    func lock() throws {
        let a = try client("a")
        try a.put("City", city("Oslo", 1))
        _ = try a.upstream.synchronize()
        let other = try PostgresConnection(address)
        try other.execute(#"BEGIN; SELECT FROM firn."City" WHERE name = 'Oslo' FOR UPDATE"#)
        try server.execute(#"INSERT INTO firn."City" (name, size) VALUES ('Rome', 3)"#)
        try a.put("City", city("Oslo", 2))
        let report = try a.upstream.synchronize()
        #expect(report.delay?.contains("lock") == true)
        #expect(try a.keys("City") == ["Oslo", "Rome"])
        #expect(try a.value("City", .string("Oslo"), "size") == .int(2))
        #expect(try a.upstream.pendingCount() == 1)
        try other.execute("COMMIT")
        #expect(try a.upstream.synchronize().delay == nil)
        #expect(try a.upstream.verify().allSatisfy(\.isEqual))
    }

    /// The function's text ended at the name, and the statement failed.
    @Test("Names that are SQL keywords work as names")
    func names() throws {
        let names = ["a$$b", "x'y", "q\"r", "select", "$1", "back\\slash", "own", "n", "new_rows"]
        let a = try SyncClient(folder("a.firn"))
        try a.write { transaction in
            let city = try present(transaction.schema.classNamed("City"))
            for name in names {
                try transaction.addProperty(
                    ClassDefinition.Property(name: name, type: PropertyType(.int)), to: city.id)
            }
        }
        try a.prepare(address)
        try a.attach(address, ["City"])
        var fields = city("Oslo", 1)
        for (index, name) in names.enumerated() { fields[name] = .int(Int64(index)) }
        try a.put("City", fields)
        _ = try a.upstream.synchronize()
        for name in names {
            try server.execute(
                #"UPDATE firn."City" SET \#(SQLText.name(name)) = \#(SQLText.name(name)) + 100"#)
        }
        #expect(try a.upstream.synchronize().pulled == 1)
        for (index, name) in names.enumerated() {
            #expect(try a.value("City", .string("Oslo"), name) == .int(Int64(index + 100)))
        }
    }

    @Test("A property named like a system column is refused, with the way to rename it")
    func systemColumn() throws {
        let a = try SyncClient(folder("a.firn"))
        try a.write { transaction in
            let city = try present(transaction.schema.classNamed("City"))
            try transaction.addProperty(
                ClassDefinition.Property(name: "xmin", type: PropertyType(.int)), to: city.id)
        }
        let schema = try a.database.store.snapshot().schema
        let refused = SyncedClass.classes(of: schema).refused.first { $0.name == "City" }
        #expect(refused?.error.remedy == "rename it with: firn alter FILE 'rename City.xmin NAME'")
    }

    /// It was taken for a damaged file, with the advice to restore a copy.
    @Test("Values of 17 MiB are sent and received, and refused values are kept")
    func longValues() throws {
        let a = try client("a", ["Person"])
        let text = Value.string(String(repeating: "abcdefgh", count: 17 << 17))
        let data = Value.data([UInt8](repeating: 7, count: 17 << 20))
        try server.execute(#"ALTER TABLE firn."Person" ADD CONSTRAINT two CHECK (age <> 2)"#)
        _ = try a.upstream.synchronize()
        try a.put("Person", ["id": .int(1), "name": text, "data": data, "age": .int(2)])
        #expect(try a.upstream.synchronize().refused.count == 1)
        #expect(try a.keys("Person") == [])
        try server.execute(#"ALTER TABLE firn."Person" DROP CONSTRAINT two"#)
        try a.upstream.retryRejected(try a.upstream.rejected()[0].number)
        #expect(try a.upstream.synchronize().refused == [])
        #expect(try a.value("Person", .int(1), "name") == text)
        #expect(try a.value("Person", .int(1), "data") == data)
        let parts = InternalTable.parts
        try parts.forEach(in: a.database.store.snapshot()) { _ in
            Issue.record("a part is left that nothing needs")
        }
        #expect(try server.query(#"SELECT length(data) FROM firn."Person""#)[0, 0] == "17825792")
    }
}
