import FirnTesting
import FirnTools
import Testing

/// The first words that users of sqlite3 and DuckDB type.
@Suite("Habits of users of other databases")
struct ForeignHabitTests {
    private let harness = CommandHarness()

    @Test(
        "An option from another tool gets a hint with the equivalent option",
        arguments: [
            (["query", "-json", "FILE", "Person"], "the format is chosen with -f json"),
            (["-csv", "FILE", "Person"], "the format is chosen with -f csv"),
            (["query", "FILE", "Person", "-noheader"], "write --no-header"),
            (["FILE", "-readonly"], "the shell has --ro"),
        ])
    func options(words: [String], remedy: String) throws {
        let file = try harness.makePeople()
        let run = harness.run(words.map { $0 == "FILE" ? file : $0 })
        #expect(run.status == 64)
        #expect(run.errors.contains(remedy), "\(run.errors)")
        #expect(!run.errors.contains("did you mean"), "\(run.errors)")
    }

    @Test(
        "A dot command after a database gets a hint with a command that works",
        arguments: [
            ([".schema"], "firn schema FILE"), ([".tables"], "firn schema FILE"),
            ([".dump"], "firn export FILE -f sql"),
            ([".backup", "OUT"], "firn freeze FILE -o OUT"),
        ])
    func dotCommands(words: [String], command: String) throws {
        let file = try harness.makePeople()
        let out = harness.folder("copy.firn")
        func named(_ word: String) -> String {
            word.replacing("FILE", with: file).replacing("OUT", with: out)
        }
        let run = harness.run([file] + words.map(named))
        #expect(run.status == 64)
        let remedy = "outside the shell: \(named(command))\n"
        #expect(run.errors.contains(remedy), "\(run.errors)")
        // The command that the message names does what was meant.
        let meant = named(command).split(separator: " ").dropFirst().map(String.init)
        let done = harness.run(meant)
        #expect(done.status == 0, "\(done.errors)")
    }

    @Test(
        "SQL gets a hint with the equivalent statement",
        arguments: [
            ("SELECT * FROM Person", "the class comes first: Person | select(...)"),
            ("INSERT INTO Person VALUES (1)", "firn write FILE -c Person INPUT"),
            ("DELETE FROM Person", "the class comes first: Person | delete"),
        ])
    func sql(text: String, hint: String) throws {
        let file = try harness.makePeople()
        let run = harness.run(["query", file, text])
        #expect(run.status == 65)
        #expect(run.errors.contains(hint), "\(run.errors)")
    }

    @Test("A LIKE with SQL wildcards that matches nothing gets a hint with the right wildcards")
    func like() throws {
        let file = try harness.makePeople()
        let none = harness.run(["query", file, "Person name LIKE[c] \"a%\""])
        #expect(none.status == 0 && none.output.isEmpty)
        #expect(
            none.errors
                == "in LIKE, * matches any text and ? a character, not % and _ as in \"a%\"\n")
        let found = harness.run(["query", file, "Person name LIKE[c] \"a*\"", "-s", "name", "-r"])
        #expect(found.output == "Al\n")
        #expect(found.errors.isEmpty)
    }

    @Test("FIRN_FILE is the database if the first word cannot be a database")
    func defaultFile() throws {
        var harness = harness
        let file = try harness.makePeople()
        harness.variables["FIRN_FILE"] = file
        #expect(harness.run(["query", "Person age > 50", "-s", "name", "-r"]).output == "Al\n")
        #expect(harness.run(["query", "Person", "--count", "-r"]).output == "3\n")
        #expect(harness.run(["schema"]).status == 0)
        // A name that looks like a file is one.
        let missing = harness.run(["query", "other.firn", "Person"])
        #expect(missing.status == 66)
        #expect(missing.errors.contains("other.firn"), "\(missing.errors)")
    }

    @Test(
        "A file of another format in place of a database is reported as that format",
        arguments: [
            ("PAR1\u{15}\u{4}", "the file is too short for Parquet"),
            ("SQLite format 3\u{0}", "SQLite reports: file is not a database"),
            ("PK\u{3}\u{4}", "such as an Excel workbook"),
        ])
    func otherFormats(beginning: String, message: String) throws {
        let path = harness.folder("data.bin")
        try Fixtures.write(beginning, to: path)
        let run = harness.run(["query", path, "data"])
        #expect(run.status == 65, "\(run.errors)")
        #expect(run.errors.contains(message), "\(run.errors)")
    }
}
