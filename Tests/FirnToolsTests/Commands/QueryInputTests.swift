import FirnPlatform
import FirnTesting
import FirnTools
import Testing

@Suite("Queries of CSV, TSV, NDJSON and JSON files")
struct QueryInputTests {
    private var harness = CommandHarness()
    private let csv = "id,name,delay\n1,Bo,NA\n2,Al,17\n3,Cy,4\n"

    private func write(_ text: String, _ name: String) throws -> String {
        try Fixtures.write(text, to: harness.folder(name))
        return harness.folder(name)
    }

    private func compressed(_ text: String) throws -> [UInt8] {
        try CommandRunner("/bin/gzip").run(["-c"], input: Array(text.utf8)).output
    }

    @Test(
        "The class is named after the file, in any letter case, or is omitted",
        arguments: [
            ["data | delay > 10 | select(name)"], ["Data delay > 10 | select(name)"],
            ["DATA", "delay > 10", "-s", "name"], ["delay > 10 | select(name)"],
            ["-c", "Data", "delay > 10", "-s", "name"],
            ["-c", "Flight", "Flight delay > 10", "-s", "name"],
        ])
    func classes(query: [String]) throws {
        let file = try write(csv, "data.csv")
        let run = harness.run(["query", file] + query)
        #expect(run.output == "{\"name\":\"Al\"}\n", "\(run.errors)")
        #expect(run.errors.isEmpty)
        #expect(harness.folder.names == ["data.csv"])
    }

    @Test("A file name with other characters names the class without them")
    func underscores() throws {
        let file = try write(csv, "my_old-data.2024.csv")
        for name in ["MyOldData", "my_old_data"] {
            let run = harness.run(["query", file, "\(name) | count", "-f", "csv"])
            #expect(run.output == "count\n3\n", "\(run.errors)")
        }
        let run = harness.run(["query", file, "Other | count"])
        #expect(run.status == 66)
        #expect(run.errors.contains("no class \"Other\""), "\(run.errors)")
        #expect(run.errors.contains("MyOldData"), "\(run.errors)")
    }

    @Test("A Bool property with the name of the class is a condition, as in a database")
    func conditionOfTheName() throws {
        let file = try write("data,x\ntrue,1\nfalse,2\n", "data.csv")
        #expect(harness.run(["query", file, "data", "-s", "x"]).output == "{\"x\":1}\n")
        #expect(harness.run(["query", file, "data | count", "-f", "csv"]).output == "count\n1\n")
        #expect(harness.run(["query", file, "Data | count", "-f", "csv"]).output == "count\n2\n")
    }

    @Test(
        "Each format is read with the types that create infers",
        arguments: [
            ("data.csv", "id,t\n1,2024-05-06\n"), ("data.tsv", "id\tt\n1\t2024-05-06\n"),
            ("data.ndjson", "{\"id\":1,\"t\":\"2024-05-06\"}\n"),
            ("data.json", "[{\"id\":1,\"t\":\"2024-05-06\"}]\n"),
            ("data.jsonl", "{\"id\":1,\"t\":\"2024-05-06\"}\n"),
        ])
    func formats(name: String, text: String) throws {
        let file = try write(text, name)
        let plain = harness.run(["query", file, "data t > 2024-01-01", "-f", "csv"])
        #expect(plain.output == "id,t\n1,2024-05-06\n", "\(plain.errors)")
        try Fixtures.write(compressed(text), to: file + ".gz")
        let packed = harness.run(["query", file + ".gz", "data t > 2024-01-01", "-f", "csv"])
        #expect(packed.output == "id,t\n1,2024-05-06\n", "\(packed.errors)")
        #expect(Set(harness.folder.names) == [name, name + ".gz"])
    }

    @Test("Embedded objects do not hide the only class")
    func embedded() throws {
        let file = try write("{\"a\":1,\"home\":{\"city\":\"Oslo\"}}\n{\"a\":2}\n", "data.ndjson")
        let run = harness.run(["query", file, "home.city == \"Oslo\" | select(a)"])
        #expect(run.output == "{\"a\":1}\n", "\(run.errors)")
    }

    @Test("Standard input becomes the class Input, and nothing is written")
    func stream() throws {
        let run = harness.run(["query", "-", "Input delay > 10 | select(name)"], input: csv)
        #expect(run.output == "{\"name\":\"Al\"}\n", "\(run.errors)")
        let count = harness.run(["query", "-", "count", "-f", "csv"], input: csv)
        #expect(count.output == "count\n3\n", "\(count.errors)")
        let named = harness.run(["query", "-", "-c", "Flight", "-s", "id"], input: csv)
        #expect(named.output == "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n", "\(named.errors)")
        #expect(harness.folder.names.isEmpty)
    }

    @Test("Standard input cannot be both the objects and the query")
    func bothFromInput() {
        for words in [["-"], ["-", "-"], ["-", "count", "--params", "-"], ["-", "-F", "-"]] {
            let run = harness.run(["query"] + words, input: csv)
            #expect(run.status == 64, "\(words)")
            #expect(run.errors.contains("standard input cannot supply"), "\(run.errors)")
        }
    }

    @Test("Interpreted values are reported in one line on a terminal, and all types with -v")
    func notes() throws {
        let file = try write(csv, "data.csv")
        var terminal = harness
        terminal.isTerminal = true
        let run = terminal.run(["query", file, "count"])
        #expect(
            run.errors.contains(
                "read by meaning: delay (NA becomes null); -v shows all types\n"), "\(run.errors)")
        #expect(!terminal.run(["query", file, "count", "-q"]).errors.contains("meaning"))
        let detailed = harness.run(["query", file, "count", "-v"])
        #expect(detailed.errors.contains("class Data, 3 rows\n"), "\(detailed.errors)")
        #expect(detailed.errors.contains("whole numbers; \"NA\" is null"), "\(detailed.errors)")
    }

    @Test("A file that is neither a database nor data gives the error for an invalid database")
    func others() throws {
        let file = try write("hello\n", "notes.txt")
        let run = harness.run(["query", file, "count"])
        #expect(run.status == 65)
        #expect(run.errors.contains("not a Firn database"), "\(run.errors)")
        let table = try write(csv, "table.csv")
        let stats = harness.run(["stats", table])
        let made = harness.folder("table.firn")
        #expect(
            stats.errors.contains("make a database with: firn create \(made) --from \(table)\n"),
            "\(stats.errors)")
        #expect(harness.run(["create", made, "--from", table, "-q"]).status == 0)
        let sqlite = try write("SQLite format 3\0", "data.csv")
        let foreign = harness.run(["query", sqlite, "count"])
        #expect(
            foreign.errors.contains("SQLite reports: file is not a database"), "\(foreign.errors)")
        let missing = harness.run(["query", harness.folder("none.csv"), "count"])
        #expect(missing.status == 66)
    }

    @Test("A database with the file name of a table is still a database")
    func databaseOfThatName() throws {
        let people = try harness.makePeople()
        let name = harness.folder("other.csv")
        try SystemFileSystem().rename(people, to: name, replacing: false)
        #expect(harness.run(["query", name, "Person | count", "-f", "csv"]).output == "count\n3\n")
    }

    @Test("Damaged input is an error with its name, and no rows are printed")
    func damaged() throws {
        let packed = try compressed(csv)
        let files: [(String, [UInt8], String)] = [
            ("a.csv.gz", Array(packed.dropLast(6)), "its compressed data ends early"),
            ("b.csv.gz", packed.dropLast(8) + [7] + packed.suffix(7), "is damaged"),
            ("c.csv.gz", Array(packed.prefix(2)), "early"),
            ("d.csv", Array("id,name\n1,\"Bo\n".utf8), "d.csv"),
        ]
        for (name, bytes, message) in files {
            let file = harness.folder(name)
            try Fixtures.write(bytes, to: file)
            for words in [["query", file, "count"], ["create", file + ".firn", "--from", file]] {
                let run = harness.run(words)
                #expect(run.status == 65, "\(words): \(run.errors)")
                #expect(run.output.isEmpty)
                #expect(run.errors.contains(message), "\(words): \(run.errors)")
                #expect(run.errors.contains(name))
            }
        }
        #expect(Set(harness.folder.names) == Set(files.map(\.0)))
    }

    @Test("create and write read gzip files and streams")
    func otherCommands() throws {
        let file = harness.folder("data.csv.gz")
        try Fixtures.write(compressed(csv), to: file)
        let made = harness.folder("made.firn")
        let created = harness.run(["create", made, "--from", file, "-q"])
        #expect(created.status == 0, "\(created.errors)")
        let more = harness.folder("more.ndjson.gz")
        try Fixtures.write(
            compressed("{\"id\":4,\"name\":\"Di\"}\n{\"id\":5}\n"), to: more)
        let written = harness.run(["write", made, more, "-c", "Data", "-q"])
        #expect(written.status == 0, "\(written.errors)")
        let rows = harness.run(["query", made, "Data | select(id)", "-f", "csv"])
        #expect(rows.output == "id\n1\n2\n3\n4\n5\n")
    }

    @Test("A gzip file inside a gzip file is refused, with a pipe that decompresses it")
    func nested() throws {
        let inner = try compressed(csv)
        let file = harness.folder("data.csv.gz")
        try Fixtures.write(CommandRunner("/bin/gzip").run(["-c"], input: inner).output, to: file)
        let run = harness.run(["query", file, "count"])
        #expect(run.status == 65)
        #expect(run.errors.contains("gzip -dc \(file) | firn ... -"), "\(run.errors)")
    }
}
