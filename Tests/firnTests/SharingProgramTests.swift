import FirnPlatform
import FirnTesting
import Testing

/// Several processes with one database: waiting, holders of locks, and recovery.
@Suite("Several firn programs with one database")
struct SharingProgramTests {
    private let folder = TemporaryFolder()
    private let runner: CommandRunner
    private let file: String

    init() throws {
        runner = CommandRunner(try builtExecutable(named: "firn"))
        file = try runner.makePeople("id,name\n1,Ann\n2,Bo\n", in: folder)
    }

    private func count() throws -> String {
        try runner.run(["query", file, "Person", "--count", "-r"], input: "").outputText
    }

    private func sessions() throws -> String {
        let stats = try runner.run(["stats", file, "--sessions", "-f", "json"], input: "")
        try #require(stats.status == 0, "\(stats)")
        return stats.outputText
    }

    /// A writer with an open transaction that waits for its input.
    private func holdLock() throws -> PipedProcess {
        let writer = try PipedProcess(runner.executable, ["write", file, "-", "-c", "Person"])
        writer.say("{\"id\":3,\"name\":\"Cy\"}")
        var rounds = 0
        while try !sessions().contains("\"writing\":true") {
            rounds += 1
            try #require(rounds < 1000, "the writer never began")
        }
        return writer
    }

    @Test(
        "A blocked writer gets an error with the lock holder, and readers continue",
        arguments: [
            ["write", "FILE", "-x", "Person | delete"], ["alter", "FILE", "remove Person.name"],
            ["freeze", "FILE", "name"], ["freeze", "FILE", "--drop", "name"], ["compact", "FILE"],
        ])
    func locked(words: [String]) throws {
        let writer = try holdLock()
        let words = words.map { $0 == "FILE" ? file : $0 }
        let run = try runner.run(words + ["--wait", "0"], input: "")
        #expect(run.status == 75, "\(run)")
        #expect(
            run.errorText.hasPrefix(
                "error: cannot write \(file): locked by pid \(writer.pid) "
                    + "(\(runner.executable) write \(file) - -c Person) for "), "\(run)")
        #expect(
            run.errorText.hasSuffix(
                "\n  use --wait 2m to wait, or see: firn stats \(file) --sessions\n"), "\(run)")
        let waited = try runner.run(
            words + ["--wait", "250ms", "--errors", "json"], input: "")
        #expect(waited.status == 75)
        #expect(
            waited.errorText.contains(
                #""code":"lock.held","exit":75,"retryable":true,"message":"cannot write"#))
        #expect(waited.errorText.contains("waited 250 ms; use --wait 2m to wait longer"))
        #expect(try count() == "2\n")
        let shown = try sessions()
        #expect(shown.contains("\"pid\":\(writer.pid),\"command\":\"\(runner.executable) write "))
        #expect(writer.finish().status == 0)
        #expect(try count() == "3\n")
        #expect(try sessions().contains(#""sessions":[]"#))
        #expect(folder.names == ["people.firn"])
    }

    @Test("A stopped writer is reported as stopped, and continues when it is resumed")
    func stopped() throws {
        let writer = try holdLock()
        writer.stop()
        let run = try runner.run(
            ["write", file, "-x", "Person | delete", "--wait", "0"], input: "")
        #expect(run.status == 75, "\(run)")
        #expect(
            run.errorText.contains(
                "which is stopped (SIGCONT it: kill -CONT \(writer.pid))"), "\(run)")
        #expect(try sessions().contains("\"stopped\":true"))
        #expect(try count() == "2\n")
        writer.goOn()
        #expect(writer.finish().status == 0)
        #expect(try count() == "3\n")
    }

    /// A writer whose --if-version did not match still had its transaction open when it closed the
    /// database: closing waited two seconds for the end of that transaction, with the writer lock
    /// held, and no other process could write. 1,208 writes in eight seconds became 8.
    @Test(
        "A failing command releases the writer lock at once while a log is in use",
        arguments: [
            ["write", "FILE", "-x", "Person | delete", "--if-version", "1"],
            ["write", "FILE", "-x", "Person | delete", "--if-version", "1", "--batch", "1"],
            ["write", "FILE", "-x", "Person | delete", "--dry-run"],
            ["write", "FILE", "-x", "Person nothing == 1 | delete"],
            ["write", "FILE", "-x", "Person | set id = 1"],
            ["write", "FILE", "WRONG", "-c", "Person"],
            ["write", "FILE", "WRONG", "-c", "Person", "--on-error", "skip"],
            ["write", "FILE", "WRONG", "-c", "Person", "--add-properties"],
            ["write", "FILE", "WRONG", "-c", "Other", "--create"],
            ["write", "FILE", "WRONG", "-c", "Person", "--map", "no=name"],
            ["write", "FILE", "-", "-c", "Person", "--timeout", "50ms"],
            ["write", "FILE", "MISSING", "-c", "Person"],
            ["write", "FILE", "-x", "Person | delete", "--link", "a=b:C.d"],
            ["alter", "FILE", "remove Person.nothing"], ["alter", "FILE", "nonsense"],
            ["alter", "FILE", "retype Person.name Int"],
            ["alter", "FILE", "rename Person.name full", "--dry-run"],
            ["freeze", "FILE", "there"], ["freeze", "FILE", "--drop", "nothing"],
            ["freeze", "FILE", "--thaw", "nothing"], ["freeze", "FILE", "--thaw", "@99"],
            ["freeze", "FILE", "--thaw", "there"], ["compact", "FILE", "--if-wasted", "99%"],
        ])
    func failing(words: [String]) throws {
        let wrong = "{\"id\":7,\"name\":\"Cy\"}\n{\"id\":\"x\"}\n"
        try DatabaseImage.put(Array(wrong.utf8), at: folder("wrong.ndjson"))
        try #require(try runner.run(["freeze", file, "there", "-q"], input: "").status == 0)
        let writer = try PipedProcess(
            runner.executable, ["write", file, "-", "-c", "Person", "--batch", "1"])
        for id in 10...12 {
            writer.say("{\"id\":\(id),\"name\":\"Di\"}")
            _ = try writer.line()
        }
        try #require(folder.names.contains("people.firn-log0"))
        let names = [
            "FILE": file, "WRONG": folder("wrong.ndjson"), "MISSING": folder("missing.csv"),
        ]
        let clock = ContinuousClock()
        let start = clock.now
        let run = try runner.run(words.map { names[$0] ?? $0 }, input: "")
        let elapsed = clock.now - start
        #expect(elapsed < .milliseconds(1500), "\(run)")
        // It joined the log, and the next process need not wait.
        let next = try runner.run(
            ["write", file, "-x", "Person id == 1 | set name = \"Al\"", "-q", "--wait", "0"],
            input: "")
        #expect(next.status == 0, "\(next)")
        #expect(writer.finish().status == 0)
    }

    @Test("A waiting writer continues as soon as the other writer has ended")
    func waits() throws {
        let writer = try holdLock()
        let waiting = try PipedProcess(
            runner.executable, ["write", file, "-x", "Person id == 1 | delete", "--wait", "1m"])
        #expect(writer.finish().status == 0)
        let run = waiting.finish()
        #expect(run.status == 0, "\(run)")
        #expect(try count() == "2\n")
    }

    @Test("A killed writer leaves neither a lock nor uncommitted changes")
    func killed() throws {
        try holdLock().kill()
        let run = try runner.run(
            ["write", file, "-x", "Person id == 1 | delete", "-q", "--wait", "2s"], input: "")
        #expect(run.status == 0, "\(run)")
        #expect(try count() == "1\n")
        #expect(try runner.run(["check", file, "--deep", "-q"], input: "").status == 0)
        #expect(folder.names == ["people.firn"])
    }

    @Test("An interrupt ends a waiting writer")
    func interruptedWaiting() throws {
        let writer = try holdLock()
        let session = try TerminalSession(
            runner.executable, ["write", file, "-", "-c", "Person", "--wait", "1h"])
        // The echo shows that the program has its terminal.
        session.type("\n")
        try session.wait(for: "\r\n")
        session.send(signal: Signals.interrupt)
        #expect(session.finish().signal == Signals.interrupt)
        #expect(writer.finish().status == 0)
    }

    @Test("On a terminal, freeze, compact and stats print sentences")
    func terminal() throws {
        func shown(_ words: [String]) throws -> String {
            let session = try TerminalSession(runner.executable, words)
            let run = session.finish()
            #expect(run.status == 0, "\(run)")
            return session.transcript
        }
        let frozen = try shown(["freeze", file, "before", "--expires", "1d"])
        #expect(
            frozen.hasPrefix("froze version 1 of \(file) as \"before\": 2 objects, until 2"),
            "\(frozen)")
        let list = try shown(["freeze", file, "--list"])
        #expect(list.hasPrefix("  name    version"), "\(list)")
        #expect(list.contains("  before        1"), "\(list)")
        let compacted = try shown(["compact", file])
        #expect(compacted.contains("compacted \(file): "), "\(compacted)")
        let stats = try shown(["stats", file, "--sessions"])
        #expect(stats.contains("no other process has it open"), "\(stats)")
        #expect(stats.contains("version 2, versions 1 to 2 can be read"), "\(stats)")
    }
}
