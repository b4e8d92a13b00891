import FirnPlatform
import FirnTesting
import Testing

/// The real binary, run like from a shell.
@Suite("The firn program")
struct FirnProgramTests {
    private let folder = TemporaryFolder()
    private let runner: CommandRunner
    private let shell: CommandRunner

    init() throws {
        runner = CommandRunner(try builtExecutable(named: "firn"))
        shell = CommandRunner("/bin/sh")
    }

    /// Creates a database of `count` rows.
    private func makeNumbers(_ count: Int) throws -> String {
        let csv = "n,text\n" + (0..<count).map { "\($0),row \($0)\n" }.joined()
        let file = folder("numbers.firn")
        let made = try runner.run(
            ["create", file, "--from", "-", "--class", "Number", "-q"], input: csv)
        try #require(made.status == 0, "\(made)")
        return file
    }

    @Test("Results go to standard output, messages to standard error")
    func streams() throws {
        let file = try makeNumbers(3)
        let run = try runner.run(["query", file, "Number n > 1"])
        #expect(run.status == 0)
        #expect(run.outputText == "{\"n\":2,\"text\":\"row 2\"}\n")
        #expect(run.errorText.isEmpty)
        let wrong = try runner.run(["query", file, "Number m > 1"])
        #expect(wrong.status == 65)
        #expect(wrong.outputText.isEmpty)
        #expect(wrong.errorText.hasPrefix("error: "))
    }

    @Test("A reader that closes the pipe ends the program silently with SIGPIPE")
    func brokenPipe() throws {
        let file = try makeNumbers(50_000)
        let run = try shell.run(
            [
                "-c", "{ \"$0\" query \"$1\" Number; echo \"status $?\" >&2; } | head -n 1",
                runner.executable, file,
            ], input: "")
        #expect(run.outputText == "{\"n\":0,\"text\":\"row 0\"}\n")
        #expect(run.errorText == "status 141\n")
    }

    @Test("A full device is an input/output error")
    func fullDevice() throws {
        let file = try makeNumbers(10)
        let run = try shell.run(
            ["-c", "\"$0\" query \"$1\" Number > /dev/full", runner.executable, file], input: "")
        #expect(run.status == 74, "\(run)")
        #expect(run.errorText.hasPrefix("error: cannot write standard output: no space left"))
    }

    @Test("On a terminal the result is a table that fits")
    func terminal() throws {
        let file = try makeNumbers(2)
        let session = try TerminalSession(
            runner.executable, ["query", file, "Number"],
            environment: CommandRunner.plainEnvironment)
        let run = session.finish()
        #expect(run.status == 0)
        let text = session.transcript
        #expect(text.contains(" n │ text\r\n───┼───────\r\n 0 │ row 0\r\n"), "\(text)")
        #expect(text.contains("2 rows · "), "\(text)")
    }

    @Test("An interrupt leaves no file and ends the program with the signal")
    func interrupted() throws {
        let session = try TerminalSession(
            runner.executable,
            ["create", folder("a.firn"), "--from", "-", "--class", "A", "--progress", "always"])
        // The echo of the terminal shows that the program is reading or about to read.
        session.type("n\n1\n")
        try session.wait(for: "1\r\n")
        session.send(signal: Signals.interrupt)
        let run = session.finish()
        #expect(run.signal == Signals.interrupt, "\(run)")
        #expect(folder.names.isEmpty)
    }
}
