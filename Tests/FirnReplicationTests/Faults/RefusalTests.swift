import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// Changes that the server does not store, in whatever way it says so.
///
/// Each of these stopped a file for good with "offline, trying again", or let a change vanish without a
/// word.
@Suite("Changes that the server refuses", .serialized, .timeLimit(.minutes(5)))
struct RefusalTests {
    private let folder = TemporaryFolder()
    private let address: String
    private let server: PostgresConnection

    init() throws {
        address = try PostgresServer.shared.get().makeDatabase("refusals")
        server = try PostgresConnection(address)
    }

    private func client(_ name: String = "a") throws -> SyncClient {
        let client = try SyncClient(folder(name + ".firn"))
        try client.prepare(address)
        try client.attach(address, ["City"])
        return client
    }

    /// A function that runs for each row before it is written.
    private func trigger(_ body: String) throws {
        try server.execute(
            """
            CREATE FUNCTION public.t() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN \(body) RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END; END $$;
            CREATE TRIGGER a BEFORE INSERT OR UPDATE OR DELETE ON firn."City"
            FOR EACH ROW EXECUTE FUNCTION public.t()
            """)
    }

    /// The statement that makes the server refuse a size of 13, and what the reason contains.
    private static let creations: [(sql: String, reason: String)] = [
        (#"CREATE UNIQUE INDEX one ON firn."City" (size)"#, "unique constraint \"one\""),
        (#"ALTER TABLE firn."City" ADD CHECK (size <> 13)"#, "check constraint"),
        ("IF NEW.size = 13 THEN RETURN NULL; END IF;", "a trigger"),
        ("IF NEW.size = 13 THEN RAISE 'no 13' USING ERRCODE = 'AB123'; END IF;", "no 13"),
        ("IF NEW.size = 13 THEN RAISE 'no 13' USING ERRCODE = '42501'; END IF;", "no 13"),
        ("IF NEW.size = 13 THEN ASSERT false, 'no 13'; END IF;", "no 13"),
    ]

    @Test(
        "A refused new object does not stop the rest, whatever the server says",
        arguments: 0..<6)
    func creation(number: Int) throws {
        let (sql, reason) = Self.creations[number]
        let a = try client()
        try a.put("City", ["name": .string("First"), "size": .int(13)])
        _ = try a.upstream.synchronize()
        if sql.hasPrefix("IF") {
            try trigger(sql)
        } else if !sql.contains("CHECK") {
            try server.execute(sql)
        } else {
            try server.execute(sql + " NOT VALID")
        }
        for (name, size) in [("A", 1), ("B", 13), ("C", 2)] {
            try a.put("City", ["name": .string(name), "size": .int(Int64(size))])
        }
        try server.execute(#"INSERT INTO firn."City" (name, size) VALUES ('D', 3)"#)
        let report = try a.upstream.synchronize()
        #expect(report.refused.map(\.objects) == [["City B"]])
        #expect(report.refused.first?.reason.contains(reason) == true, "\(report.refused)")
        #expect(try a.keys("City") == ["A", "C", "D", "First"])
        #expect(try a.upstream.pendingCount() == 0)
        #expect(try a.upstream.verify().allSatisfy(\.isEqual))
    }

    @Test("A change or deletion that a trigger skips is refused, and undone in the file")
    func ignored() throws {
        let a = try client()
        for name in ["A", "B"] { try a.put("City", ["name": .string(name), "size": .int(1)]) }
        _ = try a.upstream.synchronize()
        try trigger("IF TG_OP <> 'INSERT' THEN RETURN NULL; END IF;")
        try a.put("City", ["name": .string("A"), "size": .int(2)])
        try a.delete("City", .string("B"))
        let report = try a.upstream.synchronize()
        #expect(report.refused.map(\.objects) == [["City A"], ["City B"]])
        #expect(try a.keys("City") == ["A", "B"])
        #expect(try a.value("City", .string("A"), "size") == .int(1))
        #expect(try a.upstream.verify().allSatisfy(\.isEqual))
    }

    @Test("A string that is too long for an index on the server is refused")
    func longKey() throws {
        let a = try client()
        _ = try a.upstream.synchronize()
        var random = SplitMix64(seed: 7)
        let text = String(
            (0..<20_000).map { _ in
                "abcdefghijklmnopqrstuvwxyz0123456789".randomElement(using: &random) ?? "a"
            })
        try a.put("City", ["name": .string(text), "size": .int(1)])
        try a.put("City", ["name": .string("A"), "size": .int(1)])
        #expect(try a.upstream.synchronize().refused.count == 1)
        #expect(try a.keys("City") == ["A"])
    }

    @Test("An edit of a row that a policy has since hidden is refused with its values")
    func hidden() throws {
        let a = try client()
        try a.put("City", ["name": .string("A"), "size": .int(1)])
        _ = try a.upstream.synchronize()
        // As if the row had been given to another user, with the rows of the bookkeeping.
        try server.execute(
            #"""
            DELETE FROM firn."City"; DELETE FROM firn.change; DELETE FROM firn.tomb
            """#)
        try a.put("City", ["name": .string("A"), "size": .int(2)])
        let report = try a.upstream.synchronize()
        #expect(report.refused.map(\.objects) == [["City A"]])
        #expect(report.refused.first?.reason.contains("no record of its deletion") == true)
        var sizes: [String?] = []
        try InternalTable.rejected.forEach(in: a.database.store.snapshot()) { values in
            guard case .data(let bytes) = values[5] else { return }
            sizes.append(PropertyCoding.properties(bytes)?.first?.texts.first ?? nil)
        }
        #expect(sizes == ["2"])
    }

    @Test("A missing right stops the replication with the GRANT, and loses nothing")
    func rights() throws {
        let a = try SyncClient(folder("a.firn"))
        try a.prepare(address)
        try server.createUser("firn_carl")
        try a.attach(address.replacing("user=firn", with: "user=firn_carl"), ["City"])
        try a.put("City", ["name": .string("A"), "size": .int(1)])
        _ = try a.upstream.synchronize()
        let table = #"firn."City""#
        for right in ["INSERT", "UPDATE", "DELETE"] {
            try server.execute("REVOKE \(right) ON \(table) FROM firn_carl")
            switch right {
            case "INSERT": try a.put("City", ["name": .string("B"), "size": .int(2)])
            case "UPDATE": try a.put("City", ["name": .string("A"), "size": .int(3)])
            default: try a.delete("City", .string("B"))
            }
            let error = #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
            #expect(error?.code == .permission, "\(right) \(table): \(String(describing: error))")
            #expect(
                error?.remedy == "let its owner run: GRANT \(right) ON \(table) TO \"firn_carl\"")
            try server.execute("GRANT \(right) ON \(table) TO firn_carl")
            #expect(try a.upstream.synchronize().refused == [])
            #expect(try a.upstream.verify().allSatisfy(\.isEqual))
        }
    }
}
