import FirnTesting
import Testing

@testable import FirnTools

@Suite("firn completions")
struct CompletionsTests {
    private static let files = [
        (CompletionScript.bash, "firn.bash"), (.zsh, "_firn"), (.fish, "firn.fish"),
    ]

    @Test("completions prints the file that packages install", arguments: files)
    func text(shell: CompletionScript, file: String) throws {
        let run = CommandHarness().run(["completions", shell.rawValue])
        let wanted = try ManualPage.lines(of: "completions/\(file)").joined(separator: "\n")
        #expect(run.status == 0)
        #expect(run.output == wanted)
        #expect(run.output.hasPrefix("#"))
        #expect(run.errors.isEmpty)
    }

    @Test(
        "On a terminal completions also prints instructions", arguments: CompletionScript.allCases
    )
    func terminal(shell: CompletionScript) {
        var harness = CommandHarness()
        harness.isTerminal = true
        let run = harness.run(["completions", shell.rawValue])
        #expect(run.output == shell.text)
        #expect(run.errors.contains("firn completions \(shell)"), "\(run.errors)")
        #expect(harness.run(["completions", shell.rawValue, "-q"]).errors.isEmpty)
    }

    @Test("An unknown shell is a usage error with a suggestion")
    func unknown() {
        let run = CommandHarness().run(["completions", "zhs"])
        #expect(run.status == 64)
        #expect(run.errors.contains("did you mean \"zsh\"?"), "\(run.errors)")
        #expect(CommandHarness().run(["completions"]).status == 64)
    }

    @Test("completions does not look for a database")
    func file() {
        var harness = CommandHarness()
        harness.variables["FIRN_FILE"] = harness.folder("missing.firn")
        #expect(harness.run(["completions", "bash"]).status == 0)
    }
}
