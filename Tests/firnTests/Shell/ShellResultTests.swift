import FirnPlatform
import FirnTesting
import Testing

/// The rows of a result that a person does not read to its end.
@Suite("Results that are left early", .serialized)
struct ShellResultTests {
    private let shell: ShellHarness

    init() throws {
        shell = try ShellHarness()
        let rows = (0..<40_000).map { "\($0),\(String(repeating: "ab", count: 20))\n" }
        let made = try shell.runner.run(
            ["create", shell.folder("big.firn"), "--from", "-", "--class", "Row", "-q"],
            input: "n,text\n" + rows.joined())
        try #require(made.status == 0, "\(made)")
    }

    /// The result before it was refined instead, without a word.
    @Test("A result whose pager was closed is still the last result")
    func pager() throws {
        var shell = shell
        shell.environment["FIRN_PAGER"] = "head -3"
        let session = try shell.start()
        session.type("Person | count\r")
        try session.wait(for: "people> ")
        session.type(".open big.firn\r")
        try session.wait(for: "big> ")
        session.type("Row n < 30000\r")
        try session.wait(for: "big> ")
        session.type("| n > 20000 | count\r")
        try session.wait(for: "9999")
        try session.wait(for: "big Row (1 row, step 2)> ")
        session.type(".back\r")
        try session.wait(for: "big> ")
        // The pager does not say how far the user has read, so everything is shown again.
        session.type(".more\r")
        try session.wait(for: "0 │ abab")
        try session.wait(for: "big> ")
        #expect(shell.leave(session).status == 0)
    }

    @Test("A result that Ctrl-C stops while it is printed is still the last result")
    func interrupted() throws {
        let session = try shell.start()
        session.type(".open big.firn\r")
        try session.wait(for: "big> ")
        session.type(".pager off\r")
        try session.wait(for: "big> ")
        session.type("Row n < 5 | count\r")
        try session.wait(for: "big> ")
        session.type("Row n < 39999\r")
        try session.wait(for: "0 │ abab")
        session.type(Key.interrupt)
        try session.wait(for: "cancelled: nothing was changed")
        try session.wait(for: "big> ")
        session.type("| n > 39000 | count\r")
        try session.wait(for: "998")
        #expect(shell.leave(session).status == 0)
    }

    /// It was "write failed with errno 4", and the result was lost.
    @Test("Ctrl-C during a pager is not an error, and the result is still the last result")
    func interruptedPager() throws {
        var shell = shell
        shell.environment["FIRN_PAGER"] =
            "trap '' INT; read line; echo \"first $line\"; read key </dev/tty; cat >/dev/null"
        let session = try shell.start()
        session.type(".open big.firn\r")
        try session.wait(for: "big> ")
        session.type("Row n < 39999\r")
        try session.wait(for: "first n │ text")
        session.type(Key.interrupt)
        session.type("\r")
        try session.wait(for: "cancelled")
        try session.wait(for: "big> ")
        session.type("| n > 39000 | count\r")
        try session.wait(for: "998")
        let run = shell.leave(session)
        #expect(!run.outputText.contains("error"), "\(run)")
    }

    @Test("Only an error keeps the previous result")
    func error() throws {
        let session = try shell.start()
        session.type("Person id > 7\r")
        try session.wait(for: "people> ")
        session.type("Person id > \"x\"\r")
        try session.wait(for: "error")
        try session.wait(for: "people> ")
        session.type("| count\r")
        try session.wait(for: "2\r\n")
        try session.wait(for: "people Person (1 row, step 2)> ")
        #expect(shell.leave(session).status == 0)
    }

    @Test(".more shows text that a table has cut")
    func opened() throws {
        let session = try shell.start(columns: 24)
        session.type(".open big.firn\r")
        try session.wait(for: "big> ")
        session.type("Row n == 7\r")
        try session.wait(for: "…")
        try session.wait(for: "big> ")
        session.type(".more\r")
        try session.wait(for: "text │ abab")
        try session.wait(for: "big> ")
        let run = shell.leave(session)
        #expect(
            run.outputText.replacing("\r\n", with: "")
                .contains("text │ " + String(repeating: "ab", count: 20)), "\(run)")
    }

    @Test("A property of the last result is drawn as a chart, and the result is kept")
    func charts() throws {
        let session = try shell.start()
        session.type("Person | group(city; n = @count)\r")
        try session.wait(for: "people> ")
        session.type(".chart n\r")
        try session.wait(for: "████████████████████████")
        try session.wait(for: "people> ")
        session.type("| count\r")
        try session.wait(for: "    2\r\n")
        try session.wait(for: "people Person (1 row, step 2)> ")
        session.type("Person\r")
        try session.wait(for: "people> ")
        session.type(".chart age\r")
        try session.wait(for: "█")
        try session.wait(for: "people> ")
        session.type(".chart spark age\r")
        try session.wait(for: "▁")
        #expect(shell.leave(session).status == 0)
    }

    @Test("The format of results is remembered for a database")
    func modes() throws {
        let first = try shell.start()
        first.type(".mode box\r")
        try first.wait(for: "people> ")
        #expect(shell.leave(first).status == 0)
        let second = try shell.start(isQuiet: false)
        second.type("Person id == 7 | project(name)\r")
        try second.wait(for: "┌──────┐")
        second.type(".open big.firn\r")
        try second.wait(for: "big> ")
        second.type(".mode auto\r")
        try second.wait(for: "big> ")
        second.type(".open people.firn\r")
        try second.wait(for: "results are box, as set before")
        second.type(".mode auto\r")
        try second.wait(for: "people> ")
        #expect(shell.leave(second).status == 0)
        let third = try shell.start()
        third.type("Person id == 7 | project(name)\r")
        try third.wait(for: " name\r\n──────\r\n")
        #expect(shell.leave(third).status == 0)
        // A command line that names a format has the last word, and a file gets data.
        let output = shell.folder("out")
        let fourth = try shell.start()
        fourth.type(".mode box\r")
        try fourth.wait(for: "people> ")
        #expect(shell.leave(fourth).status == 0)
        let fifth = try shell.start(outputPath: output)
        fifth.type("Person id == 7 | project(name)\r")
        try fifth.wait(for: "people> ")
        #expect(shell.leave(fifth).status == 0)
        let read = try CommandRunner("/bin/cat").run([output])
        #expect(read.outputText == "{\"name\":\"Bo\"}\n", "\(read)")
    }
}
