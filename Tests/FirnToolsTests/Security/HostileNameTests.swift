import FirnTesting
import FirnTools
import Testing

@Suite("Hostile names")
struct HostileNameTests {
    private static let evil = "\u{1B}]0;x\u{7}\u{9B}2J\u{202E}\u{E0041}"

    private let harness: CommandHarness

    init() {
        var harness = CommandHarness()
        harness.isTerminal = true
        self.harness = harness
    }

    @Test(
        "Files of any name work, and no name reaches the terminal unescaped", .tags(.security),
        arguments: [
            "a\nb.firn", "a\rb.firn", "\u{1B}[31mred.firn", "\u{9B}31m.firn", "\u{7F}.firn",
            "\u{202E}nrif.a", "a\tb.firn", " .firn", "-rf", "--help", "%n%s%x.firn",
            "'; rm -rf *; '.firn", "$(touch gone).firn", "`touch gone`.firn", "é日本👍.firn",
            "e\u{301}.firn", "*.firn", "?.firn", "a\\b.firn", "\"q\".firn", "..firn", "~", "{a,b}",
            String(repeating: "n", count: 240),
        ])
    func files(name: String) throws {
        let file = harness.folder(name)
        let csv = harness.folder("people.csv")
        try Fixtures.write("id,name\n7,Bo\n9,Cy\n", to: csv)
        let commands: [[String]] = [
            ["create", file, "--from", csv, "--class", "Person", "--key", "id"],
            ["query", file, "Person"], ["write", file, "-x", "Person id == 9 | delete"],
            ["schema", file], ["stats", file], ["check", file], ["diff", file], ["log", file],
            ["freeze", file, "x"], ["freeze", file, "--list"], ["compact", file],
            ["export", file], ["export", file, file + ".csv"],
            ["query", file, "Person", "-o", file + ".json"],
        ]
        for words in commands {
            let run = harness.run(words)
            #expect(run.status == (words[0] == "diff" ? 1 : 0), "\(words) \(run.errors)")
            #expect(HostileText.harmful(in: run.output + run.errors).isEmpty, "\(words[0])")
        }
        for words in [["query", file, "Nobody"], ["create", file], ["query", file + "x", "P"]] {
            for style in ["human", "json"] {
                let run = harness.run(words + ["--errors", style])
                #expect(run.status != 0)
                #expect(
                    HostileText.harmful(in: run.output + run.errors).isEmpty, "\(words[0]) \(style)"
                )
            }
        }
        #expect(
            harness.folder.names.sorted()
                == ["people.csv", name, name + ".csv", name + ".json"].sorted())
    }

    @Test(
        "A name that is too long for the file system is an error, and leaves nothing",
        .tags(.security)
    )
    func long() throws {
        let file = harness.folder(String(repeating: "n", count: 300))
        let run = harness.run(["create", file, "--from", "-", "-q"], input: "a\n1\n")
        #expect(run.status == 73 || run.status == 74, "\(run.errors)")
        #expect(harness.folder.names.isEmpty)
    }

    @Test("A NUL in a name does not truncate the name", .tags(.security))
    func nul() throws {
        let file = harness.folder("a.firn\0.txt")
        let run = harness.run(["create", file, "--from", "-", "-q"], input: "a\n1\n")
        #expect(run.status != 0)
        #expect(harness.folder.names.isEmpty, "\(harness.folder.names)")
        let folder = harness.folder
        #expect(harness.run(["query", folder("x\0y"), "P"]).status != 0)
    }

    @Test(
        "Words of the command line are repeated without harmful characters", .tags(.security),
        arguments: [
            ["query", "@", evil], ["query", "@", "Person \(evil) == 1"],
            ["query", "@", "Person", "-f", evil],
            ["query", "@", "Person", "--at", evil], ["query", "@", "Person", "--\(evil)"], [evil],
            ["help", evil], ["query", "@", "Person", "-s", evil], ["write", "@", "-x", evil],
            ["write", "@", evil], ["freeze", "@", evil], ["alter", "@", evil],
            ["schema", "@", evil],
            ["export", "@", "-c", evil], ["diff", "@", "-c", evil],
            ["query", "@", "Person x == $\(evil)"],
            ["observe", "@", evil], ["query", "@", "Person", "-F", evil],
            ["create", evil, "--from", evil],
        ])
    func words(words: [String]) throws {
        let file = try harness.makePeople()
        for style in ["human", "json"] {
            let run = harness.run(words.map { $0 == "@" ? file : $0 } + ["--errors", style])
            #expect(run.status != 0)
            #expect(!run.errors.isEmpty)
            #expect(
                HostileText.harmful(in: run.output + run.errors).isEmpty,
                "\(style): \(run.errors.debugDescription)"
            )
        }
    }

    @Test(
        "Variables are repeated without harmful characters", .tags(.security),
        arguments: ["FIRN_FORMAT", "FIRN_WAIT", "FIRN_FILE"])
    func variables(name: String) throws {
        var harness = harness
        let file = try harness.makePeople()
        harness.variables[name] = HostileNameTests.evil
        let run =
            switch name {
            case "FIRN_FORMAT": harness.run(["query", file, "Person"])
            case "FIRN_WAIT": harness.run(["write", file, "-x", "Person | delete"])
            default: harness.run(["stats"])
            }
        #expect(run.status != 0)
        #expect(HostileText.harmful(in: run.output + run.errors).isEmpty)
    }

    @Test(
        "Notes of freezes and strings in a schema are shown without harmful characters",
        .tags(.security))
    func texts() throws {
        let file = try harness.makePeople()
        let freeze = harness.run(
            ["freeze", file, "x", "--expires", "never", "--note", HostileNameTests.evil])
        #expect(freeze.status == 0, "\(freeze.errors)")
        for format in ["auto", "text", "json", "ndjson"] {
            let list = harness.run(["freeze", file, "--list", "-f", format])
            #expect(list.status == 0)
            #expect(HostileText.harmful(in: list.output + list.errors).isEmpty, "\(format)")
        }
        let named = harness.folder("named.firn")
        let made = harness.run(
            ["create", named, "--from", "-", "--class", "T"],
            input: #"{"\u001b[2J\u202e":1,"ok":2}"#)
        #expect(HostileText.harmful(in: made.output + made.errors).isEmpty)
        guard made.status == 0 else { return }
        for words in [
            ["schema"], ["schema", "-f", "json"], ["schema", "-f", "swift"], ["stats"],
            ["query", "-c", "T"],
        ] {
            let run = harness.run([words[0], named] + words.dropFirst())
            #expect(run.status == 0, "\(run.errors)")
            #expect(HostileText.harmful(in: run.output + run.errors).isEmpty, "\(words)")
        }
    }
}
