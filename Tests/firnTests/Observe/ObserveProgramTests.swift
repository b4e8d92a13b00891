import FirnPlatform
import FirnTesting
import Testing

/// `firn observe` as one of several processes: pipes that are read slowly or closed, signals, files
/// that are replaced.
@Suite("The firn observe program")
struct ObserveProgramTests {
    private let folder = TemporaryFolder()
    private let runner: CommandRunner
    private let file: String

    init() throws {
        runner = CommandRunner(try builtExecutable(named: "firn"))
        file = folder("people.firn")
        try ObserveProgramTests.make(file, runner)
    }

    private static func make(_ file: String, _ runner: CommandRunner) throws {
        let made = try runner.run(
            ["create", file, "--from", "-", "--class", "Person", "--key", "id", "-q"],
            input: "id,name\n1,Ann\n2,Bo\n")
        try #require(made.status == 0, "\(made)")
    }

    private func write(_ statement: String) throws {
        let run = try runner.run(["write", file, "-q", "-x", statement], input: "")
        try #require(run.status == 0, "\(run)")
    }

    private func observer(_ words: String...) throws -> PipedProcess {
        let observer = try PipedProcess(runner.executable, ["observe", file] + words)
        return observer
    }

    @Test("3. A commit by another process becomes a line at once, flushed before the next wait")
    func live() throws {
        let observer = try observer("Person")
        #expect(try observer.line().hasPrefix(#"{"v":1,"type":"initial","version":1,"#))
        for number in 2...5 {
            try write("Person id == 1 | set name = \"n\(number)\"")
            let line = try observer.line()
            #expect(
                line.hasPrefix(
                    #"{"v":1,"type":"update","version":\#(number),"prev":\#(number - 1),"#))
            #expect(line.contains(#""name":"n\#(number)""#), "\(line)")
        }
        observer.send(signal: Signals.terminate)
        #expect(try observer.line().contains(#""type":"end","version":5,"reason":"terminated""#))
        #expect(observer.finish().signal == Signals.terminate)
        #expect(folder.names == ["people.firn"])
    }

    @Test("Ctrl-C ends observe with its last line and with the signal")
    func interrupted() throws {
        let observer = try observer("Person")
        _ = try observer.line()
        observer.send(signal: Signals.interrupt)
        #expect(try observer.line().contains(#""reason":"interrupted""#))
        #expect(observer.finish().signal == Signals.interrupt)
    }

    @Test("A reader that closes the pipe ends observe silently with 141, even without commits")
    func closedPipe() throws {
        let shell = CommandRunner("/bin/bash")
        let run = try shell.run(
            [
                "-c",
                "\"$0\" observe \"$1\" Person --heartbeat off | head -n 1; "
                    + "echo \"status ${PIPESTATUS[0]}\" >&2", runner.executable, file,
            ], input: "")
        #expect(!run.isTimedOut)
        #expect(run.outputText.hasPrefix(#"{"v":1,"type":"initial""#))
        #expect(run.errorText == "status 141\n", "\(run)")
    }

    @Test("5. A slow reader gets fewer, larger updates without gaps, and writers do not wait")
    func slowReader() throws {
        let observer = try observer("Person")
        _ = try observer.line()
        let text = String(repeating: "x", count: 30_000)
        for number in 0..<60 { try write("Person id == 1 | set name = \"\(number)\(text)\"") }
        let sessions = try runner.run(["stats", file, "--sessions", "-f", "json"], input: "")
        #expect(sessions.status == 0)
        var version = 1
        var lines = 0
        while version < 61 {
            let line = try observer.line()
            lines += 1
            #expect(line.hasPrefix("{\"v\":1,\"type\":\"update\""), "\(line.prefix(200))")
            #expect(line.contains("\"prev\":\(version),"), "\(line.prefix(200))")
            version = try #require(
                line.split(separator: ",").first { $0.hasPrefix("\"version\":") }
                    .flatMap { Int($0.drop { $0 != ":" }.dropFirst()) })
        }
        #expect(lines < 60)
        observer.send(signal: Signals.terminate)
        _ = observer.finish()
    }

    @Test("6. An observer that does not read holds no version, so compaction frees the space")
    func holdsNothing() throws {
        let observer = try observer("Person", "--heartbeat", "off")
        _ = try observer.line()
        let text = String(repeating: "y", count: 100_000)
        for number in 0..<5 { try write("Person id == 1 | set name = \"\(number)\(text)\"") }
        // The pipe is full by now; the version is released soon after.
        var compacted = ""
        for _ in 0..<200 {
            let run = try runner.run(["compact", file], input: "")
            try #require(run.status == 0, "\(run)")
            compacted = run.outputText
            if compacted.contains("\"kept_versions\":[]") { break }
        }
        #expect(compacted.contains("\"kept_versions\":[]"), "\(compacted)")
        try write("Person id == 2 | set name = \"last\"")
        var line = ""
        while !line.contains("\"last\"") { line = try observer.line() }
        observer.send(signal: Signals.terminate)
        _ = observer.finish()
    }

    @Test("7. A replaced file ends observe with 69, and a missing file with 66")
    func replaced() throws {
        let other = folder("other.firn")
        try ObserveProgramTests.make(other, runner)
        let observer = try observer("Person")
        _ = try observer.line()
        try SystemFileSystem().rename(other, to: file, replacing: true)
        #expect(try observer.line().contains(#""type":"end","version":1,"reason":"replaced""#))
        #expect(observer.finish().status == 69)
        let second = try PipedProcess(runner.executable, ["observe", file, "Person"])
        _ = try second.line()
        try SystemFileSystem().remove(file)
        #expect(try second.line().contains(#""reason":"removed""#))
        #expect(second.finish().status == 66)
    }

    @Test("7. With --follow-name, observe continues with the new file from its start")
    func follows() throws {
        let other = folder("other.firn")
        try ObserveProgramTests.make(other, runner)
        let grown = try runner.run(
            ["write", other, "-q", "-x", "Person id == 2 | delete"], input: "")
        #expect(grown.status == 0)
        let observer = try observer("Person", "--follow-name")
        _ = try observer.line()
        try SystemFileSystem().rename(other, to: file, replacing: true)
        #expect(try observer.line().contains(#""type":"reset","version":2,"reason":"replaced""#))
        let initial = try observer.line()
        #expect(
            initial.contains(#""type":"initial","version":2"#) && initial.contains(#""count":1"#))
        try write("Person id == 1 | delete")
        #expect(try observer.line().contains(#""type":"update","version":3,"prev":2"#))
        observer.send(signal: Signals.terminate)
        _ = observer.finish()
    }

    @Test("--debounce merges commits in quick succession")
    func debounce() throws {
        let observer = try observer("Person", "--debounce", "2s", "--count", "1")
        _ = try observer.line()
        for number in 0..<3 { try write("Person id == 1 | set name = \"\(number)\"") }
        #expect(try observer.line().contains(#""commits":3,"#))
        #expect(observer.finish().status == 0)
    }

    @Test("A replica follows through a pipe")
    func replica() throws {
        let copy = folder("copy.firn")
        let shell = try PipedProcess(
            "/bin/bash",
            [
                "-c",
                "\"$0\" observe \"$1\" --shape rows | \"$0\" write \"$2\" --input observe --create --batch 500 -",
                runner.executable, file, copy,
            ])
        #expect(try shell.line().contains(#""inserted":2,"#))
        for number in 2...6 {
            try write("Person id == 1 | set name = \"n\(number)\"")
            #expect(try shell.line().contains(#""updated":1,"deleted":0"#))
        }
        let left = try runner.run(["export", file], input: "")
        let right = try runner.run(["export", copy], input: "")
        #expect(left.outputText == right.outputText)
        // Between two commits other processes can use the replica.
        let own = try runner.run(["write", copy, "-q", "-x", "Person id == 2 | delete"], input: "")
        #expect(own.status == 0, "\(own)")
        shell.kill()
    }

    @Test("Creating and dropping an index while a writer runs changes no event")
    func index() throws {
        let observer = try observer("Person name BEGINSWITH 'n'", "--shape", "rows")
        _ = try observer.line()
        let writer = try PipedProcess(
            runner.executable, ["write", file, "-", "-c", "Person", "--batch", "1", "--wait", "1m"])
        for number in 3...60 { writer.say(#"{"id":\#(number),"name":"n\#(number)"}"#) }
        for change in ["index Person.name", "drop index Person.name", "unique Person.name"] {
            _ = try writer.line()
            let run = try runner.run(["alter", file, change, "-q", "--wait", "1m"], input: "")
            #expect(run.status == 0, "\(run)")
        }
        writer.endInput()
        #expect(writer.finish().status == 0)
        for number in 3...60 {
            #expect(try observer.line().contains(#""op":"insert""#), "\(number)")
        }
        observer.send(signal: Signals.terminate)
        _ = observer.finish()
        let found = try runner.run(
            ["query", file, "Person name == 'n33' | count | explain"], input: "")
        #expect(found.outputText.contains("in index Person.name"), "\(found)")
        let check = try runner.run(["check", file, "--deep", "-q"], input: "")
        #expect(check.status == 0, "\(check)")
    }

    /// The replica stopped for good: the first object got a value before the second one gave it up.
    @Test("A replica with a unique property follows objects that exchange their values")
    func exchange() throws {
        let copy = folder("copy.firn")
        func replicate(_ position: String...) throws -> CommandResult {
            let events = try runner.run(
                ["observe", file, "--shape", "rows", "--idle", "1ms"] + position, input: "")
            return try runner.run(
                ["write", copy, "--input", "observe", "--create", "-"], input: events.outputText)
        }
        #expect(try replicate("--initial", "full").status == 0)
        let unique = try runner.run(["alter", copy, "unique Person.name", "-q"], input: "")
        #expect(unique.status == 0, "\(unique)")
        let exchange = try runner.run(
            ["write", file, "-q"] + ["-x", "Person id == 1 | set name = 'Bo'"]
                + ["-x", "Person id == 2 | set name = 'Ann'"], input: "")
        #expect(exchange.status == 0, "\(exchange)")
        let run = try replicate("--since", "1")
        #expect(run.status == 0, "\(run)")
        let names = try runner.run(
            ["query", copy, "Person SORT(id)", "-s", "name", "-f", "csv"], input: "")
        #expect(names.outputText == "name\nBo\nAnn\n")
        // Two objects with one value are still refused, and both are named.
        try write("Person | set name = 'Eve'")
        let refused = try replicate("--since", "2")
        #expect(refused.status != 0)
        #expect(
            refused.errorText.contains(
                "name \"Eve\" is that of the objects with @id 0 and 1"), "\(refused)")
    }
}
