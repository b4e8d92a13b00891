import FirnPlatform
import FirnTesting
import Testing

/// Writing with the real binary: pipes, streams and signals.
@Suite("The firn program that writes")
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

    @Test("What one database exports, another writes through a pipe")
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

    @Test("An interrupted write takes everything back and is a real signal death")
    func interrupted() throws {
        let file = try makePeople()
        let session = try TerminalSession(
            runner.executable, ["write", file, "-", "-c", "Person", "--returning"])
        // The echo of the terminal says that the program is about to read or reads already.
        session.type("{\"id\":3,\"name\":\"Cy\"}\n")
        try session.wait(for: "}\r\n")
        session.send(signal: Signals.interrupt)
        let run = session.finish()
        #expect(run.signal == Signals.interrupt, "\(run)")
        #expect(try count(file) == "2\n")
        #expect(folder.names == ["people.firn"])
    }

    @Test("An interruption between batches keeps those that were reported")
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
}
