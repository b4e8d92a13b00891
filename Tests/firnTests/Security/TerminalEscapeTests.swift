import FirnPlatform
import FirnTesting
import Testing

/// The real binary on a terminal, with data and names that would take over the terminal.
@Suite("The firn program and hostile data on a terminal", .serialized)
struct TerminalEscapeTests {
    private let folder = TemporaryFolder()
    private let runner: CommandRunner
    private let file: String
    private let record: String

    init() throws {
        runner = CommandRunner(try builtExecutable(named: "firn"))
        file = folder("t.firn")
        record = folder("record.json")
        let text = "{\"id\":1,\"t\":\(HostileText.json)}\n"
        try DatabaseImage.put(Array(text.utf8), at: record)
        let made = try runner.run(
            ["create", file, "--from", record, "--class", "T", "--key", "id", "-q"])
        try #require(made.status == 0, "\(made)")
    }

    /// - Parameter words: with FILE for the database and RECORD for an input.
    private func shown(_ words: [String]) throws -> CommandResult {
        let words = words.map { $0 == "FILE" ? file : $0 == "RECORD" ? record : $0 }
        return try TerminalSession(runner.executable, words, in: folder.path).finish()
    }

    @Test(
        "All printed data is escaped", .tags(.security),
        arguments: [
            ["query", "FILE", "T"], ["query", "FILE", "T", "-f", "box"],
            ["query", "FILE", "T", "-f", "line"], ["query", "FILE", "T", "-f", "csv"],
            ["query", "FILE", "T", "-f", "tsv"], ["query", "FILE", "T", "-f", "ndjson"],
            ["query", "FILE", "T", "-f", "json"], ["query", "FILE", "T", "-f", "html"],
            ["query", "FILE", "T", "-f", "markdown"], ["export", "FILE"],
            ["export", "FILE", "-f", "csv"], ["observe", "FILE", "T", "--idle", "50ms"],
            ["observe", "FILE", "T", "--idle", "50ms", "-f", "ndjson"],
            ["observe", "FILE", "T", "--idle", "50ms", "--shape", "rows", "-f", "csv"],
            ["write", "FILE", "RECORD", "-c", "T", "--upsert", "--returning", "-q"],
            ["query", "FILE", "T t == $x", "-p", "x=\(HostileText.sample)", "--explain"],
        ])
    func data(words: [String]) throws {
        let run = try shown(words)
        #expect(run.outputText.contains("abc"), "\(run)")
        #expect(HostileText.reached(run.outputText).isEmpty, "\(run)")
    }

    @Test("Data is printed unchanged on request", .tags(.security))
    func raw() throws {
        let run = try shown(["query", "FILE", "T", "-r", "-s", "t"])
        #expect(run.status == 0, "\(run)")
        #expect(HostileText.reached(run.outputText).count == 5, "\(run)")
    }

    @Test(
        "Errors about the command line are escaped", .tags(.security),
        arguments: [
            ["query", "FILE", "T \(HostileText.sample) == 1"],
            ["query", "FILE", "T t == \"\(HostileText.sample)"],
            ["query", "\(HostileText.sample).firn", "T"], ["query", "FILE", HostileText.sample],
            ["schema", "FILE", HostileText.sample], [HostileText.sample],
            ["query", "FILE", "T", "--\(HostileText.sample)"],
            ["query", "FILE", "T", "-o", "\(HostileText.sample)/x"],
        ])
    func errors(words: [String]) throws {
        let run = try shown(words)
        #expect((64...77).contains(run.status ?? 0), "\(run)")
        #expect(run.outputText.contains("error: "), "\(run)")
        #expect(HostileText.reached(run.outputText).isEmpty, "\(run)")
    }

    @Test("Results, reports and notices of the shell are escaped", .tags(.security))
    func shell() throws {
        var environment = CommandRunner.plainEnvironment
        environment["HOME"] = folder.path
        environment["XDG_STATE_HOME"] = folder("state")
        let session = try TerminalSession(
            runner.executable, [file, "-q"], environment: environment, in: folder.path)
        try session.wait(for: "t> ")
        for line in ["T", ".describe T", ".code rql", ".explain on", "T", ".explain off"] {
            session.type(line + "\r")
            try session.wait(for: "t> ")
        }
        for format in ["csv", "ndjson", "html"] {
            session.type(".mode \(format)\r")
            try session.wait(for: "t> ")
            session.type("T | project(t)\r")
            try session.wait(for: "abc")
            try session.wait(for: "t> ")
        }
        session.type(".observe T\r")
        try session.wait(for: "t (1 observer)> ")
        let text = "{\"id\":2,\"t\":\(HostileText.json)}\n"
        let written = try runner.run(["write", file, "-", "-c", "T", "-q"], input: text)
        try #require(written.status == 0, "\(written)")
        try session.wait(for: "[1] ")
        session.type(" .quit\r")
        let run = session.finish()
        #expect(run.status == 0, "\(run)")
        #expect(HostileText.reached(run.outputText).isEmpty, "\(run)")
    }

    @Test(
        "The command of the holder of a lock is escaped", .tags(.security),
        arguments: [true, false]
    )
    func holder(inShell: Bool) throws {
        let statement = "T t != \"not \(HostileText.sample)\" | delete"
        let holder = try PipedProcess(
            builtExecutable(named: "firn-fault"), ["stop", "2", "write", file, "-x", statement])
        holder.waitUntilStopped()
        let run: CommandResult
        if inShell {
            var environment = CommandRunner.plainEnvironment
            environment["HOME"] = folder.path
            environment["FIRN_WAIT"] = "300ms"
            let session = try TerminalSession(
                runner.executable, [file, "-q"], environment: environment, in: folder.path)
            try session.wait(for: "t> ")
            session.type("T | delete\r")
            try session.wait(for: "Ctrl-C to give up")
            try session.wait(for: "t> ")
            session.type(" .quit\r")
            run = session.finish()
        } else {
            run = try shown(["write", "FILE", "-x", "T | delete", "--wait", "10ms"])
            #expect(run.status == 75, "\(run)")
        }
        #expect(run.outputText.contains("locked by pid \(holder.pid)"), "\(run)")
        #expect(HostileText.reached(run.outputText).isEmpty, "\(run)")
        holder.goOn()
        #expect(holder.finish().status == 0)
    }
}
