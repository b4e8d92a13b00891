import FirnPlatform
import FirnTesting
import FirnTools
import Testing

/// Databases of SQLite, made by the real program.
@Suite("Databases of SQLite")
struct SQLiteInputTests {
    private let harness = CommandHarness()

    private func make(_ statements: String, _ name: String = "old.sqlite") throws -> String {
        let path = harness.folder(name)
        let run = try CommandRunner("/usr/bin/sqlite3").run([path], input: Array(statements.utf8))
        try #require(run.status == 0, "\(run)")
        return path
    }

    private func export(_ file: String, _ name: String) -> String {
        harness.run(["export", file, "-", name, "-f", "csv", "-q"]).output
    }

    @Test("Tables become classes, and each column gets the type of its values")
    func types() throws {
        let input = try make(
            """
            CREATE TABLE all_types (id INTEGER PRIMARY KEY, n INT NOT NULL, b BOOLEAN, x REAL,
                whole REAL, t TEXT, d DATETIME, bytes BLOB, mixed, empty DECIMAL, none);
            INSERT INTO all_types VALUES (7, 1, 1, 1.5, 2, '00601', '2013-01-31 23:59:00', x'00ff', 1,
                NULL, NULL);
            INSERT INTO all_types VALUES (9, 9223372036854775807, 0, NULL, 3.5, 'it''s', '2013-02-01',
                x'', 'two', NULL, NULL);
            CREATE VIEW v AS SELECT * FROM all_types;
            """)
        let file = harness.folder("new.firn")
        let run = harness.run(["create", file, "--from", input])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            export(file, "AllTypes") == """
                id,n,b,x,whole,t,d,bytes,mixed,empty,none
                7,1,true,1.5,2.0,00601,2013-01-31T23:59:00Z,AP8=,1,,
                9,9223372036854775807,false,,3.5,it's,2013-02-01T00:00:00Z,,\"\"\"two\"\"\",,

                """)
        let schema = harness.run(["schema", file, "-f", "text"]).output
        for line in [
            "id     Int,      key", "n      Int", "b      Bool?", "whole  Double?", "d      Date?",
            "bytes  Data?", "mixed  Any", "empty  Double?", "none   String?",
        ] {
            let words = line.split(separator: " ")
            let isThere = schema.split(separator: "\n").contains { found in
                let parts = found.split(separator: " ")
                return parts.count >= 2 && parts[0] == words[0] && parts[1] == words[1]
            }
            #expect(isThere, "\(line): \(schema)")
        }
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
    }

    @Test("Foreign keys become links beside their columns, and unmatched ones are counted")
    func links() throws {
        let input = try make(
            """
            CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE place (lat INT, lon INT, name TEXT, PRIMARY KEY (lat, lon));
            CREATE TABLE pet (name TEXT PRIMARY KEY, owner_id INT REFERENCES owner, lat INT, lon INT,
                FOREIGN KEY (lat, lon) REFERENCES place (lat, lon));
            INSERT INTO owner VALUES (1, 'Bo'), (2, 'Cy');
            INSERT INTO place VALUES (1, 2, 'here');
            INSERT INTO pet VALUES ('Rex', 1, 1, 2), ('Tom', 3, NULL, 2), ('Ada', NULL, 1, 3);
            """)
        let file = harness.folder("new.firn")
        let run = harness.run(["create", file, "--from", input])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.errors.contains("owner: 1 linked, 1 with a owner_id that no Owner has"),
            "\(run.errors)")
        #expect(
            run.errors.contains("place: 1 linked, 1 with (lat, lon) that no Place has"),
            "\(run.errors)")
        let rows = harness.run([
            "query", file, "Pet | SORT(name) | select(name, owner.name, owner_id, place.name)",
            "-f",
            "csv",
        ])
        #expect(
            rows.output == "name,owner.name,owner_id,place.name\nAda,,,\nRex,Bo,1,here\nTom,,3,\n")
    }

    /// The case of all letters was ignored, so that a key led to objects of a table that it does not name.
    @Test("A foreign key ignores only the case of ASCII letters in the name of its table")
    func nameOfTarget() throws {
        let input = try make(
            """
            CREATE TABLE Owner (id INTEGER PRIMARY KEY);
            CREATE TABLE "Été" (id INTEGER PRIMARY KEY);
            CREATE TABLE pet (a INT REFERENCES OWNER, b INT REFERENCES "été");
            INSERT INTO Owner VALUES (1); INSERT INTO "Été" VALUES (1); INSERT INTO pet VALUES (1, 1);
            """)
        let file = harness.folder("new.firn")
        #expect(harness.run(["create", file, "--from", input, "-q"]).status == 0)
        let schema = harness.run(["schema", file, "-f", "text"]).output
        #expect(schema.contains("Owner?") && !schema.contains("Été?"), "\(schema)")
    }

    @Test("A database can be queried without creating another, and its write-ahead log is read")
    func direct() throws {
        let input = try make(
            "PRAGMA journal_mode = WAL; CREATE TABLE t (a INT); INSERT INTO t VALUES (1), (2);")
        let run = harness.run(["query", input, "T a > 1", "-f", "csv"])
        #expect(run.status == 0 && run.output == "a\n2\n", "\(run.errors)")
        #expect(harness.run(["export", input, "-", "T", "-f", "csv", "-q"]).output == "a\n1\n2\n")
        #expect(harness.run(["schema", input, "-f", "text"]).output.hasPrefix("T\n"))
    }

    @Test("A database in WAL mode is left unchanged and without a log")
    func noLog() throws {
        let input = try make(
            "PRAGMA journal_mode = WAL; CREATE TABLE t (a INT); INSERT INTO t VALUES (1);")
        let run = harness.run(["create", harness.folder("new.firn"), "--from", input])
        #expect(run.status == 0, "\(run)")
        for suffix in ["-wal", "-shm"] {
            #expect(throws: (any Error).self) { try Fixtures.read(input + suffix) }
        }
    }

    @Test("Tables with the same class name get separate classes, and views are mentioned")
    func names() throws {
        let input = try make(
            """
            CREATE TABLE order_item (a INT); INSERT INTO order_item VALUES (1);
            CREATE TABLE OrderItem2 (a INT); INSERT INTO OrderItem2 VALUES (2);
            CREATE VIEW v AS SELECT a FROM order_item;
            CREATE TABLE "Order Item" (a INT); INSERT INTO "Order Item" VALUES (3);
            """)
        let file = harness.folder("new.firn")
        let run = harness.run(["create", file, "--from", input])
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.contains("the table Order Item became OrderItem3"), "\(run.errors)")
        #expect(run.errors.contains("left out: v\n"), "\(run.errors)")
        #expect(export(file, "OrderItem") == "a\n1\n")
        #expect(export(file, "OrderItem2") == "a\n2\n")
        #expect(export(file, "OrderItem3") == "a\n3\n")
    }

    @Test("Two databases with the same tables need a prefix")
    func prefixes() throws {
        let first = try make("CREATE TABLE t (a INT); INSERT INTO t VALUES (1);")
        let second = try make("CREATE TABLE t (a INT); INSERT INTO t VALUES (2);", "second.sqlite")
        let file = harness.folder("new.firn")
        let clash = harness.run(["create", file, "--from", first, "--from", second])
        #expect(clash.status == 64, "\(clash)")
        #expect(clash.errors.contains("put a prefix before its classes"), "\(clash.errors)")
        let run = harness.run(["create", file, "--from", first, "--from", "Old=\(second)"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(export(file, "OldT") == "a\n2\n")
    }

    @Test(
        "A damaged database, invalid UTF-8 and an unknown form are errors, and nothing is created"
    )
    func damage() throws {
        let input = try make(
            "CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('x'), (CAST(x'c3' AS TEXT));")
        let file = harness.folder("new.firn")
        let text = harness.run(["create", file, "--from", input])
        #expect(text.status == 65, "\(text)")
        #expect(
            text.errors.contains("text that is not UTF-8, in row 2 of the table t"),
            "\(text.errors)")
        var bytes = try Fixtures.read(input)
        for seed in TestScale.seeds(60) {
            var generator = SplitMix64(seed: seed)
            var broken = bytes
            for _ in 0..<4 {
                broken[Int(generator.next() % UInt64(broken.count - 20)) + 20] =
                    UInt8(truncatingIfNeeded: generator.next())
            }
            let path = harness.folder("broken\(seed).sqlite")
            try Fixtures.write(broken, to: path)
            let run = harness.run(["create", harness.folder("b\(seed).firn"), "--from", path, "-q"])
            #expect(run.status != nil && (run.status == 0 || !run.errors.isEmpty), "seed \(seed)")
        }
        bytes.removeLast(bytes.count / 2)
        let short = harness.folder("short.sqlite")
        try Fixtures.write(bytes, to: short)
        let run = harness.run(["create", file, "--from", short])
        #expect(run.status != 0 && run.errors.contains("SQLite reports"), "\(run)")
        #expect(!harness.folder.names.contains("new.firn"))
    }
}
