import FirnPlatform
import FirnTesting
import Testing

@testable import FirnFormats
@testable import FirnTools

@Suite("The settings of a user")
struct ConfigurationTests {
    private var harness = CommandHarness()
    private let file: String

    init() throws { file = try harness.makePeople() }

    /// A harness with a settings file in the usual place.
    private func having(_ text: String, in name: String = "settings") throws -> CommandHarness {
        var harness = harness
        harness.folder.makeFolders(name, "firn")
        try Fixtures.write(text, to: harness.folder("\(name)/firn/config"))
        harness.variables["XDG_CONFIG_HOME"] = harness.folder(name)
        return harness
    }

    private var count: [String] { ["query", file, "Person | count"] }

    @Test("Settings apply unless a flag or an environment variable is given")
    func precedence() throws {
        var harness = try having("# mine\n\n  format = csv  \n")
        #expect(harness.run(count).output == "count\n3\n")
        harness.variables["FIRN_FORMAT"] = "tsv"
        #expect(harness.run(count + ["-f", "json"]).output == "[\n{\"count\":3}\n]\n")
        harness.variables["FIRN_FORMAT"] = "json"
        #expect(harness.run(count).output == "[\n{\"count\":3}\n]\n")
    }

    @Test(
        "Settings are also found in the home folder of the user, and nowhere else", .tags(.security)
    )
    func places() throws {
        var harness = harness
        harness.folder.makeFolders(".config", "firn")
        try Fixtures.write("format=csv", to: harness.folder(".config/firn/config"))
        #expect(harness.run(count).output == "{\"count\":3}\n")
        harness.variables["HOME"] = harness.folder.path
        #expect(harness.run(count).output == "count\n3\n")
        // The specification of these folders demands that a relative path is ignored.
        harness.variables["XDG_CONFIG_HOME"] = "settings"
        #expect(harness.run(count).output == "count\n3\n")
        harness.variables["XDG_CONFIG_HOME"] = harness.folder("nothing")
        #expect(harness.run(count).output == "{\"count\":3}\n")
        harness.variables["XDG_CONFIG_HOME"] = file
        #expect(harness.run(count).status == 0, "a home that is not a folder has no settings")
    }

    @Test("--config names another file, --no-config ignores settings, and the last option wins")
    func flags() throws {
        let harness = try having("format = csv")
        let other = harness.folder("other")
        try Fixtures.write("format = json", to: other)
        #expect(harness.run(count + ["--config", other]).output == "[\n{\"count\":3}\n]\n")
        #expect(harness.run(["--config=" + other] + count).output == "[\n{\"count\":3}\n]\n")
        #expect(harness.run(count + ["--no-config"]).output == "{\"count\":3}\n")
        #expect(
            harness.run(["--config", other, "--no-config"] + count).output == "{\"count\":3}\n")
        #expect(
            harness.run(["--no-config", "--config", other] + count).output
                == "[\n{\"count\":3}\n]\n")
    }

    @Test("Invalid settings do not prevent help or the start of a shell")
    func help() throws {
        let harness = try having("nonsense")
        for words in [
            ["query", "--help"], ["query", "-h"], ["observe", "--version"], ["help", "query"],
            ["completions", "bash"], ["--errors", "json", "completions", "zsh"],
        ] {
            #expect(harness.run(words).status == 0, "\(words)")
        }
        #expect(harness.run(count).status == 78)
        #expect(harness.run(["query", file, "--", "--help"]).status == 78)
    }

    @Test("Colours are determined in one place from the flag, the variables or the settings")
    func colours() throws {
        var harness = try having("color = never")
        harness.isTerminal = true
        // A missing value is dim.
        let csv = harness.folder("gaps.csv")
        try Fixtures.write("id,name\n1,\n2,Bo\n", to: csv)
        let gaps = harness.folder("gaps.firn")
        try #require(harness.run(["create", gaps, "--from", csv, "-q"]).status == 0)
        let people = ["query", gaps, "Gaps", "-f", "box", "-q"]
        #expect(!harness.run(people).output.contains("\u{1B}["))
        #expect(harness.run(people + ["--color", "always"]).output.contains("\u{1B}["))
        harness.variables["CLICOLOR_FORCE"] = "1"
        #expect(harness.run(people).output.contains("\u{1B}["))
        var forced = try having("color = always", in: "forced")
        #expect(forced.run(people).output.contains("\u{1B}["))
        forced.variables["NO_COLOR"] = "1"
        #expect(!forced.run(people).output.contains("\u{1B}["))
    }

    @Test("Error style, timeout and pager can be set")
    func others() throws {
        let configuration = try Configuration(
            "errors = json\nwait = 3s\npager = less -S", path: "c")
        #expect(configuration.variable("FIRN_ERRORS") { _ in nil } == "json")
        #expect(configuration.variable("FIRN_WAIT") { _ in nil } == "3s")
        #expect(configuration.variable("FIRN_PAGER") { _ in nil } == "less -S")
        #expect(configuration.variable("PAGER") { _ in nil } == nil)
        #expect(configuration.variable("FIRN_WAIT") { _ in "1s" } == "1s")
        let harness = try having("errors = json")
        let run = harness.run(["query", file, "Person nme == 1"])
        #expect(
            run.errors.hasPrefix("{\"v\":1,\"type\":\"error\",\"code\":\"query.unknown-property\""))
    }

    @Test(
        "An invalid setting ends every command with 78, and shows its line and a remedy",
        arguments: [
            ("format = cvs", "c:1: format cannot be \"cvs\"", "did you mean \"csv\"?"),
            (
                "\n# x\nformt = csv", "c:3: there is no setting \"formt\"",
                "did you mean \"format\"?"
            ),
            ("wait = soon", "c:1: wait cannot be \"soon\"", "--no-config"),
            ("color", "c:1: \"color\" is not of the form NAME = VALUE", "--no-config"),
            ("pager =", "c:1: pager cannot be \"\"", "--no-config"),
            ("wait = 1s\nwait = 2s", "c:2: wait is already set above", "--no-config"),
            ("a\u{1B}[31m = 1", "c:1: there is no setting \"a\\x1b[31m\"", "--no-config"),
        ])
    func mistakes(text: String, message: String, remedy: String) throws {
        let failure = #expect(throws: CommandFailure.self) {
            try Configuration(text, path: "c")
        }
        guard case .diagnostic(let diagnostic) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(diagnostic.slug == .configInvalid)
        #expect(diagnostic.status == .configuration)
        let told = diagnostic.rendered(.human)
        #expect(told.contains(message) && told.contains(remedy), "\(told)")
        let harness = try having(text)
        #expect(harness.run(count).status == 78)
        #expect(harness.run(count + ["--no-config"]).status == 0)
        #expect(harness.run(["help"]).status == 0)
    }

    @Test("Unreadable, binary or overlong settings are an error")
    func unreadable() throws {
        let missing = harness.run(count + ["--config", harness.folder("none")])
        #expect(missing.status == 78)
        #expect(missing.errors.contains("cannot read the settings in "))
        #expect(missing.errors.contains("no such file or folder"), "\(missing.errors)")
        #expect(harness.run(count + ["--config", harness.folder.path]).status == 78)
        #expect(harness.run(count + ["--config", "/dev/zero"]).status == 78)
        #expect(harness.run(count + ["--config", "/dev/null"]).status == 0)
        #expect(harness.run(count + ["--config", file]).status == 78)
        let long = harness.folder("long")
        try Fixtures.write(String(repeating: "#\n", count: 40_000), to: long)
        #expect(harness.run(count + ["--config", long]).status == 78)
    }

    @Test("-v prints the opened file and the cost, and -vv also prints the settings")
    func verbose() throws {
        let harness = try having("format = csv\nwait = 3s")
        let quiet = harness.run(count)
        #expect(quiet.errors == "")
        let once = harness.run(count + ["-v"])
        #expect(once.output == quiet.output)
        let lines = once.errors.split(separator: "\n")
        #expect(lines.first?.hasPrefix("opened \(file): version 1, ") == true, "\(once.errors)")
        #expect(lines.last?.contains(/^done after [0-9.]+ m?s$/) == true, "\(once.errors)")
        let twice = harness.run(count + ["-v", "--verbose"]).errors
        #expect(twice.hasPrefix("settings from \(harness.folder("settings/firn/config"))\n"))
        #expect(twice.contains("FIRN_FORMAT is csv\n") && twice.contains("FIRN_WAIT is 3s\n"))
        let write = harness.run(["write", file, "-x", "Person id == 7 | set age = 4", "-v"])
        #expect(write.errors.hasPrefix("opened \(file): version 1, "), "\(write.errors)")
        let failed = harness.run(["query", file, "Persn", "-v"])
        #expect(failed.status == 66)
        #expect(failed.errors.contains("done after "))
        let json = harness.run(count + ["-v", "--errors", "json"]).errors
        #expect(json.hasPrefix("{\"v\":1,\"type\":\"note\",\"message\":\"opened "), "\(json)")
    }
}
