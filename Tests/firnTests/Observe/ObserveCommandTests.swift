import FirnPlatform
import FirnTesting
import Testing

/// `firn observe --exec`: a command for each update.
@Suite("firn observe --exec")
struct ObserveCommandTests {
    private let folder = TemporaryFolder()
    private let runner: CommandRunner
    private let file: String

    init() throws {
        runner = CommandRunner(try builtExecutable(named: "firn"))
        file = try runner.makePeople("id,name\n1,Ann\n2,Bo\n", in: folder)
        for number in 2...4 {
            let run = try runner.run(
                ["write", file, "-q", "-x", "Person id == 1 | set name = \"n\(number)\""], input: ""
            )
            try #require(run.status == 0, "\(run)")
        }
    }

    private func observe(_ words: String...) throws -> CommandResult {
        try runner.run(
            ["observe", file, "Person", "--every-commit", "--timeout", "20s"] + words, input: "")
    }

    @Test(
        "Each event is passed to the command as input, and its properties as environment variables")
    func events() throws {
        let run = try observe(
            "--since", "1", "--count", "3", "--exec",
            "echo $FIRN_EVENT_TYPE $FIRN_VERSION $FIRN_COUNT $FIRN_TOKEN; cat")
        #expect(run.status == 0, "\(run)")
        let lines = run.outputText.split(separator: "\n").map(String.init)
        #expect(lines.count == 6, "\(run)")
        for (number, version) in [2, 3, 4].enumerated() where lines.count == 6 {
            #expect(lines[2 * number].hasPrefix("update \(version) 2 o2.\(version)."))
            #expect(
                lines[2 * number + 1].hasPrefix(
                    #"{"v":1,"type":"update","version":\#(version),"prev":\#(version - 1),"#))
        }
    }

    @Test("A command that does not read its input succeeds, however long the input is")
    func unread() throws {
        let text = String(repeating: "z", count: 300_000)
        let run = try runner.run(
            ["write", file, "-q", "-c", "Person", "--upsert", "-"],
            input: "{\"id\":1,\"name\":\"\(text)\"}")
        #expect(run.status == 0)
        let observed = try observe("--since", "4", "--count", "1", "--exec", "true")
        #expect(observed.status == 0, "\(observed)")
        let counted = try observe("--since", "4", "--count", "1", "--exec", "wc -c")
        #expect(counted.status == 0)
        let bytes = counted.outputText.split { $0 == "\n" || $0 == " " }.first.flatMap { Int($0) }
        #expect(bytes ?? 0 > 300_000, "\(counted)")
    }

    @Test("4. The cursor advances only after the command succeeded")
    func cursor() throws {
        let cursor = folder("cursor")
        let words = ["--since", "1", "--cursor-file", cursor, "--count", "3", "--exec"]
        let failed = try runner.run(
            ["observe", file, "Person", "--every-commit"] + words + [
                "test $FIRN_VERSION != 3 || exit 7"
            ],
            input: "")
        #expect(failed.status == 7, "\(failed)")
        let resumed = try runner.run(
            ["observe", file, "Person", "--every-commit", "--cursor-file", cursor, "--count", "2"]
                + ["--exec", "echo $FIRN_VERSION"], input: "")
        #expect(resumed.status == 0, "\(resumed)")
        #expect(resumed.outputText == "3\n4\n")
    }

    @Test("--keep-going continues after the command fails")
    func keepsGoing() throws {
        let run = try observe(
            "--since", "1", "--count", "3", "--keep-going", "--exec", "echo $FIRN_VERSION; false")
        #expect(run.status == 0, "\(run)")
        #expect(run.outputText == "2\n3\n4\n")
    }

    /// The help said that the command runs for each update, but it ran at once, for the existing
    /// objects: an action was started without a change.
    @Test("The command runs for the initial objects only on request")
    func initial() throws {
        let words = ["observe", file, "Person", "--idle", "1ms", "--exec", "cat"]
        let silent = try runner.run(words, input: "")
        #expect(silent.status == 124)
        #expect(silent.outputText.isEmpty, "\(silent)")
        let asked = try runner.run(words + ["--initial", "full"], input: "")
        #expect(asked.outputText.hasPrefix(#"{"v":1,"type":"initial","version":4,"#), "\(asked)")
        let counted = try runner.run(words + ["--initial", "count"], input: "")
        #expect(counted.outputText.contains(#""type":"initial""#), "\(counted)")
    }

    /// The shell ended, and what it had started went on beside its successor.
    @Test("A signal is passed on to the command and its child processes, and ends them")
    func signal() throws {
        let observer = try PipedProcess(
            runner.executable,
            ["observe", file, "Person", "--since", "1", "--exec", "sleep 600 & echo $!; wait"])
        let sleeper = try observer.line()
        observer.send(signal: Signals.terminate)
        #expect(observer.finish().signal == Signals.terminate)
        let shell = CommandRunner("/bin/sh")
        // It is a zombie until the first process of the machine looks after it.
        var state = ""
        for _ in 0..<500 {
            state = try shell.run(
                ["-c", "cut -d ' ' -f 3 /proc/\(sleeper)/stat 2>/dev/null || echo gone"], input: ""
            ).outputText
            if ["Z\n", "X\n", "gone\n", ""].contains(state) { return }
        }
        Issue.record("the command goes on: \(state)")
    }

    @Test("--timeout ends a long command and then the stream, and the cursor is unchanged")
    func timeout() throws {
        let cursor = folder("cursor")
        let run = try runner.run(
            [
                "observe", file, "Person", "--since", "1", "--timeout", "300ms", "--cursor-file",
                cursor, "--exec", "echo begun; exec sleep 60",
            ], input: "")
        #expect(run.status == 124, "\(run)")
        #expect(run.outputText == "begun\n")
        // A command that ignores the request is killed.
        let stubborn = try runner.run(
            [
                "observe", file, "Person", "--since", "1", "--timeout", "300ms", "--exec",
                "trap '' TERM; echo begun; while :; do :; done",
            ], input: "")
        #expect(stubborn.status == 124, "\(stubborn)")
        // None of it was delivered, so all of it comes again.
        let resumed = try runner.run(
            [
                "observe", file, "Person", "--cursor-file", cursor, "--since", "1", "--count", "1",
                "--exec", "echo $FIRN_VERSION",
            ], input: "")
        #expect(resumed.outputText == "4\n", "\(resumed)")
    }

    /// Each observer that was killed while it wrote its cursor left a file `.firn-*.tmp` with a
    /// unique name beside it, forever.
    @Test("The next observer removes cursor files that killed observers left")
    func leftovers() throws {
        let troubled = CommandRunner(try builtExecutable(named: "firn-fault"))
        let words = [
            "observe", file, "Person", "--cursor-file", folder("cursor"), "--timeout", "20ms",
        ]
        var most = 0
        var kills = 0
        for ordinal in 1..<80 {
            let run = try troubled.run(["kill", "\(ordinal)"] + words, input: "")
            guard run.signal == 9 else { break }
            kills += 1
            most = max(most, folder.names.count { $0.hasSuffix(".tmp") })
        }
        #expect(kills > 5)
        #expect(most == 1, "no kill came in the middle, or what was left added up: \(most)")
        #expect(try runner.run(words, input: "").status == 124)
        #expect(!folder.names.contains { $0.hasSuffix(".tmp") }, "\(folder.names)")
    }
}
