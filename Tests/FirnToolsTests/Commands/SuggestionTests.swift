import FirnPlatform
import FirnTesting
import FirnTools
import Testing

@Suite("Suggestions")
struct SuggestionTests {
    private var harness = CommandHarness()
    private let file: String

    init() throws { file = try harness.makePeople() }

    @Test(
        "Options, their values, commands and classes are suggested",
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

    @Test("A file with a similar name in the same folder is suggested")
    func files() throws {
        var harness = harness
        harness.namesInFolder = { folder in
            folder == self.harness.folder("") ? FolderListing.names(in: folder) : []
        }
        for name in ["peple.firn", "people", "People.firn", "people.db"] {
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

    @Test(
        "Stages and operators of the query language are suggested",
        arguments: [
            ("Person | srot age", "SORT(...)"), ("Person | srot(age)", "SORT(...)"),
            ("Person | cuont", "| count"), ("Person name CONTANS \"A\"", "CONTAINS"),
            ("Person age > 3 | slect(name)", "select(...)"), ("Person age > 3 ADN id > 1", "AND"),
        ])
    func language(query: String, wanted: String) {
        let run = harness.run(["query", file, query])
        #expect(run.status == 65)
        #expect(run.errors.contains("did you mean \"\(wanted)\"?"), "\(run.errors)")
    }

    @Test("The shell rejects a word after a database, and suggests it as a query")
    func wordsBehindFile() {
        let run = harness.run([file, "Person"])
        #expect(run.status == 64)
        #expect(run.errors.contains("'Person'"), "\(run.errors)")
        #expect(run.errors.contains("to query it: firn query \(file) Person"), "\(run.errors)")
        let quoted = harness.run([file, "Person age > 3"])
        #expect(quoted.errors.contains("firn query \(file) 'Person age > 3'\n"), "\(quoted.errors)")
        let option = harness.run([file, "--formt", "csv"])
        #expect(option.errors.contains("did you mean \"--format\"?"), "\(option.errors)")
    }

    @Test("A word that is neither a command nor a file suggests the more similar of both")
    func commandsAndFiles() {
        var harness = harness
        harness.namesInFolder = { $0 == "." ? ["people.firn", "people.csv", "query.txt"] : [] }
        for (word, wanted) in [
            ("people", "people.firn"), ("peple", "people.firn"), ("qeury", "query"),
        ] {
            let run = harness.run([word])
            #expect(run.status == 64)
            #expect(run.errors.contains("did you mean \"\(wanted)\"?"), "\(run.errors)")
        }
        #expect(!harness.run(["elsewhere"]).errors.contains("did you mean"))
    }

    @Test("A text parameter where a number is expected shows the syntax of the number")
    func parameters() {
        let run = harness.run(["query", file, "Person age > $x", "-p", "x=7"])
        #expect(run.status == 65)
        #expect(
            run.errors.contains("-p x=7 is a string; the number is -p x:=7"), "\(run.errors)")
        #expect(!run.errors.contains("without quotes"), "\(run.errors)")
        let write = harness.run(["write", file, "-x", "Person age > $x | delete", "-p", "x=7"])
        #expect(write.errors.contains("-p x:=7"), "\(write.errors)")
        let text = harness.run(["query", file, "Person age > $x", "-p", "x=seven"])
        #expect(!text.errors.contains(":="), "\(text.errors)")
        let wrong = harness.run(["query", file, "Person age > $x", "-p", "x:=seven"])
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("NAME:=JSON for a number"), "\(wrong.errors)")
    }

    @Test(
        "A value without a unit shows the units",
        arguments: [
            (["observe", "@", "Person", "--idle", "1"], "add a unit: 1ms, 1s, 1m, 1h, 1d or 1w"),
            (["observe", "@", "Person", "--idle", "soon"], "a duration looks like 250ms, 5s"),
            (["write", "@", "-x", "Person | delete", "--wait", "5"], "add a unit: 5ms, 5s"),
            (["freeze", "@", "a", "--expires", "7"], "add a unit: 7ms, 7s"),
            (["compact", "@", "--min-size", "big"], "give a size such as 4096, 64K, 10M or 2G"),
            (["compact", "@", "--if-wasted", "much"], "give a percentage such as 30%"),
        ])
    func units(words: [String], hint: String) {
        let run = harness.run(words.map { $0 == "@" ? file : $0 })
        #expect(run.status == 64)
        #expect(run.errors.contains(hint), "\(run.errors)")
    }

    @Test("A value unlike any other gets no suggestion")
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
        "FIRN_FILE is the database where no word can be a database",
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

    @Test("A file on the command line takes precedence over FIRN_FILE")
    func given() throws {
        #expect(harness.run(["query", "./Person"]).status == 66)
        #expect(harness.run(["schema", "Person.firn"]).status == 66)
        #expect(harness.run(["freeze", "monday"]).status != 0)
        #expect(harness.run(["export", harness.folder("out.csv")]).status == 66)
        let other = harness.folder("other.firn")
        #expect(harness.run(["freeze", "--list", "-f", "ndjson"]).output.isEmpty)
        #expect(harness.run(["stats", other]).status == 66)
    }

    @Test("create does not create the database of FIRN_FILE")
    func create() {
        let run = harness.run(["create", "--from", "-"], input: "a\n1\n")
        #expect(run.status == 64, "\(run.errors)")
    }

    @Test("Without FIRN_FILE, a missing database is an error")
    func none() {
        let bare = CommandHarness()
        for words in [["stats"], ["query", "-c", "Person"], ["write", "-x", "Person | delete"]] {
            #expect(bare.run(words).status == 64)
        }
    }
}
