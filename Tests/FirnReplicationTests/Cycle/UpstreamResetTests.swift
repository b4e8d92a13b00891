import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// Servers that lost what files know, and files that were offline for too long.
@Suite("Resets of replication", .serialized, .timeLimit(.minutes(5)))
struct UpstreamResetTests {
    private let folder = TemporaryFolder()
    private let address: String
    private let server: PostgresConnection

    init() throws {
        address = try PostgresServer.shared.get().makeDatabase("resets")
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

    @Test("A server restored from a backup demands a reset, which loses nothing of the file")
    func rewoundServer() throws {
        let a = try client("a")
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        _ = try a.upstream.synchronize()
        try server.execute(
            "DELETE FROM firn.\"City\"; UPDATE firn.client SET last_seq = 0; "
                + "DELETE FROM firn.change; DELETE FROM firn.tomb")
        let error = #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(error?.code == .resetNeeded)
        #expect(try a.keys("City") == ["Oslo"])
        try a.upstream.reset(.recover, client: UUID(high: 7, low: 7))
        _ = try a.upstream.synchronize()
        #expect(try a.keys("City") == ["Oslo"])
        try expectEqual(a)
    }

    /// The reset that was demanded sent the objects again.
    @Test("Truncating a table deletes its objects, even if another file is changing them")
    func truncated() throws {
        let (a, b) = (try client("a"), try client("b"))
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        for client in [a, b] { _ = try client.upstream.synchronize() }
        try b.put("City", ["name": .string("Oslo"), "size": .int(2)])
        try server.execute("TRUNCATE firn.\"City\"")
        for client in [a, b] {
            _ = try client.upstream.synchronize()
            #expect(try client.keys("City") == [])
            try expectEqual(client)
        }
    }

    /// A deletion that no cycle had captured was undone by the reset.
    @Test("A reset that recovers keeps deletions, even those that no cycle has seen")
    func resetKeepsDeletions() throws {
        let a = try client("a")
        for name in ["Oslo", "Rome", "Bonn"] {
            try a.put("City", ["name": .string(name), "size": .int(1)])
        }
        try cycle([a])
        try a.delete("City", .string("Oslo"))
        try a.upstream.capture(Subset(a.database.snapshot()))
        try a.delete("City", .string("Rome"))
        try server.execute("UPDATE firn.meta SET epoch = gen_random_uuid()")
        #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        try a.delete("City", .string("Bonn"))
        try a.upstream.reset(.recover, client: UUID(high: 9, low: 9))
        try cycle([a])
        #expect(try a.keys("City") == [])
        #expect(try server.query("SELECT count(*) FROM firn.\"City\"")[0, 0] == "0")
        try expectEqual(a)
    }

    /// A file that had been offline for months uploaded all its objects as if they had just
    /// changed: old values replaced those of the others, and deleted objects came back.
    @Test("After months offline, a reset sends only the changes that the file itself made")
    func resetAfterMonths() throws {
        let (a, b) = (try client("a"), try client("b"))
        for name in ["Oslo", "Rome", "Bonn"] {
            try a.put("City", ["name": .string(name), "size": .int(1)])
        }
        try cycle([a, b])
        try a.put("City", ["name": .string("Oslo"), "size": .int(2)])
        try a.delete("City", .string("Bonn"))
        try cycle([a, a])
        try b.put("City", ["name": .string("Rome"), "size": .int(3)])
        try b.put("City", ["name": .string("Kyiv"), "size": .int(4)])
        // The server has dropped the changes that b has not seen.
        try server.execute(
            "UPDATE firn.meta SET horizon = pg_snapshot_xmax(pg_current_snapshot()); "
                + "DELETE FROM firn.change")
        let error = #expect(throws: UpstreamError.self) { try b.upstream.synchronize() }
        #expect(error?.code == .resetNeeded)
        try b.upstream.reset(.recover, client: UUID(high: 6, low: 6))
        try cycle([b])
        #expect(try b.keys("City") == ["Kyiv", "Oslo", "Rome"])
        #expect(try b.value("City", .string("Oslo"), "size") == .int(2))
        #expect(try server.query("SELECT size FROM firn.\"City\" ORDER BY name")[2, 0] == "3")
        try expectEqual(b)
    }

    /// Each file knows some of what the server lost, and their objects are not equally new.
    @Test("After a backup was restored, the newest state that any file knows prevails")
    func resetOfSeveral() throws {
        let (a, b) = (try client("a"), try client("b"))
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        try cycle([a, b])
        try b.put("City", ["name": .string("Oslo"), "size": .int(2)])
        try b.put("City", ["name": .string("Rome"), "size": .int(2)])
        try b.put("City", ["name": .string("Bonn"), "size": .int(3)])
        try cycle([b])
        try server.execute(
            "DELETE FROM firn.\"City\"; UPDATE firn.client SET last_seq = 0; "
                + "DELETE FROM firn.change; DELETE FROM firn.tomb")
        try b.upstream.reset(.recover, client: UUID(high: 5, low: 5))
        try cycle([b])
        try a.put("City", ["name": .string("Kyiv"), "size": .int(7)])
        try a.upstream.reset(.recover, client: UUID(high: 4, low: 4))
        try cycle([a, b])
        #expect(try a.keys("City") == ["Bonn", "Kyiv", "Oslo", "Rome"])
        #expect(try a.value("City", .string("Oslo"), "size") == .int(2))
        try expectEqual(a, b)
    }

    @Test("Changes are kept for 30 days, and a file that was offline for longer starts over")
    func pruning() throws {
        let (a, b) = (try client("a"), try client("b"))
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        try cycle([a, b])
        try a.put("City", ["name": .string("Rome"), "size": .int(2)])
        try a.delete("City", .string("Oslo"))
        try cycle([a])
        let newest = try server.query("SELECT xid::text FROM firn.change ORDER BY xid DESC LIMIT 1")
        let last = try present(newest[0, 0].flatMap { UInt64($0) })
        // Transactions of other tests in the cluster hold the token back for a moment.
        for size in 3..<1000 where UInt64(try a.upstream.record().token) ?? 0 <= last {
            try a.put("City", ["name": .string("Rome"), "size": .int(Int64(size))])
            try cycle([a])
        }
        try server.execute(
            "UPDATE firn.change SET at = now() - interval '31 days' WHERE xid <= '\(last)'; "
                + "UPDATE firn.tomb SET at = now() - interval '31 days'")
        a.upstream.lastPruning = nil
        // The removed changes are older than this file's token.
        try cycle([a])
        #expect(
            try server.query("SELECT count(*) FROM firn.change WHERE xid <= '\(last)'")[0, 0] == "0"
        )
        #expect(try server.query("SELECT count(*) FROM firn.tomb")[0, 0] == "0")
        try cycle([a])
        let error = #expect(throws: UpstreamError.self) { try b.upstream.synchronize() }
        #expect(error?.code == .resetNeeded)
        try b.upstream.reset(.discard, client: UUID(high: 8, low: 8))
        try cycle([b])
        #expect(try b.keys("City") == ["Rome"])
        try expectEqual(a, b)
    }

    private func cycle(_ clients: [SyncClient]) throws {
        for client in clients { _ = try client.upstream.synchronize() }
    }
}
