import FirnPlatform
import FirnTesting
import Testing

@testable import FirnTools

@Suite("Inputs that are not text")
struct ForeignInputTests {
    private let harness = CommandHarness()

    @Test(
        "A database or a compressed file is recognized, and the error shows a pipe that converts it"
    )
    func files() throws {
        let people = try harness.makePeople()
        let new = harness.folder("new.firn")
        let run = harness.run(["create", new, "--from", people])
        #expect(run.status == 65)
        #expect(
            run.errors == """
                error: \(people): it is a Firn database, not CSV, TSV or JSON
                  read it from a pipe: firn export \(people) -f ndjson | firn ... -

                """)
        #expect(harness.run(["stats", new]).status == 66, "nothing was made")
        let kinds: [(String, [UInt8], String)] = [
            ("a.xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "xz -dc"),
            ("a.db", Array("SQLite format 3\0".utf8), "sqlite3 -csv -header"),
        ]
        for (name, bytes, remedy) in kinds {
            try Fixtures.write(bytes, to: harness.folder(name))
            let words = ["write", people, harness.folder(name), "-c", "Person"]
            for extra in [[], ["--input", "csv"], ["--input", "ndjson"]] {
                let run = harness.run(words + extra)
                #expect(run.status == 65, "\(name) \(extra)")
                #expect(run.errors.contains(remedy + " " + harness.folder(name)), "\(run.errors)")
            }
        }
        let same = harness.run(["query", people, "Person | count", "-f", "csv"])
        #expect(same.output == "count\n3\n")
    }

    @Test("The suggested pipe for standard input leaves the file name open")
    func stream() throws {
        let people = try harness.makePeople()
        let run = harness.run(["write", people, "-", "-c", "Person"], input: "SQLite format 3\0\0")
        #expect(run.errors.contains("standard input: it is an SQLite database"), "\(run.errors)")
        #expect(run.errors.contains("sqlite3 -csv -header FILE "), "\(run.errors)")
    }

    @Test(
        "Data lake formats are named, and tables that begin like them are read",
        arguments: [
            (Array("Obj\u{1}".utf8) + [4, 0], "an Avro file", "fastavro"),
            (Array("ORC".utf8) + [0, 1], "an ORC file", "pyarrow.orc"),
            ([1, 2, 3, 4, 5, 6, 7, 8] + Array("DUCK".utf8), "a DuckDB database", "duckdb -csv"),
            (Array("FEA1".utf8) + [0, 0], "a Feather file of version 1", "pyarrow.feather"),
            (Array("PARE".utf8) + [0, 0], "an encrypted Parquet file", "without encryption"),
        ])
    func lakes(bytes: [UInt8], kind: String, remedy: String) throws {
        let file = harness.folder("a.data")
        try Fixtures.write(bytes, to: file)
        let run = harness.run(["create", harness.folder("new.firn"), "--from", file])
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("it is \(kind)"), "\(run.errors)")
        #expect(run.errors.contains(remedy), "\(run.errors)")
        let text = bytes.map { $0 < 0x20 ? UInt8(ascii: "x") : $0 }
        let table = harness.folder("a.csv")
        try Fixtures.write(text + Array(",b\n1,2\n".utf8), to: table)
        let read = harness.run(["query", table, "A", "--count"])
        #expect(read.output == "{\"count\":1}\n", "\(read)")
    }

    @Test("Text that only begins like another format is read as text")
    func almost() throws {
        let people = try harness.makePeople()
        let input = "SQLite format 3,id\nx,8\n"
        let run = harness.run(
            ["write", people, "-", "-c", "Person", "--add-properties", "--upsert", "--dry-run"],
            input: input)
        #expect(!run.errors.contains("database, not CSV"), "\(run.errors)")
    }
}
