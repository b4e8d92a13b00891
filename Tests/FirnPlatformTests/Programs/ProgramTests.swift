import FirnTesting
import Glibc
import Testing

@Suite("Running programs")
struct ProgramTests {
    private let shell = CommandRunner("/bin/sh")

    @Test("Output, error output and status are kept apart")
    func streams() throws {
        let result = try shell.run(["-c", "echo out; echo err >&2; exit 7"])
        #expect(result.outputText == "out\n")
        #expect(result.errorText == "err\n")
        #expect(result.status == 7 && result.signal == nil && !result.isTimedOut)
    }

    @Test("Death by a signal is recognized")
    func signal() throws {
        let result = try shell.run(["-c", "kill -TERM $$"])
        #expect(result.signal == SIGTERM && result.status == nil)
    }

    @Test("Megabytes of input and output flow at the same time")
    func megabytes() throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let result = try CommandRunner("/bin/cat").run([], input: bytes)
        #expect(result.output == bytes)
        #expect(result.status == 0)
    }

    @Test("A program that does not read its input does not block the caller")
    func unreadInput() throws {
        let result = try shell.run(["-c", "exit 3"], input: [UInt8](repeating: 1, count: 1 << 20))
        #expect(result.status == 3)
    }

    @Test("A program that does not end is killed with all its children")
    func timeout() throws {
        var runner = shell
        runner.timeoutSeconds = 0.2
        let result = try runner.run(["-c", "sleep 60 & sleep 60"])
        #expect(result.isTimedOut && result.signal == SIGKILL)
    }

    @Test("A program gets the given folder and environment")
    func folderAndEnvironment() throws {
        let folder = TemporaryFolder()
        var runner = shell
        runner.environment["FIRN_X"] = "a b"
        let result = try runner.run(["-c", "pwd; echo \"$FIRN_X\"; touch made"], in: folder.path)
        #expect(result.outputText == "\(folder.path)\na b\n")
        #expect(folder.names == ["made"])
    }

    @Test("A missing program is an error")
    func missing() {
        #expect(throws: ProgramError.self) { try CommandRunner("/no/program").run([]) }
        #expect(throws: ProgramError.self) { try builtExecutable(named: "no-such-program") }
    }

    @Test("The programs of this package can be found")
    func built() throws {
        let path = try builtExecutable(named: "firn")
        #expect(path.hasSuffix("/firn"))
    }

    @Test("A temporary folder is removed with its content")
    func temporaryFolder() {
        var folder: TemporaryFolder? = TemporaryFolder()
        let path = folder?.path ?? ""
        mkdir("\(path)/a", 0o700)
        mkdir("\(path)/a/b", 0o000)
        symlink("/", "\(path)/a/link")
        #expect(access(path, F_OK) == 0)
        folder = nil
        #expect(access(path, F_OK) != 0)
        #expect(access("/tmp", F_OK) == 0)
    }

    @Test("A terminal has a size, accepts lines and shows the typed text")
    func terminal() throws {
        let session = try TerminalSession(
            "/bin/sh", ["-c", "stty size; read line; echo got $line"], columns: 101)
        try session.wait(for: "24 101")
        session.type("hello\n")
        try session.wait(for: "got hello")
        let result = session.finish()
        #expect(result.status == 0)
        #expect(result.outputText == "24 101\r\nhello\r\ngot hello\r\n")
    }

    @Test("Ctrl-C on a terminal sends a signal")
    func interrupt() throws {
        let session = try TerminalSession("/bin/sh", ["-c", "echo ready; exec cat"])
        try session.wait(for: "ready")
        session.type("\u{3}")
        #expect(session.finish().signal == SIGINT)
    }

    @Test("Waiting for output that never comes fails and shows the transcript")
    func missingText() throws {
        let session = try TerminalSession("/bin/echo", ["one"])
        #expect(throws: ProgramError.self) { try session.wait(for: "two", seconds: 5) }
        #expect(session.transcript == "one\r\n")
    }
}
