import FirnPlatform
import FirnTesting
import FirnTools
import Testing

@Suite("What may have been meant")
struct SuggestionTests {
    private var harness = CommandHarness()
    private let file: String

    init() throws { file = try harness.makePeople() }

    @Test(
        "Options, their values, commands and classes",
        arguments: [
            (["query", "@", "Person", "--formt", "csv"], "--format"),
            (["query", "@", "Person", "-f", "cvs"], "csv"),
            (["query", "@", "Person", "--format=jsn"], "json"),
            (["export", "@", "-f", "ndjon"], "ndjson"),
            (["export", "@", "-c", "Preson"], "Person"),
            (["schema", "@", "Persn"], "Person"),
            (["query", "@", "Preson"], "Person"),
            (["query", "@", "Person nmae == 1"], "name"),
            (["qurey", "@"], "query"),
            (["observe", "@", "--shape", "row"], "rows"),
            (["write", "@", "x", "--input", "ndjsn"], "ndjson"),
        ])
    func suggestions(words: [String], wanted: String) {
        let words = words.map { $0 == "@" ? file : $0 }
        let human = harness.run(words)
        #expect(human.status != 0)
        #expect(human.errors.contains("did you mean \"\(wanted)\"?"), "\(human.errors)")
        let json = harness.run(words + ["--errors", "json"])
        #expect(json.errors.contains("\"suggest\":[\"\(wanted)\""), "\(json.errors)")
        #expect(json.errors.split(separator: "\n").count == 1)
        #expect(json.status == human.status)
    }

    @Test("A file of a similar name in the same folder")
    func files() throws {
        var harness = harness
        harness.namesInFolder = { folder in
            folder == self.harness.folder("") ? FolderListing.names(in: folder) : []
        }
        for name in ["peple.firn", "people", "People.firn"] {
            let path = harness.folder(name)
            let run = harness.run(["query", path, "Person"])
            #expect(run.status == 66, "\(run.errors)")
            #expect(run.errors.contains("did you mean \"\(file)\"?"), "\(run.errors)")
        }
        let far = harness.run(["query", harness.folder("nothing.firn"), "Person"])
        #expect(!far.errors.contains("did you mean"))
        #expect(far.status == 66)
        let input = harness.run(["write", file, harness.folder("peopl.csv"), "-c", "Person"])
        #expect(input.errors.contains("did you mean \"\(harness.folder("people.csv"))\"?"))
    }

    @Test("Nothing is meant by a value that is nothing like any")
    func nothing() {
        let run = harness.run(["query", file, "Person", "-f", "spreadsheet"])
        #expect(run.status == 64)
        #expect(run.errors.contains("see: firn help query"))
    }
}

@Suite("FIRN_FILE")
struct DefaultFileTests {
    private var harness = CommandHarness()
    private let file: String

    init() throws {
        file = try harness.makePeople()
        harness.variables["FIRN_FILE"] = file
    }

    @Test(
        "It is the database where no word could be one",
        arguments: [
            ["stats"], ["schema", "-f", "text"], ["check", "--deep"], ["export", "-f", "csv"],
            ["query", "-c", "Person"], ["-q", "query", "-c", "Person", "--count"],
            ["query", "-c", "Person", "--"], ["freeze", "--list"], ["compact", "--dry-run"],
            ["write", "-x", "Person id == 7 | set age = 1"],
            ["observe", "-c", "Person", "--timeout", "1ms"],
        ])
    func missing(words: [String]) {
        let run = harness.run(words)
        #expect(run.status == (words[0] == "observe" ? 124 : 0), "\(words) \(run.errors)")
        #expect(run.errors.isEmpty)
    }

    @Test("A word that is there is never taken for anything else")
    func given() throws {
        #expect(harness.run(["query", "Person"]).status == 66)
        #expect(harness.run(["schema", "Person"]).status == 66)
        #expect(harness.run(["freeze", "monday"]).status != 0)
        #expect(harness.run(["export", harness.folder("out.csv")]).status == 66)
        let other = harness.folder("other.firn")
        #expect(harness.run(["freeze", "--list", "-f", "ndjson"]).output.isEmpty)
        #expect(harness.run(["stats", other]).status == 66)
    }

    @Test("create makes no database that no word names")
    func create() {
        let run = harness.run(["create", "--from", "-"], input: "a\n1\n")
        #expect(run.status == 64, "\(run.errors)")
    }

    @Test("Without it the database is asked for")
    func none() {
        let bare = CommandHarness()
        for words in [["stats"], ["query", "-c", "Person"], ["write", "-x", "Person | delete"]] {
            #expect(bare.run(words).status == 64)
        }
    }
}
