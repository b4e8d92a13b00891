import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// What users of the server may see and change.
@Suite("Replication by users with few rights", .serialized, .timeLimit(.minutes(5)))
struct PermissionTests {
    private let folder = TemporaryFolder()
    private let address: String
    private let server: PostgresConnection

    init() throws {
        address = try PostgresServer.shared.get().makeDatabase("rights")
        server = try PostgresConnection(address)
    }

    /// Creates a file of a user; roles belong to the whole cluster.
    private func client(_ user: String, _ queries: [String]) throws -> SyncClient {
        let client = try SyncClient(folder(user + ".firn"))
        try client.prepare(address)
        try server.createUser(user)
        try client.attach(address.replacing("user=firn", with: "user=\(user)"), queries)
        return client
    }

    /// As in firn-upstream(7).
    private func secure() throws {
        try server.execute(
            """
            ALTER TABLE firn."City" ENABLE ROW LEVEL SECURITY;
            CREATE POLICY own ON firn."City" USING (size < 10 OR current_user = 'firn_bob');
            """)
    }

    /// The row was taken for one that another file creates at the same moment, so that the file tried
    /// again for ever, and sent nothing any more.
    @Test("An object whose key belongs to a hidden row is refused, and the next changes are sent")
    func hiddenKey() throws {
        let anna = try client("firn_anna", ["City"])
        try secure()
        try server.execute("INSERT INTO firn.\"City\" (name, size) VALUES ('Rome', 50)")
        _ = try anna.upstream.synchronize()
        for name in ["Oslo", "Rome", "Bonn"] {
            try anna.put("City", ["name": .string(name), "size": .int(1)])
        }
        let report = try anna.upstream.synchronize()
        #expect(
            report.refused.map(\.reason) == [
                "City Rome exists already, where the policies of the server hide it from this user"
            ])
        #expect(try anna.keys("City") == ["Bonn", "Oslo"])
        #expect(try anna.upstream.pendingCount() == 0)
        let sizes = try server.query("SELECT name, size FROM firn.\"City\" ORDER BY name")
        #expect(
            (0..<sizes.count).map { sizes.texts(ofRow: $0) } == [
                ["Bonn", "1"], ["Oslo", "1"], ["Rome", "50"],
            ])
        #expect(try anna.upstream.verify().allSatisfy(\.isEqual))
    }

    @Test("A policy on the server limits what a file receives")
    func reading() throws {
        let (anna, bob) = (
            try client("firn_anna", ["City"]), try client("firn_bob", ["City"])
        )
        try secure()
        try server.execute(
            "INSERT INTO firn.\"City\" (name, size) VALUES ('Oslo', 5), ('Rome', 50)")
        _ = try anna.upstream.synchronize()
        _ = try bob.upstream.synchronize()
        #expect(try anna.keys("City") == ["Oslo"])
        #expect(try bob.keys("City") == ["Oslo", "Rome"])
        try server.execute("UPDATE firn.\"City\" SET size = 11 WHERE name = 'Oslo'")
        for client in [anna, bob] { _ = try client.upstream.synchronize() }
        #expect(try anna.keys("City") == [], "a row that the policy hides leaves the file")
        for client in [anna, bob] {
            #expect(try client.upstream.verify().allSatisfy(\.isEqual))
        }
    }

    @Test("A write that a policy forbids is refused and undone")
    func writing() throws {
        let anna = try client("firn_anna", ["City"])
        try secure()
        _ = try anna.upstream.synchronize()
        try anna.put("City", ["name": .string("Oslo"), "size": .int(5)])
        try anna.put("City", ["name": .string("Rome"), "size": .int(50)])
        try anna.put("City", ["name": .string("Bonn"), "size": .int(6)])
        let report = try anna.upstream.synchronize()
        #expect(report.refused.map(\.objects) == [["City Rome"]])
        #expect(report.refused.first?.reason.contains("row-level security") == true)
        #expect(try anna.keys("City") == ["Bonn", "Oslo"])
        #expect(try server.query("SELECT count(*) FROM firn.\"City\"")[0, 0] == "2")
    }

    @Test("Without the right to read a class, replication stops, and the file stays as it is")
    func denied() throws {
        let anna = try client("firn_anna", ["City"])
        try anna.put("City", ["name": .string("Oslo"), "size": .int(5)])
        try server.execute("REVOKE ALL ON firn.\"City\" FROM firn_anna")
        let error = #expect(throws: UpstreamError.self) { try anna.upstream.synchronize() }
        #expect(error?.code == .permission)
        #expect(error?.detail.contains("City") == true)
        #expect(try anna.keys("City") == ["Oslo"])
        try server.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON firn.\"City\" TO firn_anna")
        _ = try anna.upstream.synchronize()
        #expect(try anna.upstream.verify().allSatisfy(\.isEqual))
    }
}
