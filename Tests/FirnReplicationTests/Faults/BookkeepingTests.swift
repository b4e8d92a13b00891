import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Foundation
import Testing

@testable import FirnReplication

/// The memory of the server: its files, and the changes of all programs.
@Suite("The bookkeeping of the server", .serialized, .timeLimit(.minutes(5)))
struct BookkeepingTests {
    private let folder = TemporaryFolder()
    private let address: String
    private let server: PostgresConnection

    init() throws {
        address = try PostgresServer.shared.get().makeDatabase("books")
        server = try PostgresConnection(address)
    }

    private func client(_ name: String, rules: TextMap<ConflictRules> = [:]) throws -> SyncClient {
        let client = try SyncClient(folder(name + ".firn"))
        try client.prepare(address, rules: rules)
        try client.attach(address, ["City"])
        return client
    }

    private func sizes() throws -> [String] {
        let found = try server.query(#"SELECT name, size FROM firn."City" ORDER BY name"#)
        return (0..<found.count).map { "\(found[$0, 0] ?? "") \(found[$0, 1] ?? "")" }
    }

    // MARK: Other programs

    @Test("A session that applies changes from another server is detected")
    func replica() throws {
        let a = try client("a")
        _ = try a.upstream.synchronize()
        try server.execute(
            #"""
            SET session_replication_role = replica;
            INSERT INTO firn."City" (name, size) VALUES ('Oslo', 1);
            RESET session_replication_role
            """#)
        _ = try a.upstream.synchronize()
        #expect(try a.keys("City") == ["Oslo"])
    }

    @Test("Disabled triggers are detected, and preparing again starts a new history")
    func disabledTriggers() throws {
        let a = try client("a")
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        _ = try a.upstream.synchronize()
        try server.execute(
            #"""
            ALTER TABLE firn."City" DISABLE TRIGGER ALL;
            UPDATE firn."City" SET size = 2;
            ALTER TABLE firn."City" ENABLE TRIGGER ALL
            """#)
        let error = #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(error?.detail.contains("missing or disabled") == true)
        #expect(
            try Upstream.prepareServer(for: a.database, at: address)
                == ["began a new history, because changes may have been missed"])
        let reset = #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(reset?.code == .resetNeeded)
        try a.upstream.reset(.discard, client: a.upstream.newIdentity())
        _ = try a.upstream.synchronize()
        #expect(try a.value("City", .string("Oslo"), "size") == .int(2))
    }

    @Test("A table that was dropped and recreated is detected, and the file can fill it")
    func droppedTable() throws {
        let a = try client("a")
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        _ = try a.upstream.synchronize()
        try server.execute(#"DROP TABLE firn."City""#)
        let error = #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(error?.detail == "the table of the class City was dropped on the server")
        #expect(
            try Upstream.prepareServer(for: a.database, at: address) == [
                "made the table of City again",
                "began a new history, because changes may have been missed",
            ])
        #expect(throws: UpstreamError.self) { try a.upstream.synchronize() }
        #expect(try a.keys("City") == ["Oslo"], "nothing is taken for a deletion")
        try a.upstream.reset(.recover, client: a.upstream.newIdentity())
        _ = try a.upstream.synchronize()
        #expect(try sizes() == ["Oslo 1"])
    }

    @Test("An existing table of the same name gets what replication needs, and keeps its rows")
    func existingTable() throws {
        try server.execute(
            #"""
            CREATE SCHEMA firn;
            CREATE TABLE firn."City" (name text COLLATE "C" PRIMARY KEY, size bigint NOT NULL);
            INSERT INTO firn."City" VALUES ('Oslo', 1)
            """#)
        let a = try client("a")
        _ = try a.upstream.synchronize()
        // As the application does it, without the names of the columns.
        try server.execute(#"INSERT INTO firn."City" VALUES ('Rome', 2)"#)
        try server.execute(#"UPDATE firn."City" SET size = 3 WHERE name = 'Oslo'"#)
        _ = try a.upstream.synchronize()
        #expect(try a.keys("City") == ["Oslo", "Rome"])
        #expect(try a.value("City", .string("Oslo"), "size") == .int(3))
        try a.put("City", ["name": .string("Rome"), "size": .int(4)])
        _ = try a.upstream.synchronize()
        #expect(try sizes() == ["Oslo 3", "Rome 4"])
        #expect(try a.upstream.verify().allSatisfy(\.isEqual))
    }

    @Test("An existing table that cannot be used is refused, and not touched")
    func unusableTable() throws {
        try server.execute(
            #"""
            CREATE SCHEMA firn;
            CREATE TABLE firn."City" (name text COLLATE "C", size bigint NOT NULL)
            """#)
        let a = try SyncClient(folder("a.firn"))
        let error = #expect(throws: UpstreamError.self) { try a.prepare(address) }
        #expect(
            error?.detail
                == "the server was not changed: the key of City is name in the file, and the table has "
                + "none")
        try server.execute(#"INSERT INTO firn."City" VALUES ('Rome', 2)"#)
        #expect(try server.query("SELECT to_regclass('firn.meta')")[0, 0] == nil)
    }

    /// Each cycle read all rows again that came after the oldest open transaction.
    @Test("While any transaction is open, each change is read once")
    func openTransaction() throws {
        let a = try client("a")
        _ = try a.upstream.synchronize()
        let other = try PostgresConnection(address)
        try other.execute(
            #"BEGIN; INSERT INTO firn."City" (name, size) VALUES ('Late', 1)"#)
        try server.execute(
            #"""
            INSERT INTO firn."City" (name, size) SELECT 'c' || n, n FROM generate_series(1, 500) n
            """#)
        #expect(try a.upstream.synchronize().pulled == 500)
        // As in a pull, which reads what the last one could not see.
        let last = try present(TransactionSnapshot(a.upstream.record().token))
        let unseen = try server.query(
            "SELECT count(*) FROM firn.change WHERE xid >= $1::xid8 "
                + "AND NOT pg_visible_in_snapshot(xid, $2::pg_snapshot)",
            [String(last.oldest), last.literal])
        #expect(unseen[0, 0] == "0")
        try other.execute("COMMIT")
        #expect(try a.upstream.synchronize().pulled == 1)
        #expect(try a.keys("City").count == 501)
    }

    // MARK: Former formats

    /// The tables and triggers of a class in format 3.
    private static func formerTable(_ name: String) -> String {
        #"""
        INSERT INTO firn.class (name) VALUES ('\#(name)');
        CREATE TABLE firn."\#(name)" (
            "name" text COLLATE "C" NOT NULL DEFAULT '', "size" bigint NOT NULL DEFAULT 0,
            _hlc jsonb NOT NULL DEFAULT '{}', _row_hlc bigint NOT NULL DEFAULT 0, PRIMARY KEY ("name"));
        CREATE FUNCTION firn."\#(name) stamped"() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'INSERT' THEN NEW._row_hlc := 1 << 20; RETURN NEW; END IF;
            NEW._hlc := NEW._hlc || jsonb_build_object('size', 2 << 20);
            RETURN NEW;
        END $$;
        CREATE FUNCTION firn."\#(name) changed"() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO firn.change (class, pk)
                SELECT number, NEW.name FROM firn.class WHERE name = '\#(name)';
            RETURN NULL;
        END $$;
        CREATE TRIGGER firn_stamped BEFORE INSERT OR UPDATE ON firn."\#(name)"
            FOR EACH ROW EXECUTE FUNCTION firn."\#(name) stamped"();
        CREATE TRIGGER firn_changed AFTER INSERT OR UPDATE OR DELETE ON firn."\#(name)"
            FOR EACH ROW EXECUTE FUNCTION firn."\#(name) changed"();
        CREATE TRIGGER firn_truncated AFTER TRUNCATE ON firn."\#(name)"
            FOR EACH STATEMENT EXECUTE FUNCTION firn.truncated();
        INSERT INTO firn."\#(name)" (name, size) VALUES ('Old', 1), ('Other', 2);
        UPDATE firn."\#(name)" SET size = 3 WHERE name = 'Old';

        """#
    }

    @Test("A server of format 3 is upgraded with all its classes, rows and times")
    func formerFormat() throws {
        try server.execute(
            #"""
            CREATE SCHEMA firn;
            CREATE TABLE firn.meta (
                id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
                epoch uuid NOT NULL DEFAULT gen_random_uuid(), format integer NOT NULL,
                horizon xid8 NOT NULL DEFAULT '0');
            INSERT INTO firn.meta (format) VALUES (3);
            CREATE TABLE firn.class (
                number smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                name text COLLATE "C" NOT NULL UNIQUE,
                conflicts text NOT NULL DEFAULT 'last-writer', counters text[] NOT NULL DEFAULT '{}');
            CREATE TABLE firn.change (
                xid xid8 NOT NULL DEFAULT pg_current_xact_id(), class smallint NOT NULL,
                pk text COLLATE "C" NOT NULL, at timestamptz NOT NULL DEFAULT now());
            CREATE INDEX change_class_xid ON firn.change (class, xid);
            CREATE INDEX change_at ON firn.change (at);
            CREATE TABLE firn.tomb (
                class smallint NOT NULL, pk text COLLATE "C" NOT NULL, hlc bigint NOT NULL,
                at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (class, pk));
            CREATE TABLE firn.client (
                client_id uuid PRIMARY KEY, last_seq bigint NOT NULL DEFAULT 0, last_digest text,
                last_seen timestamptz NOT NULL DEFAULT now(), pulled bigint DEFAULT 0);
            CREATE TABLE firn.rejected (
                client_id uuid NOT NULL, seq bigint NOT NULL, class text NOT NULL, pk text NOT NULL,
                reason text NOT NULL, at timestamptz NOT NULL DEFAULT now());
            CREATE FUNCTION firn.truncated() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN UPDATE firn.meta SET epoch = gen_random_uuid(); RETURN NULL; END $$;

            """# + Self.formerTable("City") + Self.formerTable("Lake"))
        let epoch = try server.query("SELECT epoch FROM firn.meta")[0, 0]
        let city = try present(SyncClient.definitions.first { $0.name == "City" })
        let lake = ClassDefinition(name: "Lake", properties: city.properties, keyName: "name")
        let a = try SyncClient(folder("a.firn"), [city, lake])
        #expect(try Upstream.prepareServer(for: a.database, at: address) == [])
        #expect(try server.query("SELECT epoch FROM firn.meta")[0, 0] == epoch, "files go on")
        try a.attach(address, ["City", "Lake"])
        _ = try a.upstream.synchronize()
        #expect(try a.value("Lake", .string("Old"), "size") == .int(3))
        try server.execute(
            #"""
            INSERT INTO firn."Lake" (name, size) VALUES ('New', 7);
            UPDATE firn."City" SET size = 8 WHERE name = 'Other'; TRUNCATE firn."City"
            """#)
        try a.put("Lake", ["name": .string("Old"), "size": .int(9)])
        _ = try a.upstream.synchronize()
        #expect(try a.keys("City") == [])
        #expect(try a.keys("Lake") == ["New", "Old", "Other"])
        #expect(try server.query(#"SELECT size FROM firn."Lake" WHERE name = 'Old'"#)[0, 0] == "9")
        #expect(
            try server.query(#"SELECT _row_hlc > 1 << 20 FROM firn."Lake" WHERE name = 'New'"#)[
                0, 0]
                == "t")
        #expect(try a.upstream.verify().allSatisfy(\.isEqual))
    }

    // MARK: Copies and restorations

    /// The pending increment was sent under the new identity, although the server had it.
    @Test("An increment that the server has is not counted again after a reset from an older copy")
    func copiedIncrement() throws {
        let rules: TextMap<ConflictRules> = ["City": ConflictRules(counters: ["size"])]
        let a = try client("a", rules: rules)
        try a.put("City", ["name": .string("Oslo"), "size": .int(10)])
        _ = try a.upstream.synchronize()
        _ = try a.increment("City", .string("Oslo"), "size")
        try a.upstream.capture(try Subset(try a.upstream.snapshot()))
        let copy = folder("copy.firn")
        for suffix in ["", "-log0", "-log1"] {
            let part = a.database.store.path + suffix
            guard FileManager.default.fileExists(atPath: part) else { continue }
            try FileManager.default.copyItem(atPath: part, toPath: copy + suffix)
        }
        _ = try a.upstream.synchronize()
        _ = try a.increment("City", .string("Oslo"), "size")
        _ = try a.upstream.synchronize()
        #expect(try sizes() == ["Oslo 12"])
        let older = Upstream(try Database.open(copy, readOnly: false))
        let error = #expect(throws: UpstreamError.self) { try older.synchronize() }
        #expect(error?.code == .fenced)
        try older.reset(.recover, client: older.newIdentity())
        _ = try older.synchronize()
        #expect(try sizes() == ["Oslo 12"])
        #expect(try older.verify().allSatisfy(\.isEqual))
    }

    // MARK: Rights

    private static let attacks: [String] = [
        "DELETE FROM firn.change", "TRUNCATE firn.change",
        "INSERT INTO firn.change VALUES ('1', 1, 'x')",
        "DELETE FROM firn.tomb", "UPDATE firn.tomb SET hlc = 0",
        "UPDATE firn.meta SET epoch = gen_random_uuid()",
        "UPDATE firn.meta SET horizon = '99999999'",
        "UPDATE firn.class SET conflicts = 'arrival'", "DELETE FROM firn.class",
        "SELECT * FROM firn.client", "UPDATE firn.client SET last_seq = 99",
        "DELETE FROM firn.client",
        "SELECT * FROM firn.sent", "SELECT * FROM firn.rejected", "DELETE FROM firn.rejected",
        "DROP TABLE firn.\"City\"", "ALTER TABLE firn.\"City\" DISABLE TRIGGER ALL",
        "CREATE OR REPLACE FUNCTION firn.prune() RETURNS void LANGUAGE sql AS ''",
        "SELECT firn.state('$')", "SELECT firn.claim('$', 0, 9, 'x', '{}', '{}')",
        "SELECT firn.pulled('$', 9)", "SELECT firn.refuse('$', 1, 'City', 'x', 'y', '{}')",
        "SELECT firn.has_sent('$', '{1}', '{x}')", "SELECT firn.register('$')",
        "SELECT firn.bury(1::smallint, '{Oslo}', '{9000000000000000000}')",
    ]

    @Test("A user of the tables can neither stop other files nor alter what they depend on")
    func attack() throws {
        let a = try client("a")
        try a.put("City", ["name": .string("Oslo"), "size": .int(1)])
        _ = try a.upstream.synchronize()
        try server.execute(
            #"""
            DO $$ BEGIN CREATE ROLE firn_mallory LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
            GRANT USAGE ON SCHEMA firn TO firn_mallory;
            GRANT SELECT, INSERT, UPDATE ON firn."City" TO firn_mallory;
            """#)
        let mallory = try PostgresConnection(
            address.replacing("user=firn", with: "user=firn_mallory"))
        for attack in Self.attacks {
            let text = attack.replacing("$", with: try a.upstream.record().client.description)
            let error = #expect(throws: UpstreamError.self, "\(attack)") {
                try mallory.query(text)
            }
            #expect(error?.code == .permission, "\(attack): \(String(describing: error))")
        }
        // Functions that any file may call do no harm.
        for call in ["SELECT firn.prune()", "SELECT firn.settle()"] { try mallory.query(call) }
        try mallory.execute(#"UPDATE firn."City" SET size = 5"#)
        _ = try a.upstream.synchronize()
        #expect(try a.value("City", .string("Oslo"), "size") == .int(5))
        #expect(try a.upstream.verify().allSatisfy(\.isEqual))
    }
}
