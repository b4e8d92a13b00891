import FirnEngine
import FirnTesting
import FirnTools
import Testing

@testable import FirnShell

/// Messages of the shell about a file, besides results and errors.
@Suite("Databases with harmful names")
struct HostileNameTests {
    private var harness = ShellHarness()
    private let file: String

    init() throws {
        file = try harness.makePeople("h\u{1B}]0;owned\u{7}\u{9B}2J\u{202E}")
        harness.isTerminal = true
        harness.variables["NO_COLOR"] = "1"
    }

    private func expectHarmless(
        _ run: ShellHarness.Run, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let shown = run.output + run.errors + run.prompts.joined()
        #expect(
            HostileText.harmful(in: shown).isEmpty, "\(shown.debugDescription)",
            sourceLocation: sourceLocation)
    }

    @Test("Prompts and reports escape the database name", .tags(.security))
    func reports() {
        let run = harness.talk(
            ".show", ".version", "Person id == 7", ".code shell", ".stats", ".check", ".log",
            "Person nme == 1", "Person id == 7 | set age = 4", ".sessions", on: file)
        #expect(run.output.contains("Oslo"), "\(run.errors)")
        expectHarmless(run)
    }

    /// The name was printed unchanged.
    @Test("The message about a removed file escapes the database name", .tags(.security))
    func removed() {
        let run = harness.talk(
            "Person | count", ".shell rm '\(harness.folder.path)'/*.firn", "Person | count",
            on: file)
        #expect(run.errors.contains("was removed while it was open"), "\(run.errors)")
        expectHarmless(run)
    }

    /// The name was printed unchanged.
    @Test("The message about another writer escapes the database name", .tags(.security))
    func waiting() throws {
        var harness = harness
        let store = try Store.open(file, readOnly: false)
        let transaction = try store.beginWrite()
        harness.invocation.waitNanoseconds = 300_000_000
        let run = harness.talk("Person | delete", on: file)
        #expect(run.errors.contains("(Ctrl-C to give up)"), "\(run.errors)")
        #expect(run.errors.contains("error: "), "\(run.errors)")
        expectHarmless(run)
        transaction.rollback()
        try store.close()
    }
}
