import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// Mistakes of users and administrators, wrong clocks and full disks: the documented error, with all
/// local data intact, and local writes that go on.
///
/// Servers that are gone are in ReplicationFaultTests, passwords and certificates in
/// SecureConnectionTests, permissions in PermissionTests, a wrong database in UpstreamTests.
@Suite("Bad input of replication", .serialized, .timeLimit(.minutes(5)))
struct BadInputTests {
    private let folder = TemporaryFolder()
    private let address: String
    private let server: PostgresConnection

    init() throws {
        address = try PostgresServer.shared.get().makeDatabase("bad")
        server = try PostgresConnection(address)
    }

    private func client(
        _ name: String = "a", services: SystemServices = .real, path: String? = nil
    ) throws -> SyncClient {
        let client = try SyncClient(path ?? folder(name + ".firn"), services: services)
        try client.prepare(address)
        try client.attach(address, ["Person", "City"])
        return client
    }

    private func expectEqual(_ clients: SyncClient...) throws {
        for client in clients {
            for comparison in try client.upstream.verify() {
                #expect(comparison.isEqual, "\(comparison)")
            }
        }
    }

    /// Expects an error of a cycle, and that the file is as before and can be written.
    private func expectError(
        _ client: SyncClient, _ code: UpstreamError.Code, _ text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let cities = try client.keys("City")
        let error = #expect(throws: UpstreamError.self, sourceLocation: sourceLocation) {
            try client.upstream.synchronize()
        }
        let message = "\(error?.detail ?? "") \(error?.remedy ?? "")"
        #expect(error?.code == code, "\(message)", sourceLocation: sourceLocation)
        #expect(message.contains(text), "\(message)", sourceLocation: sourceLocation)
        #expect(error?.isTransient == false, sourceLocation: sourceLocation)
        #expect(try client.keys("City") == cities, sourceLocation: sourceLocation)
        let name = "w\(cities.count)"
        try client.put("City", ["name": .string(name), "size": .int(1)])
        #expect(try client.keys("City") == (cities + [name]).sorted())
    }

    // MARK: The server

    @Test("Tables of a newer version stop the file until firn is updated, and are not touched")
    func newerTables() throws {
        let a = try client()
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        _ = try a.upstream.synchronize()
        let format = ServerScript.format
        try server.execute("UPDATE firn.meta SET format = \(format + 1)")
        try expectError(a, .notPrepared, "use a newer firn")
        let error = #expect(throws: UpstreamError.self) { try a.prepare(address) }
        #expect(error?.remedy == "use a newer firn")
        #expect(try server.query("SELECT format FROM firn.meta")[0, 0] == String(format + 1))
        try server.execute("UPDATE firn.meta SET format = \(format)")
        _ = try a.upstream.synchronize()
        try expectEqual(a)
        #expect(try a.keys("City") == ["Oslo", "w1"])
    }

    @Test("A missing schema or table on the server is an error that says what to run")
    func missingTables() throws {
        let a = try client()
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        try server.execute("DROP TABLE firn.\"City\"")
        try expectError(a, .notPrepared, "firn sync init FILE")
        try server.execute("DROP SCHEMA firn CASCADE")
        try expectError(a, .notPrepared, "firn sync init FILE URL")
        let error = #expect(throws: UpstreamError.self) {
            try SyncClient(folder("b.firn")).attach(address, ["City"])
        }
        #expect(error?.code == .notPrepared)
    }

    @Test("A column that was renamed or dropped on the server stops the file, and loses nothing")
    func columns() throws {
        let a = try client()
        try a.put("City", ["name": .string("Oslo"), "size": .int(4)])
        _ = try a.upstream.synchronize()
        try server.execute("ALTER TABLE firn.\"City\" RENAME COLUMN size TO extent")
        // Its triggers do not know the new name.
        try expectError(a, .notPrepared, "triggers")
        try a.prepare(address)
        try server.execute("UPDATE firn.\"City\" SET extent = 5")
        _ = try a.upstream.synchronize()
        #expect(try a.value("City", .string("Oslo"), "size") == .int(5))
        try expectEqual(a)
        try server.execute("ALTER TABLE firn.\"City\" DROP COLUMN extent")
        try expectError(a, .notPrepared, "column")
        #expect(try a.value("City", .string("Oslo"), "size") == .int(5))
        try a.prepare(address)
        _ = try a.upstream.synchronize()
        let size = try server.query("SELECT size FROM firn.\"City\" WHERE name = 'Oslo'")[0, 0]
        #expect(size == "5")
        try expectEqual(a)
    }

    @Test("A row with a value that the file cannot store is left out and named")
    func foreignValues() throws {
        let a = try client()
        _ = try a.upstream.synchronize()
        try server.execute(
            "INSERT INTO firn.\"Person\" (id, extra) VALUES (1, '{\"t\": \"bogus\"}')")
        let skipped = try a.upstream.synchronize().skipped
        #expect(skipped.map(\.object) == ["Person 1"])
        #expect(skipped.first?.reason.contains("Person.extra") == true, "\(skipped)")
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        try server.execute("DELETE FROM firn.\"Person\"")
        _ = try a.upstream.synchronize()
        try expectEqual(a)
    }

    // MARK: Data

    /// The transaction was undone without a word.
    @Test("A value that PostgreSQL cannot store refuses its whole transaction, which is reported")
    func values() throws {
        let a = try client()
        try a.put("Person", ["id": .int(1), "name": .string("old")])
        _ = try a.upstream.synchronize()
        let late = Timestamp(seconds: 400_000_000_000)
        try a.write { transaction in
            try SyncClient.put(
                "Person", ["id": .int(1), "name": .string("a\u{0}b")], in: transaction)
            try SyncClient.put(
                "City", ["name": .string("Oslo"), "size": .int(1)], in: transaction)
        }
        try a.put("Person", ["id": .int(2), "when": .date(late)])
        try a.put("City", ["name": .string("zero\u{0}"), "size": .int(1)])
        try a.put("City", ["name": .string("Rome"), "size": .int(1)])
        let report = try a.upstream.synchronize()
        #expect(
            report.refused.map { $0.objects.sorted() }
                == [["City Oslo", "Person 1"], ["Person 2"], ["City"]])
        let reasons = report.refused.map(\.reason)
        #expect(reasons.first?.contains("U+0000") == true, "\(reasons)")
        #expect(reasons.dropFirst().first?.contains("years 1 to 9999") == true, "\(reasons)")
        #expect(report.pushed == 1)
        #expect(report.removed == [], "what was refused is not on the server")
        #expect(try a.value("Person", .int(1), "name") == .string("old"))
        #expect(try a.keys("Person") == ["1"])
        #expect(try a.keys("City").contains("Rome"))
        #expect(try !a.keys("City").contains("Oslo"))
        #expect(try a.upstream.synchronize().refused.isEmpty)
    }

    @Test("Refusals in a cycle that then fails are reported by the next cycle")
    func failedCycle() throws {
        let a = try client()
        _ = try a.upstream.synchronize()
        try server.execute("ALTER TABLE firn.\"City\" ADD CONSTRAINT small CHECK (size < 100)")
        try a.put("City", ["name": .string("Oslo"), "size": .int(1000)])
        let connection = try a.upstream.connected()
        connection.interruption = { sql, _ in sql.contains("READ ONLY") }
        #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(try a.upstream.synchronize().refused.map(\.objects) == [["City Oslo"]])
    }

    @Test("Subscribing to a class without a primary key is an error that says what to do")
    func keyless() throws {
        let a = try client()
        try a.write { transaction in
            _ = try transaction.addClass(
                ClassDefinition(
                    name: "Note",
                    properties: [
                        ClassDefinition.Property(name: "text", type: PropertyType(.string))
                    ]))
        }
        let error = #expect(throws: UpstreamError.self) { try a.upstream.subscription("Note") }
        #expect(error?.code == .schema)
        #expect(error?.remedy == "set one with: firn alter FILE 'key Note.PROPERTY'")
        _ = try a.upstream.synchronize()
        try a.write { transaction in
            try SyncClient.put("Note", ["text": .string("local")], in: transaction)
        }
        _ = try a.upstream.synchronize()
        try expectEqual(a)
    }

    // MARK: The machine

    /// Limited times were equal, so that of two changes of a property the first one won.
    @Test("A clock five years ahead wins for at most a minute, and keeps the order of its changes")
    func clockAhead() throws {
        let year: Int64 = 365 * 86_400
        let now = SystemClock().wallTime().seconds
        let disk = SimulatedFileSystem()
        let clock = SimulatedClock(seconds: now + 5 * year)
        let ahead = try client(services: disk.services(clock: clock), path: "ahead.firn")
        let b = try client("b")
        for number in 1...5 {
            try ahead.put("Person", ["id": .int(1), "name": .string("ahead \(number)")])
        }
        try ahead.delete("Person", .int(1))
        try ahead.put("Person", ["id": .int(1), "name": .string("again")])
        try ahead.put("Person", ["id": .int(1), "name": .string("last")])
        _ = try ahead.upstream.synchronize()
        #expect(try ahead.value("Person", .int(1), "name") == .string("last"))
        let stamp = try server.query("SELECT max(_row_hlc) FROM firn.\"Person\"")[0, 0]
        let seconds = try present(stamp.flatMap(Int64.init)) >> 20 / 1000
        #expect(seconds <= now + 120, "not years ahead")
        // A file that has seen the change may change it.
        _ = try b.upstream.synchronize()
        try b.put("Person", ["id": .int(1), "name": .string("seen")])
        _ = try b.upstream.synchronize()
        _ = try ahead.upstream.synchronize()
        for client in [ahead, b] {
            #expect(try client.value("Person", .int(1), "name") == .string("seen"))
        }
        try expectEqual(ahead, b)
    }

    /// The file continued from that time, which made its next times negative.
    @Test(
        "A row with an impossible time neither wins forever nor spoils the clock",
        arguments: ["9223372036854775807", "5000000000000000000", "-1"])
    func impossibleTimes(time: String) throws {
        let (a, b) = (try client("a"), try client("b"))
        try a.put("Person", ["id": .int(1), "name": .string("old"), "age": .int(1)])
        for client in [a, b] { _ = try client.upstream.synchronize() }
        try server.execute(
            "SET firn.client = 'another'; UPDATE firn.\"Person\" SET age = 2, _row_hlc = \(time), "
                + "_hlc = '{\"age\": \(time)}'; RESET firn.client")
        for client in [a, b] { _ = try client.upstream.synchronize() }
        for (number, client) in [a, b, a, b].enumerated() {
            _ = try client.upstream.synchronize()
            try client.put("Person", ["id": .int(1), "age": .int(Int64(number) + 10)])
            try client.put("Person", ["id": .int(1), "name": .string("n\(number)")])
            _ = try client.upstream.synchronize()
            #expect(try client.value("Person", .int(1), "age") == .int(Int64(number) + 10))
            #expect(try client.value("Person", .int(1), "name") == .string("n\(number)"))
            let clock = try client.upstream.record().clock.rawValue
            #expect(clock > 0 && clock >> 20 < SystemClock().wallTime().seconds * 1000 + 200_000)
        }
        _ = try a.upstream.synchronize()
        try expectEqual(a, b)
    }

    @Test(
        "A full disk stops a bootstrap, which continues when there is space again",
        arguments: [120, 400, 1000])
    func fullDisk(kilobytes: Int) throws {
        let disk = SimulatedFileSystem()
        let a = try client(services: disk.services(), path: "a.firn")
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        try server.execute(
            "INSERT INTO firn.\"Person\" (id, name, tags) "
                + "SELECT i, md5(i::text), ARRAY[md5((i + 1)::text)] FROM generate_series(1, 12000) i"
        )
        disk.fill(leaving: kilobytes * 1024)
        do throws(UpstreamError) {
            _ = try a.upstream.synchronize()
            #expect(kilobytes > 250, "there is not enough space")
        } catch {
            #expect(error.storeError?.code == .diskFull, "\(error)")
            #expect(try a.keys("City") == ["Oslo"])
            #expect(try a.keys("Person") == [])
        }
        disk.setCapacity(nil)
        try a.put("City", ["name": .string("Rome"), "size": .int(1)])
        _ = try a.upstream.synchronize()
        #expect(try a.keys("Person").count == 12_000)
        try expectEqual(a)
        #expect(try a.database.store.snapshot().schema.classNamed("firn.Staged") == nil)
        var verifier = Verifier(a.database.store, isDeep: true)
        #expect(try verifier.run().findings.isEmpty)
    }
}
