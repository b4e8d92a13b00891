import FirnTesting
import FirnTools
import Testing

/// The output of commands other than the results of queries, which ``TerminalOutputTests`` covers.
@Suite("Hostile data on a terminal")
struct StreamEscapeTests {
    private let harness = CommandHarness()
    private let file: String

    init() throws {
        file = harness.folder("a.firn")
        let run = harness.run(
            ["create", file, "--from", "-", "--class", "T", "--key", "id", "-q"],
            input: StreamEscapeTests.record(1))
        try #require(run.status == 0, "\(run.errors)")
    }

    private static func record(_ id: Int) -> String { "{\"id\":\(id),\"t\":\(HostileText.json)}\n" }

    /// The output of the command on a terminal, and elsewhere.
    private func outputs(
        _ words: [String], input: String = ""
    ) -> (terminal: CommandHarness.Run, pipe: CommandHarness.Run) {
        var onTerminal = harness
        onTerminal.isTerminal = true
        return (onTerminal.run(words, input: input), harness.run(words, input: input))
    }

    private func expectShown(
        _ run: CommandHarness.Run, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(run.output.contains("abc"), "\(run)", sourceLocation: sourceLocation)
        #expect(
            HostileText.harmful(in: run.output + run.errors).isEmpty,
            "\(run.output.debugDescription)", sourceLocation: sourceLocation)
    }

    /// They were written unchanged.
    @Test(
        "The changes of observe have no control characters on a terminal", .tags(.security),
        arguments: [
            [], ["--shape", "rows"], ["--shape", "rows", "-f", "csv"],
            ["--shape", "rows", "-f", "tsv"],
        ])
    func observed(words: [String]) {
        let runs = outputs(["observe", file, "T", "--idle", "20ms"] + words)
        expectShown(runs.terminal)
        #expect(
            !HostileText.harmful(in: runs.pipe.output).isEmpty, "a program gets it: \(runs.pipe)")
    }

    /// C1 and direction marks were written unchanged, because JSON allows them.
    @Test(
        "firn write --returning prints no control characters to a terminal", .tags(.security)
    )
    func returned() {
        let words = ["write", file, "-", "-c", "T", "--upsert", "--returning", "-q"]
        let runs = outputs(words, input: StreamEscapeTests.record(2))
        #expect(runs.terminal.status == 0, "\(runs.terminal.errors)")
        expectShown(runs.terminal)
        #expect(!HostileText.harmful(in: runs.pipe.output).isEmpty, "\(runs.pipe)")
    }

    @Test("A plan has no control characters on a terminal", .tags(.security))
    func plan() {
        let words = ["query", file, "T t == $x", "-p", "x=\(HostileText.sample)", "--explain"]
        let runs = outputs(words)
        #expect(runs.terminal.status == 0, "\(runs.terminal.errors)")
        expectShown(runs.terminal)
    }

    @Test(
        "An error about an input has no control characters on a terminal", .tags(.security),
        arguments: ["human", "json"])
    func mistakes(style: String) {
        var onTerminal = harness
        onTerminal.isTerminal = true
        let inputs = [
            "{\"id\":\(HostileText.json),\"t\":\"x\"}\n", "{\(HostileText.json):1}\n",
            StreamEscapeTests.record(1), "{\"id\":3,\"t\":\"\u{9B}\n",
            "\(HostileText.sample),id\n1,2\n",
        ]
        for input in inputs {
            let run = onTerminal.run(
                ["write", file, "-", "-c", "T", "--errors", style], input: input)
            #expect(run.status == 65, "\(run)")
            #expect(!run.errors.isEmpty)
            #expect(
                HostileText.harmful(in: run.output + run.errors).isEmpty,
                "\(run.errors.debugDescription)")
        }
    }
}
