import FirnPlatform
import FirnTesting
import Glibc
import Testing

/// The environment of the shell: windows, signals, other sessions, limited terminals.
@Suite("The terminal of the shell", .serialized)
struct ShellTerminalTests {
    private let shell: ShellHarness

    init() throws { shell = try ShellHarness() }

    @Test("Resizing the window does not disturb the line")
    func resize() throws {
        let session = try shell.start()
        session.type("Person age > 4")
        try session.wait(for: "> 4")
        session.resize(columns: 30)
        try session.wait(for: "people> Person age > 4")
        session.type("5 | project(name)\r")
        try session.wait(for: "Al")
        #expect(shell.leave(session).status == 0)
    }

    /// Its width was that of the window at the start of the shell.
    @Test("A table fits the window size at the time of printing")
    func resizedTable() throws {
        let session = try shell.start()
        session.type("Person id == 7\r")
        try session.wait(for: "7 │ Bo   │  41 │ Oslo")
        session.resize(columns: 20)
        session.type("Person id == 7\r")
        try session.wait(for: "7 │ Bo   │  41\r\n")
        session.resize(columns: 12)
        session.type("Person id == 7\r")
        try session.wait(for: "name │ Bo")
        #expect(shell.leave(session).status == 0)
    }

    @Test("Ctrl-Z stops the shell, and fg restores the half-typed line")
    func suspend() throws {
        var environment = shell.environment
        environment["PS1"] = "outer$ "
        let session = try TerminalSession(
            "/bin/bash", ["--norc", "--noprofile", "-i"], environment: environment,
            in: shell.folder.path)
        try session.wait(for: "outer$ ")
        session.type("\(shell.runner.executable) -q people.firn\r")
        try session.wait(for: "people> ")
        session.type("Person age > 4")
        try session.wait(for: "> 4")
        session.type(Key.suspend)
        try session.wait(for: "Stopped")
        try session.wait(for: "outer$ ")
        session.type("fg\r")
        try session.wait(for: "people> Person age > 4")
        session.type("5 | project(name)\r")
        try session.wait(for: "Al")
        try session.wait(for: "people> ")
        session.type(Key.end)
        try session.wait(for: "outer$ ")
        session.type("exit\r")
        #expect(session.finish().status == 0)
    }

    @Test(
        "SIGTERM and SIGHUP restore the terminal, and kill the shell", arguments: [SIGTERM, SIGHUP]
    )
    func killed(_ signal: Int32) throws {
        let session = try shell.start()
        #expect(!session.isSane)
        session.type("Person half")
        try session.wait(for: "half")
        session.send(signal: signal)
        let run = session.finish()
        #expect(run.signal == signal, "\(run)")
        #expect(session.isSane)
        #expect(shell.folder.names.contains("people.firn"))
        let check = try shell.runner.run(["check", shell.file, "-q"])
        #expect(check.status == 0)
    }

    @Test("Only results go to standard output")
    func redirected() throws {
        let output = shell.folder("out.txt")
        let session = try shell.start(outputPath: output)
        session.type("Person age > 50\r")
        try session.wait(for: "people> ")
        #expect(shell.leave(session).status == 0)
        let read = try CommandRunner("/bin/cat").run([output])
        #expect(
            read.outputText == "{\"id\":11,\"name\":\"Al\",\"age\":52,\"city\":\"Oslo\"}\n",
            "\(read)")
    }

    @Test("A notification is shown above the half-typed line")
    func notice() throws {
        let session = try shell.start()
        session.type(".observe Person age > 50\r")
        try session.wait(for: "people (1 observer)> ")
        session.type("Person age > 4")
        try session.wait(for: "> 4")
        let written = try shell.runner.run(
            ["write", shell.file, "-x", "Person id == 7 | set age = 99", "-q"])
        try #require(written.status == 0, "\(written)")
        try session.wait(for: "+ Person 7 {")
        try session.wait(for: "people (1 observer)> Person age > 4")
        session.type("5 | project(name)\r")
        try session.wait(for: "Al")
        #expect(shell.leave(session).status == 0)
    }

    @Test("Statements of earlier and concurrent sessions can be recalled, but secrets cannot")
    func histories() throws {
        let first = try shell.start()
        let second = try shell.start()
        first.type("Person age > 50 | count\r")
        try first.wait(for: "people> ")
        second.type("Person age > 51 | count\r")
        try second.wait(for: "people> ")
        first.type(" Person city == \"secret\" | count\r")
        try first.wait(for: "people> ")
        first.type("Person age > 52 | count\r")
        try first.wait(for: "people> ")
        #expect(shell.leave(first).status == 0)
        #expect(shell.leave(second).status == 0)
        let third = try shell.start()
        third.type(Key.up)
        try third.wait(for: "> 52")
        third.type(Key.up)
        try third.wait(for: "1")
        third.type(Key.up + Key.enter)
        try third.wait(for: "people> ")
        #expect(shell.leave(third).status == 0)
        let kept = try CommandRunner("/bin/grep").run(["-v", "^#", shell.historyPath])
        #expect(
            kept.outputText == (50...52).map { "Person age > \($0) | count\n" }.joined()
                + "Person age > 50 | count\n", "\(kept)")
    }

    @Test("A missing or unwritable home is not reported")
    func homeless() throws {
        var shell = shell
        shell.environment["XDG_STATE_HOME"] = nil
        for home in [nil, "/dev/null/home", "/proc/nothing", ""] {
            shell.environment["HOME"] = home
            let session = try shell.start()
            session.type("Person id == 9 | project(name)\r")
            try session.wait(for: "Cy")
            let run = shell.leave(session)
            #expect(run.status == 0)
            #expect(!run.outputText.contains("error"), "\(run)")
        }
    }

    @Test(
        "A dumb terminal gets no escapes",
        arguments: [("TERM", "dumb"), ("INSIDE_EMACS", "29.1,comint")])
    func dumb(_ variable: (name: String, value: String)) throws {
        var shell = shell
        shell.environment[variable.name] = variable.value
        let session = try shell.start()
        session.type("Person age > 50 | project(name)\n")
        try session.wait(for: "Al")
        try session.wait(for: "people> ")
        session.type("Person age")
        session.type(Key.interrupt)
        try session.wait(for: "people> ")
        let run = shell.leave(session)
        #expect(run.status == 0)
        // No modes are set at either time; a table has no colours.
        #expect(!run.outputText.contains("\u{1b}[?"), "\(run)")
        #expect(variable.name != "TERM" || !run.outputText.contains("\u{1b}"), "\(run)")
    }

    @Test("NO_COLOR disables colours")
    func colourless() throws {
        var shell = shell
        shell.environment["NO_COLOR"] = "1"
        let session = try shell.start()
        session.type("Person wrong == 1\r")
        try session.wait(for: "error")
        try session.wait(for: "people> ")
        let run = shell.leave(session)
        #expect(run.status == 0)
        let shown = run.outputText
        #expect(!shown.contains("\u{1b}[3") && !shown.contains("\u{1b}[1m"), "\(shown)")
    }

    @Test("Twenty columns are enough")
    func narrow() throws {
        let session = try shell.start(columns: 20)
        session.type("Person age > 50 AND city == \"Oslo\" | project(name)\r")
        try session.wait(for: "Al")
        session.type("Person \t\t")
        try session.wait(for: "name")
        session.type(Key.interrupt)
        try session.wait(for: "people> ")
        #expect(shell.leave(session).status == 0)
    }

    @Test("No queries are sent to the terminal, and its settings are restored")
    func noProbing() throws {
        let session = try shell.start()
        session.type("Person | count\r")
        try session.wait(for: "people> ")
        let run = shell.leave(session)
        // Requests for attributes, the cursor, a colour or a mode.
        for request in ["\u{1b}[c", "\u{1b}[>c", "\u{1b}[6n", "\u{1b}]10;?", "\u{1b}[?u", "$p"] {
            #expect(!run.outputText.contains(request), "\(run)")
        }
        #expect(session.isSane)
    }

    /// The help and the errors were cut by the terminal in the middle of words.
    @Test("Help, errors and messages fit the window")
    func narrowTexts() throws {
        var shell = shell
        shell.environment["FIRN_PAGER"] = "cat"
        let session = try shell.start(columns: 40)
        session.type("Person colour == 1\r")
        try session.wait(for: "error: no property \"colour\" in class\r\n  Person\r\n")
        try session.wait(for: "people> ")
        session.type(".help prompt\r")
        try session.wait(for: "unusual")
        try session.wait(for: "people> ")
        let run = shell.leave(session)
        for line in run.outputText.split(separator: "\r\n") where !line.contains("\u{1b}") {
            #expect(line.count <= 40, "\(line)")
        }
    }

    @Test("In the C locale, all output is ASCII")
    func plainLocale() throws {
        var shell = shell
        shell.environment["LC_ALL"] = "C"
        shell.environment["FIRN_PAGER"] = "cat"
        let session = try shell.start(isQuiet: false)
        for statement in [
            "Person", "Person | group(city; n = @count) | bar(n)", "Person | spark(age)",
            "Person colour == 1", ".begin", "Person id == 7 | set age = 2", ".diff", ".cancel",
            ".profile Person", ".version", ".help", ".help prompt", "Person | limit(1)",
        ] {
            session.type(statement + "\r")
            try session.wait(for: "> ")
        }
        let run = shell.leave(session)
        #expect(run.status == 0)
        let others = run.outputText.unicodeScalars.filter { $0.value > 126 }
        #expect(others.isEmpty, "\(run)")
        #expect(run.outputText.contains("age 41 -> 2"), "\(run)")
        #expect(run.outputText.contains("########"), "\(run)")
    }
}
