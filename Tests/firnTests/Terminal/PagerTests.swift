import FirnTesting
import Testing

/// Output that is longer than the screen goes to the pager of the user, and nothing else does.
@Suite("The pager of results and help")
struct PagerTests {
    private let folder = TemporaryFolder()
    private let runner: CommandRunner
    private let file: String
    private var environment = CommandRunner.plainEnvironment

    init() throws {
        runner = CommandRunner(try builtExecutable(named: "firn"))
        let rows = (1...100).map { "\($0),name\($0)\n" }
        file = try runner.makePeople("id,name\n" + rows.joined(), in: folder)
        environment["FIRN_PAGER"] = "sed 's/^/paged: /'"
    }

    private func run(
        _ arguments: [String], rows: UInt16 = 24, environment: [String: String]? = nil
    ) throws -> CommandResult {
        try TerminalSession(
            runner.executable, arguments, environment: environment ?? self.environment, rows: rows,
            in: folder.path
        ).finish()
    }

    @Test("A long result is shown in the pager, and its cost is printed below")
    func long() throws {
        let run = try run(["query", file, "Person"])
        #expect(run.status == 0, "\(run)")
        let lines = run.outputText.split(separator: "\r\n")
        #expect(lines.count == 103, "\(run)")
        #expect(lines.dropLast().allSatisfy { $0.hasPrefix("paged: ") }, "\(run)")
        #expect(lines.last?.hasPrefix("100 rows · ") == true, "\(run)")
    }

    @Test("A result that fits, and raw output, do not go through the pager")
    func short() throws {
        for words in [
            ["query", file, "Person LIMIT(10)"], ["query", file, "Person", "--no-pager"],
            ["--no-pager", "query", file, "Person"], ["help", "query", "--no-pager"],
            ["stats", file], ["export", file],
        ] {
            let run = try run(words)
            #expect(run.status == 0, "\(run)")
            #expect(!run.outputText.contains("paged: "), "\(words) \(run)")
        }
        #expect(try !self.run(["query", file, "Person"], rows: 200).outputText.contains("paged: "))
        for (name, value) in [("FIRN_PAGER", "cat"), ("TERM", "dumb")] {
            var environment = environment
            environment[name] = value
            let run = try run(["query", file, "Person"], environment: environment)
            #expect(!run.outputText.contains("paged: "), "\(run)")
        }
    }

    @Test("PAGER is used if FIRN_PAGER is not set")
    func variables() throws {
        var environment = environment
        environment["PAGER"] = "sed 's/^/other: /'"
        let both = try run(["query", file, "Person"], environment: environment)
        #expect(both.outputText.contains("paged: "), "\(both)")
        environment["FIRN_PAGER"] = nil
        let one = try run(["query", file, "Person"], environment: environment)
        #expect(one.outputText.contains("other: "), "\(one)")
    }

    @Test("Long help, versions and differences are shown in the pager")
    func others() throws {
        for words in [
            ["help", "query"], ["help", "query-language"], ["query", "--help"], ["help"],
            ["schema", file, "-f", "json"],
        ] {
            let run = try run(words, rows: words[0] == "schema" ? 2 : 10)
            #expect(run.status == 0, "\(run)")
            let isOneLine = words[0] == "schema"
            #expect(run.outputText.hasPrefix("paged: ") != isOneLine, "\(words) \(run)")
        }
    }

    @Test("Leaving the pager early is not an error")
    func left() throws {
        var environment = environment
        environment["FIRN_PAGER"] = "head -3; true"
        let big = (1...50_000).map { "\($0)\n" }
        let made = try runner.run(
            ["create", folder("big.firn"), "--from", "-", "--class", "Row", "-q"],
            input: "n\n" + big.joined())
        try #require(made.status == 0, "\(made)")
        let run = try run(["query", folder("big.firn"), "Row"], environment: environment)
        #expect(run.status == 0, "\(run)")
        #expect(!run.outputText.contains("error"), "\(run)")
    }

    @Test("An error is printed below the output")
    func error() throws {
        let run = try run(["query", file, "Person", "-1"])
        #expect(run.status == 1)
        let lines = run.outputText.split(separator: "\r\n")
        #expect(lines.last == "error: 100 rows where -1 requires one", "\(run)")
        #expect(lines.first?.hasPrefix("paged: ") == true)
    }
}
