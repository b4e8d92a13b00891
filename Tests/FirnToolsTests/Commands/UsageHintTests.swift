import FirnTesting
import FirnTools
import Testing

@Suite("Hints for a wrong command line")
struct UsageHintTests {
    private var harness = CommandHarness()
    private let file: String

    init() throws { file = try harness.makePeople() }

    @Test(
        "A hint says what is wrong and what to write",
        arguments: [
            (["query", "@", "Person", "--limit", "-1"], "the -1 after --limit", "--limit=-1"),
            (["query", "-x"], "Unknown option '-x'", "see: firn help query"),
            (["query", "--limit", "-1"], "the -1 after --limit", "at least 0"),
            (["query"], "Missing expected argument '<FILE>'", "see: firn help query"),
            (["query", "@", "-fcsv"], "Unknown option '-fcsv'", "did you mean \"-f csv\"?"),
            (["create", "q", "p.csv"], "'p.csv'", "did you mean \"--from p.csv\"?"),
            (["write", "@", "x", "--on-error", "bla"], "'bla'", "choose abort, skip or save=FILE"),
            (["write", "@", "x", "--on-error", "sikp"], "'sikp'", "did you mean \"skip\"?"),
            (["observe", "@", "--ops", "inserts"], "'inserts'", "did you mean \"insert\"?"),
            (["observe", "@", "--ops", "x"], "'x'", "insert, update, delete, or several"),
            (["observe", "@", "--count", "x"], "'x'", "a whole number"),
            (["--hlep"], "no command given", "did you mean \"--help\"?"),
            (["--nothing"], "no command given", "see: firn help"),
            (["import", "@"], "\"import\"", "did you mean \"write\"?"),
            (["insert", "@"], "\"insert\"", "did you mean \"write\"?"),
            (["select", "@"], "\"select\"", "did you mean \"query\"?"),
            (["info", "@"], "\"info\"", "did you mean \"stats\"?"),
            (["tables", "@"], "\"tables\"", "did you mean \"schema\"?"),
            (["backup", "@"], "\"backup\"", "use: firn freeze FILE -o COPY"),
            (["undo", "@"], "\"undo\"", "use: firn freeze FILE --thaw @-1"),
            (
                ["alter", "@", "drop Person.age"], "drop removes an index, not \"Person.age\"",
                "write: drop index CLASS.PROP, or remove CLASS"
            ),
            (
                ["query", "@", "Person", "-o", ""], "the name of the output is empty",
                "use - for standard"
            ),
            (["freeze", "@", "-o", ""], "the name of the copy is empty", ""),
            (["create", ""], "the name of the database is empty", ""),
        ])
    func hints(words: [String], message: String, remedy: String) throws {
        let run = harness.run(words.map { $0 == "@" ? file : $0 })
        #expect(run.status == 64)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(remedy.isEmpty || run.errors.contains(remedy), "\(run.errors)")
    }

    @Test("FIRN_ERRORS must be a style, unless --errors or --help is given")
    func style() {
        var harness = harness
        harness.variables["FIRN_ERRORS"] = "xx"
        let run = harness.run(["query", file, "Person"])
        #expect(run.status == 64)
        #expect(run.errors.contains("FIRN_ERRORS is \"xx\""), "\(run.errors)")
        #expect(harness.run(["query", file, "Person", "--errors", "json"]).status == 0)
        #expect(harness.run(["query", "--help"]).status == 0)
    }

    @Test("A missing database suggests create, or a similar file")
    func missing() {
        let path = harness.folder("nothing.firn")
        for words in [["query", path, "Person"], ["write", path, "-x", "A | delete"], [path]] {
            let run = harness.run(words)
            #expect(run.status == 66)
            #expect(
                run.errors.contains("create it with: firn create \(path) --from INPUT"),
                "\(run.errors)")
        }
    }

    @Test("A suggestion never repeats the typed word")
    func typed() {
        var harness = harness
        harness.namesInFolder = { _ in ["peple.firn"] }
        let path = harness.folder("peple.firn")
        let run = harness.run(["query", path, "-F", harness.folder("peple")])
        #expect(run.status == 66)
        #expect(!run.errors.contains("did you mean"), "\(run.errors)")
    }

    @Test("A database without classes lists none in its errors")
    func empty() {
        let path = harness.folder("empty.firn")
        #expect(harness.run(["create", path, "-q"]).status == 0)
        for words in [["schema", path, "X"], ["alter", path, "remove X"]] {
            let run = harness.run(words)
            #expect(run.status == 66)
            #expect(run.errors.contains("the database has no classes"), "\(run.errors)")
            #expect(!run.errors.contains("classes: "))
        }
    }
}
