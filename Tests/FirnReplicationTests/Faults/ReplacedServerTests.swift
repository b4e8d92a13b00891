import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// Servers whose place another one takes: a standby, a backup, a dump in another cluster.
///
/// A file that only reads had no way to notice that the new server lacked what it had seen. It kept
/// objects that were nowhere else, and missed the changes of new transactions that had the numbers of
/// lost ones, without an error.
@Suite("Replication with a server that is replaced", .serialized, .timeLimit(.minutes(5)))
struct ReplacedServerTests {
    private let folder = TemporaryFolder()

    private func client(_ name: String, _ address: String) throws -> SyncClient {
        let client = try SyncClient(folder(name + ".firn"))
        try client.prepare(address)
        try client.attach(address, ["Person", "City"])
        return client
    }

    private func put(_ name: String, _ size: Int64, in client: SyncClient) throws {
        try client.put("City", ["name": .string(name), "size": .int(size)])
    }

    private func cycle(_ clients: SyncClient...) throws {
        for client in clients {
            client.upstream.disconnect()
            _ = try client.upstream.synchronize()
        }
    }

    private func expectEqual(_ clients: SyncClient...) throws {
        for client in clients {
            let comparisons = try client.upstream.verify()
            #expect(comparisons.count == 2)
            for comparison in comparisons { #expect(comparison.isEqual, "\(comparison)") }
        }
    }

    private func expectReset(
        _ client: SyncClient, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (before, version) = (
            try client.keys("City"), try client.database.store.snapshot().version
        )
        client.upstream.disconnect()
        let error = #expect(throws: UpstreamError.self, sourceLocation: sourceLocation) {
            try client.upstream.synchronize()
        }
        #expect(error?.code == .resetNeeded, sourceLocation: sourceLocation)
        #expect(try client.keys("City") == before, sourceLocation: sourceLocation)
        #expect(
            try client.database.store.snapshot().version == version, sourceLocation: sourceLocation)
    }

    /// Commits enough transactions that their numbers pass those of lost ones.
    private func overtake(_ address: String) throws {
        let server = try PostgresConnection(address)
        for size in 0..<50 {
            try server.execute(
                "INSERT INTO firn.\"City\" (name, size) VALUES ('Bonn', \(size)) "
                    + "ON CONFLICT (name) DO UPDATE SET size = excluded.size")
        }
    }

    /// Waits until the standby has everything that the server has.
    private func catchUp(_ server: String, _ standby: String) throws {
        let position = try present(
            PostgresConnection(server).query("SELECT pg_current_wal_lsn()::text")[0, 0])
        let connection = try PostgresConnection(standby + " target_session_attrs=any")
        let clock = SystemClock()
        let end = clock.monotonicNanoseconds() + 60_000_000_000
        while try connection.query(
            "SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn", [position])[0, 0] != "t"
        {
            guard clock.monotonicNanoseconds() < end else { throw MissingValue() }
        }
    }

    /// The addresses of a server with a standby: its own, that of the standby, and that of both.
    private func addresses(
        _ server: PostgresServer
    ) throws -> (server: String, standby: String, both: String) {
        let address = try server.makeDatabase("switches")
        let second = try server.follow()
        let host = try present(address.split(separator: " ").first)
        let standby = address.replacing(host, with: "host=" + second)
        return (address, standby, address.replacing(host, with: host + "," + second))
    }

    @Test("Files continue without a message with a standby that has everything")
    func completeStandby() throws {
        let server = try PostgresServer()
        let address = try addresses(server)
        let (a, b) = (try client("a", address.both), try client("b", address.both))
        try put("Oslo", 1, in: a)
        try cycle(a, b, a)
        try catchUp(address.server, address.standby)
        try server.crash()
        try put("Rome", 2, in: a)
        let error = #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(
            error?.isTransient == true, "a standby cannot be written: \(String(describing: error))")
        try server.promoteStandby()
        try overtake(address.standby)
        try cycle(a, b)
        #expect(try b.keys("City") == ["Bonn", "Oslo", "Rome"])
        try expectEqual(a, b)
    }

    @Test(
        "A standby that lacks the latest transactions demands a reset from files that have them")
    func laggingStandby() throws {
        let server = try PostgresServer()
        let address = try addresses(server)
        let writer = try client("writer", address.both)
        let (reader, late) = (try client("reader", address.both), try client("late", address.both))
        try put("Oslo", 1, in: writer)
        try cycle(writer, reader, late)
        try catchUp(address.server, address.standby)
        try server.stopStandby()
        try put("Oslo", 2, in: writer)
        try put("Rome", 2, in: writer)
        try cycle(writer, reader)
        #expect(try reader.upstream.record().lastSequence == 0, "the reader has sent nothing")
        try server.crash()
        try server.promoteStandby()
        try overtake(address.standby)
        try expectReset(writer)
        try expectReset(reader)
        try cycle(late)
        #expect(try late.keys("City") == ["Bonn", "Oslo"])
        // The reader alone brings back what the server lost.
        try reader.upstream.reset(.recover, client: UUID(high: 3, low: 1))
        try cycle(reader, late)
        #expect(try late.keys("City") == ["Bonn", "Oslo", "Rome"])
        #expect(try late.value("City", .string("Oslo"), "size") == .int(2))
        try writer.upstream.reset(.recover, client: UUID(high: 3, low: 2))
        try cycle(writer, reader, late)
        try expectEqual(writer, reader, late)
    }

    @Test("Files of a server that were copied back demand a reset from each file that saw more")
    func restoredFiles() throws {
        let server = try PostgresServer()
        let address = try server.makeDatabase("copies")
        let (writer, reader) = (try client("writer", address), try client("reader", address))
        let late = try client("late", address)
        try put("Oslo", 1, in: writer)
        try cycle(writer, reader, late)
        try server.keepCopy()
        try put("Rome", 2, in: writer)
        try cycle(writer, reader)
        try server.restoreCopy()
        try overtake(address)
        try expectReset(writer)
        try expectReset(reader)
        try cycle(late)
        #expect(try late.keys("City") == ["Bonn", "Oslo"])
        try reader.upstream.reset(.discard, client: UUID(high: 3, low: 3))
        try cycle(reader)
        #expect(try reader.keys("City") == ["Bonn", "Oslo"])
        try writer.upstream.reset(.recover, client: UUID(high: 3, low: 4))
        try cycle(writer, reader, late)
        #expect(try late.keys("City") == ["Bonn", "Oslo", "Rome"])
        try expectEqual(writer, reader, late)
    }

    /// The other cluster numbers its transactions differently: those of the file were ahead.
    @Test("A dump that was restored into another cluster demands a reset")
    func otherCluster() throws {
        let (first, second) = (try PostgresServer(), try PostgresServer())
        let addresses = try [first, second].map { try $0.makeDatabase("dumps") }
        let hosts = try addresses.map { address in
            String(try present(address.split(separator: " ").first).dropFirst("host=".count))
        }
        let link = folder("server")
        func point(to host: String) throws {
            #expect(try CommandRunner("/bin/ln").run(["-sfn", host, link]).status == 0)
        }
        try point(to: hosts[0])
        let address = "host=\(link) user=firn dbname=dumps"
        let (a, b) = (try client("a", address), try client("b", address))
        try put("Oslo", 1, in: a)
        for _ in 0..<5 { try overtake(address) }
        try cycle(a, b)
        let copy = "pg_dump -h \(hosts[0]) -U firn dumps | psql -X -q -h \(hosts[1]) -U firn dumps"
        let result = try CommandRunner("/bin/bash").run(["-o", "pipefail", "-c", copy])
        #expect(result.status == 0, "\(result.errorText)")
        try point(to: hosts[1])
        try PostgresConnection(address).execute(
            "INSERT INTO firn.\"City\" (name, size) VALUES ('Kyiv', 7)")
        try expectReset(a)
        try expectReset(b)
        try a.upstream.reset(.recover, client: UUID(high: 3, low: 5))
        try b.upstream.reset(.recover, client: UUID(high: 3, low: 6))
        try cycle(a, b, a)
        #expect(try b.keys("City") == ["Bonn", "Kyiv", "Oslo"])
        try expectEqual(a, b)
    }

    @Test(
        "A file and a server from before this check continue, and detect replacement from then on")
    func olderFormat() throws {
        let address = try PostgresServer.shared.get().makeDatabase("switches")
        let server = try PostgresConnection(address)
        let a = try client("a", address)
        try put("Oslo", 1, in: a)
        try cycle(a)
        try server.execute(
            "ALTER TABLE firn.client DROP COLUMN pulled; UPDATE firn.meta SET format = 2")
        try a.upstream.update { transaction throws(UpstreamError) in
            var record = try Upstream.record(in: transaction)
            record.history = record.history.split(separator: "/").first.map(String.init) ?? ""
            return record
        }
        a.upstream.disconnect()
        let error = #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(error?.code == .notPrepared)
        #expect(error?.remedy == "run: firn sync init FILE URL")
        try a.prepare(address)
        try cycle(a)
        try server.execute("INSERT INTO firn.\"City\" (name, size) VALUES ('Kyiv', 7)")
        try cycle(a)
        #expect(try a.keys("City") == ["Kyiv", "Oslo"])
        #expect(try a.upstream.record().history.contains("/"))
        try server.execute("UPDATE firn.client SET pulled = pulled - 1")
        try expectReset(a)
    }

    @Test("While another program has a transaction open, a file notes each change only once")
    func openTransaction() throws {
        let address = try PostgresServer.shared.get().makeDatabase("switches")
        let (server, other) = (try PostgresConnection(address), try PostgresConnection(address))
        let a = try client("a", address)
        _ = try a.upstream.synchronize()
        try other.execute("BEGIN; INSERT INTO firn.\"City\" (name, size) VALUES ('Oslo', 1)")
        try server.execute("INSERT INTO firn.\"City\" (name, size) VALUES ('Kyiv', 7)")
        func version() throws -> String? {
            try server.query("SELECT xmin::text FROM firn.client")[0, 0]
        }
        _ = try a.upstream.synchronize()
        #expect(try a.keys("City") == ["Kyiv"])
        // Later changes are read again while the transaction is open, and noted at most once more.
        _ = try a.upstream.synchronize()
        let noted = try version()
        for _ in 0..<5 { _ = try a.upstream.synchronize() }
        #expect(try version() == noted)
        try server.execute("UPDATE firn.\"City\" SET size = 8")
        _ = try a.upstream.synchronize()
        #expect(try a.value("City", .string("Kyiv"), "size") == .int(8))
        #expect(try version() != noted)
        try other.execute("COMMIT")
        _ = try a.upstream.synchronize()
        #expect(try a.keys("City") == ["Kyiv", "Oslo"])
        try expectEqual(a)
    }
}
