import FirnFormats
import FirnQuery
import FirnValues
import Testing

@Suite("SQL statements")
struct SQLWriterTests {
    private func sql(
        _ sample: SampleResult, _ parts: SQLTable.Parts, name: String = "T",
        _ change: (inout SQLTable) -> Void = { _ in }
    ) throws -> String {
        var table = SQLTable(name: name, parts: parts)
        change(&table)
        return try sample.written { SQLWriter($0, table) }
    }

    @Test("A table is written with its types, a key, a reference, and all kinds of values")
    func types() throws {
        let sample = SampleResult(
            [
                ("id", .int, nil), ("ok", .bool, nil), ("x", .double, nil), ("name", .string, nil),
                ("born", .date, .dateOnly), ("id", .string, nil), ("ID", .int, nil),
            ],
            [
                [
                    .int(.min), .bool(true), .double(1.5), .string("O'Hara"),
                    .date(Timestamp(seconds: 0)), .string(""), .int(1),
                ],
                [.int(2), .bool(false), .double(.nan), .null, .null, .null, .null],
                [.int(3), .null, .double(-.infinity), .null, .null, .null, .null],
            ])
        let text = try sql(sample, [.definition, .transaction], name: "Per\"son") {
            $0.key = 0
            $0.references[3] = SQLTable.Reference(table: "Name", column: "key")
        }
        #expect(
            text == """
                BEGIN TRANSACTION;
                CREATE TABLE "Per""son"(
                  "id" INTEGER PRIMARY KEY NOT NULL,
                  "ok" INTEGER,
                  "x" REAL,
                  "name" TEXT REFERENCES "Name"("key"),
                  "born" TEXT,
                  "id_2" TEXT,
                  "ID_3" INTEGER
                );
                INSERT INTO "Per""son" VALUES(-9223372036854775808,1,1.5,'O''Hara','1970-01-01','',1);
                INSERT INTO "Per""son" VALUES(2,0,NULL,NULL,NULL,NULL,NULL);
                INSERT INTO "Per""son" VALUES(3,NULL,-9e999,NULL,NULL,NULL,NULL);
                COMMIT;

                """)
    }

    @Test("Without table creation, inserts name the columns on request")
    func insertion() throws {
        let sample = SampleResult([("a b", .int, nil), ("c", .string, nil)], [[.int(1), .null]])
        #expect(
            try sql(sample, .columnNames) == "INSERT INTO \"T\"(\"a b\",\"c\") VALUES(1,NULL);\n")
        #expect(try sql(sample, []) == "INSERT INTO \"T\" VALUES(1,NULL);\n")
    }

    @Test(
        "Control characters are written as bytes, and line feeds and tabs unchanged",
        arguments: [
            ("a\nb\tc", "'a\nb\tc'"), ("a\0b", "CAST(X'610062' AS TEXT)"),
            ("\r", "CAST(X'0d' AS TEXT)"), ("\u{1B}[2J", "CAST(X'1b5b324a' AS TEXT)"),
            ("\u{9B}", "CAST(X'c29b' AS TEXT)"), ("\u{A0}é", "'\u{A0}é'"),
            ("\u{7F}", "CAST(X'7f' AS TEXT)"),
            ("a'\u{301}; x", "'a''\u{301}; x'"),
            ("'; DROP TABLE T; --", "'''; DROP TABLE T; --'"), ("\\'", "'\\'''"),
        ])
    func texts(text: String, literal: String) throws {
        let sample = SampleResult([("a", .string, nil)], [[.string(text)]])
        #expect(try sql(sample, []) == "INSERT INTO \"T\" VALUES(\(literal));\n")
    }

    /// Swift takes a quote with a combining accent for another character, and it was not doubled: what
    /// followed it was a statement for the program that read the file.
    @Test("A quote with a combining accent does not end a name", .tags(.security))
    func combining() throws {
        let name = "a\"\u{301}); DROP TABLE T; --"
        let sample = SampleResult([(name, .int, nil)], [[.int(1)]])
        let quoted = "\"a\"\"\u{301}); DROP TABLE T; --\""
        let text = try sql(sample, .columnNames, name: name)
        #expect(
            Array(text.utf8) == Array("INSERT INTO \(quoted)(\(quoted)) VALUES(1);\n".utf8))
    }

    @Test("Column names stay distinct even if case is ignored")
    func names() {
        #expect(
            SQLNames.distinct(["Name", "name", "NAME_2", "sqlite_x", "a\n", "naïve"])
                == ["Name", "name_2", "NAME_2_2", "_sqlite_x", "a\\n", "naïve"])
    }
}
