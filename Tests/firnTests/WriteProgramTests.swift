import FirnPlatform
import FirnTesting
import Testing

/// Writing with the real binary: pipes, streams and signals.
@Suite("The firn write program")
struct WriteProgramTests {
    private let folder = TemporaryFolder()
    private let runner: CommandRunner
    private let shell: CommandRunner

    init() throws {
        runner = CommandRunner(try builtExecutable(named: "firn"))
        shell = CommandRunner("/bin/sh")
    }

    private func makePeople() throws -> String {
        try runner.makePeople("id,name\n1,Ann\n2,Bo\n", in: folder)
    }

    private func count(_ file: String) throws -> String {
        try runner.run(["query", file, "Person", "--count", "-r"], input: "").outputText
    }

    @Test("The export of one database is written to another through a pipe")
    func pipe() throws {
        let file = try makePeople()
        let copy = folder("copy.firn")
        let run = try shell.run(
            [
                "-c",
                """
                "$0" export "$1" -f ndjson --with-schema | "$0" write "$2" --create -q - &&
                "$0" export "$2" --with-schema | cmp - "$3" 2>&1
                """, runner.executable, file, copy, "/dev/stdin",
            ], input: try runner.run(["export", file, "--with-schema"], input: "").outputText)
        #expect(run.status == 0, "\(run)")
        #expect(try count(copy) == "2\n")
    }

    @Test("An interrupted write rolls everything back and ends with the signal")
    func interrupted() throws {
        let file = try makePeople()
        let session = try TerminalSession(
            runner.executable, ["write", file, "-", "-c", "Person", "--returning"])
        // The echo of the terminal shows that the program is reading or about to read.
        session.type("{\"id\":3,\"name\":\"Cy\"}\n")
        try session.wait(for: "}\r\n")
        session.send(signal: Signals.interrupt)
        let run = session.finish()
        #expect(run.signal == Signals.interrupt, "\(run)")
        #expect(try count(file) == "2\n")
        #expect(folder.names == ["people.firn"])
    }

    @Test("An interrupt between batches keeps the batches that were reported")
    func interruptedBatches() throws {
        let file = try makePeople()
        let session = try TerminalSession(
            runner.executable,
            ["write", file, "-", "-c", "Person", "--batch", "1", "-f", "json"])
        session.type("{\"id\":3,\"name\":\"Cy\"}\n")
        try session.wait(for: "\"inserted\":1")
        session.send(signal: Signals.interrupt)
        #expect(session.finish().signal == Signals.interrupt)
        #expect(try count(file) == "3\n")
    }

    /// If four writers created the same database at once, one succeeded and the others ended with
    /// 73: 23 of 80 runs.
    @Test("Writers that create the same database simultaneously join the first one")
    func creatingTogether() throws {
        let runner = CommandRunner(try builtExecutable(named: "firn"))
        for round in 0..<10 {
            let folder = TemporaryFolder()
            let file = folder("new.firn")
            let writers = try (0..<4).map { number in
                let writer = try PipedProcess(
                    runner.executable, ["write", file, "-", "-c", "P", "--create", "-q"])
                writer.say("{\"id\":\(number)}")
                return writer
            }
            for writer in writers { writer.endInput() }
            for writer in writers { #expect(writer.finish().status == 0, "round \(round)") }
            let run = try runner.run(["query", file, "P", "--count", "-r"], input: "")
            #expect(run.outputText == "4\n", "round \(round): \(run)")
            #expect(folder.names == ["new.firn"])
        }
    }

    @Test("Waiting for a database that is being created ends with a timeout")
    func creationHeld() throws {
        let runner = CommandRunner(try builtExecutable(named: "firn"))
        let folder = TemporaryFolder()
        let file = folder("new.firn")
        let writer = try PipedProcess(
            runner.executable, ["write", file, "-", "-c", "P", "--create", "-q"])
        var rounds = 0
        while !folder.names.contains(where: { $0.hasSuffix(".create.tmp") }), rounds < 100_000 {
            rounds += 1
        }
        let words = ["write", file, "-", "-c", "P", "--create", "-q", "--wait", "50ms"]
        let refused = try runner.run(words, input: "{\"id\":1}\n")
        #expect(refused.status == 75, "\(refused)")
        #expect(refused.errorText.contains("another process is creating it"))
        // A killed one blocks no process, and its leftovers are removed.
        writer.kill()
        let made = try runner.run(words, input: "{\"id\":1}\n")
        #expect(made.status == 0, "\(made)")
        #expect(!folder.names.contains { $0.hasSuffix(".create.tmp") })
    }
}
