import FirnTesting
import FirnTools
import Testing

@Suite("Command lines of freeze and compact")
struct FreezeUsageTests {
    private let harness = CommandHarness()

    @Test(
        "Invalid freeze command lines end with 64 and change nothing",
        arguments: [
            ([], "no name given"), (["a", "b"], "expected one name"),
            (["--list", "a"], "--list takes no name"), (["--list", "--drop", "a"], "combined"),
            (["--drop"], "no name given"), (["--exists"], "no name given"),
            (["--exists", "a", "b"], "expected one name"), (["7"], "is a number"),
            (["@x"], "begins with @"), (["a/b"], "has a slash"),
            (["a", "-o", "out.firn"], "choose it with --at a"),
            (["--list", "--at", "3"], "--at needs"), (["a", "--at", "@3"], "--at"),
            (["--list", "--note", "x"], "need a new freeze"),
            (["-o", "x", "--expires", "7d"], "need a new freeze"),
            (["a", "--expires", "0d"], "--expires"), (["a", "--expires", "soon"], "--expires"),
            (["a", "--wait", "5"], "--wait"), (["a", "-f", "csv"], "ndjson"),
        ])
    func freeze(words: [String], text: String) throws {
        let file = try harness.makePeople()
        let before = try Fixtures.read(file)
        let run = harness.run(["freeze", file] + words)
        #expect(run.status == 64, "\(run.errors)")
        #expect(run.errors.contains(text), "\(run.errors)")
        #expect(try Fixtures.read(file) == before)
    }

    @Test(
        "Invalid compact command lines end with 64",
        arguments: [
            (["--if-wasted", "130%"], "--if-wasted"), (["--min-size", "10Q"], "--min-size"),
            (["--codec", "zstd"], "lz4-high"), (["--dry-run", "-o", "x"], "--dry-run"),
            (["--dry-run", "--verify"], "--dry-run"), (["--wait", "x"], "--wait"),
        ])
    func compact(words: [String], text: String) throws {
        let file = try harness.makePeople()
        let run = harness.run(["compact", file] + words)
        #expect(run.status == 64, "\(run.errors)")
        #expect(run.errors.contains(text), "\(run.errors)")
    }

    @Test(
        "A missing database and a file of another kind are reported as such",
        arguments: [
            ["freeze", "FILE", "a"], ["freeze", "FILE", "--list"],
            ["freeze", "FILE", "--exists", "a"], ["freeze", "FILE", "--drop", "a"],
            ["freeze", "FILE", "-o", "OUT"], ["compact", "FILE"], ["compact", "FILE", "--dry-run"],
            ["compact", "FILE", "-o", "OUT"], ["log", "FILE"],
            ["stats", "FILE"],
        ])
    func noDatabase(words: [String]) throws {
        let output = harness.folder("out.firn")
        func run(_ file: String) -> CommandHarness.Run {
            harness.run(words.map { $0 == "FILE" ? file : $0 == "OUT" ? output : $0 })
        }
        #expect(run(harness.folder("none.firn")).status == 66)
        let text = harness.folder("people.csv")
        try Fixtures.write("id,name\n1,Ann\n", to: text)
        #expect(run(text).status == 65)
        #expect(harness.folder.names == ["people.csv"])
    }

    @Test("The timeout comes from the flag, or from the environment")
    func waitVariable() throws {
        var harness = harness
        let file = try harness.makePeople()
        harness.variables["FIRN_WAIT"] = "soon"
        let wrong = harness.run(["alter", file, "add Pet"])
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("FIRN_WAIT is \"soon\""), "\(wrong.errors)")
        #expect(harness.run(["alter", file, "add Pet", "--wait", "1s"]).status == 0)
        harness.variables["FIRN_WAIT"] = "1s"
        #expect(harness.run(["alter", file, "add Cat"]).status == 0)
    }

    @Test("The commands have help")
    func help() {
        let freeze = harness.run(["help", "freeze"])
        #expect(freeze.output.contains("firn freeze FILE --list | --drop NAME... | --exists NAME"))
        #expect(harness.run(["help", "compact"]).output.contains("--if-wasted <PERCENT>"))
        let all = harness.run(["help"])
        #expect(all.output.contains("  freeze ") && all.output.contains("  compact "))
        #expect(harness.run(["freze", "x"]).errors.contains("did you mean \"freeze\"?"))
    }
}
