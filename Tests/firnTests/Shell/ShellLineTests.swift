import FirnPlatform
import FirnTesting
import Testing

/// Line editing at the terminal.
@Suite("Typing into the shell", .serialized)
struct ShellLineTests {
    private let shell: ShellHarness

    init() throws { shell = try ShellHarness() }

    @Test("Tab completes the only candidate")
    func tabUnique() throws {
        let session = try shell.start()
        session.type("Per\t")
        try session.wait(for: "Person ")
        session.type("na\t")
        try session.wait(for: "name ")
        session.type("BEG\t")
        try session.wait(for: "BEGINSWITH ")
        session.type("\"B\t")
        try session.wait(for: "\"Bo\" ")
        session.type("| proj\tcity)\r")
        try session.wait(for: "Oslo")
        #expect(shell.leave(session).status == 0)
    }

    @Test("Tab lists several candidates with their types, and the line is unchanged")
    func tabAmbiguous() throws {
        let session = try shell.start()
        session.type("Person \t\t")
        try session.wait(for: "age")
        try session.wait(for: "Int")
        try session.wait(for: "people> Person ")
        session.type("ag\t> 50 | project(name)\r")
        try session.wait(for: "Al")
        #expect(shell.leave(session).status == 0)
    }

    @Test("Values of a property are completed after an opening quote")
    func tabValues() throws {
        let session = try shell.start()
        session.type("Person city == \"R\t")
        try session.wait(for: "\"Rome\" ")
        session.type("\u{3}")
        try session.wait(for: "people> ")
        session.type("Person city IN {\"Rome\", \"O\t")
        try session.wait(for: "\"Oslo\" ")
        session.type("\u{3}")
        try session.wait(for: "people> ")
        #expect(shell.leave(session).status == 0)
    }

    @Test("Dot commands and files are completed")
    func tabCommands() throws {
        let session = try shell.start()
        session.type(".classe\t")
        try session.wait(for: ".classes ")
        session.type("\u{3}")
        try session.wait(for: "people> ")
        session.type(".open peo\t")
        try session.wait(for: "people.firn ")
        session.type("\u{3}")
        try session.wait(for: "people> ")
        #expect(shell.leave(session).status == 0)
    }

    @Test("Ctrl-C discards the line, and a statement of several lines")
    func interrupt() throws {
        let session = try shell.start()
        session.type("Person nonsense")
        try session.wait(for: "nonsense")
        session.type(Key.interrupt)
        try session.wait(for: "^C")
        try session.wait(for: "people> ")
        session.type("Person age > (\r")
        try session.wait(for: "(> ")
        session.type("40 +")
        try session.wait(for: "40 +")
        session.type(Key.interrupt)
        try session.wait(for: "^C")
        try session.wait(for: "people> ")
        for _ in 0..<20 { session.type(Key.interrupt) }
        session.type("Person id == 9 | project(name)\r")
        try session.wait(for: "Cy")
        #expect(shell.leave(session).status == 0)
    }

    @Test("Ctrl-C ends a running query, but not the shell")
    func interruptedQuery() throws {
        // The texts differ, because a condition is evaluated once for equal ones.
        let text = String(repeating: "ab", count: 200)
        let rows = (0..<40_000).map { "\($0),\(10_000 + $0)\(text)\n" }
        let made = try shell.runner.run(
            ["create", shell.folder("big.firn"), "--from", "-", "--class", "Row", "-q"],
            input: "n,text\n" + rows.joined())
        try #require(made.status == 0, "\(made)")
        let session = try shell.start()
        session.type(".open big.firn\r")
        try session.wait(for: "big> ")
        session.type(".profile Row text LIKE[cd] \"*a*b*a*b*a*b*x*\" | count\r")
        // readline prints this when it restores the terminal.
        try session.wait(for: "\u{1b}[?2004l")
        session.type(Key.interrupt)
        try session.wait(for: "cancelled")
        try session.wait(for: "big> ", seconds: 30)
        session.type("Row n == 77 | project(length(text) + 37000 AS x)\r")
        try session.wait(for: "37405")
        #expect(shell.leave(session).status == 0)
    }

    @Test("Ctrl-D leaves the shell, but not with uncommitted changes")
    func end() throws {
        let empty = try shell.start()
        #expect(shell.leave(empty).status == 0)
        #expect(empty.isSane)
        let session = try shell.start()
        session.type(".begin\r")
        try session.wait(for: "people (transaction)> ")
        session.type("Person id == 7 | set age = 1\r")
        try session.wait(for: "people (transaction, 1 change)> ")
        session.type(Key.end)
        try session.wait(for: "1 uncommitted change")
        try session.wait(for: "people (transaction, 1 change)> ")
        session.type(Key.end)
        #expect(session.finish().status == 0)
        let age = try shell.runner.run(["query", shell.file, "Person id == 7 | project(age)"])
        #expect(age.outputText == "{\"age\":41}\n")
    }

    @Test("Several pasted lines are one statement, which the up key recalls as a whole")
    func paste() throws {
        let session = try shell.start()
        session.type(Key.paste("Person |\nage > 50 |\nproject(name)"))
        try session.wait(for: "project(name)")
        session.type(Key.enter)
        try session.wait(for: "Al")
        try session.wait(for: "people")
        session.type(Key.up)
        try session.wait(for: "age > 50 |")
        try session.wait(for: "project(name)")
        session.type(Key.enter)
        try session.wait(for: "Al")
        #expect(shell.leave(session).status == 0)
    }

    /// Each line ran on its own: the second was an error, the third refined another result.
    @Test("A pasted statement whose lines begin with operators runs once")
    func pasteContinued() throws {
        let session = try shell.start()
        session.type(
            Key.paste("Person\nage > 40\n  AND city == \"Oslo\"\nSORT(age)\n| project(name)"))
        try session.wait(for: "project(name)")
        session.type(Key.enter)
        try session.wait(for: "Bo\r\n Al\r\n")
        try session.wait(for: "people> ")
        session.type(Key.paste("Person age > 50\n\n| count\nPerson age > 60 | count\n"))
        try session.wait(for: "60 | count")
        session.type(Key.enter)
        try session.wait(for: "Al")
        try session.wait(for: "    1\r\n")
        try session.wait(for: "    0\r\n")
        try session.wait(for: "people> ")
        let run = shell.leave(session)
        #expect(!run.outputText.contains("error"), "\(run)")
    }

    @Test("Pasted lines are one input even if the terminal does not mark the paste")
    func pasteUnmarked() throws {
        var shell = shell
        let settings = shell.folder("inputrc")
        let made = try CommandRunner("/bin/sh").run(
            ["-c", "echo 'set enable-bracketed-paste off' > \"$0\"", settings])
        try #require(made.status == 0)
        shell.environment["INPUTRC"] = settings
        for terminal in ["xterm-256color", "dumb"] {
            shell.environment["TERM"] = terminal
            let session = try shell.start()
            session.type("Person age > 40\n  AND city == \"Oslo\"\n| count\n")
            try session.wait(for: "    2\r\n")
            try session.wait(for: "people> ")
            // Typed by hand, a line of its own refines the result.
            session.type("Person age > 40\n")
            try session.wait(for: "Al")
            try session.wait(for: "people> ")
            session.type("| age > 50 | project(name)\n")
            try session.wait(for: "Al")
            try session.wait(for: "people Person (1 row, step 2)> ")
            let run = shell.leave(session)
            #expect(!run.outputText.contains("error"), "\(run)")
        }
    }

    /// The statement waited for the end of a line that was only begun.
    @Test("A statement does not wait for a half-typed line, which is kept")
    func typedAhead() throws {
        let session = try shell.start()
        session.type("Person age > 50 | project(name)\rPerson id == 9 | proj")
        try session.wait(for: "Al")
        try session.wait(for: "people> Person id == 9 | proj")
        session.type("ect(name)\r")
        try session.wait(for: "Cy")
        #expect(shell.leave(session).status == 0)
    }

    @Test("A line of 10,000 characters is read completely")
    func longLine() throws {
        let session = try shell.start(columns: 20_000)
        session.type("Person id IN {7")
        for number in 1_000..<2_700 {
            session.type(", \(number)")
            if number % 250 == 0 { try session.wait(for: ", \(number)") }
        }
        session.type(", 9} SORT(id DESC) | project(name)\r")
        try session.wait(for: "Cy")
        try session.wait(for: "Bo")
        #expect(shell.leave(session).status == 0)
    }

    @Test("Invalid UTF-8 is an error of the statement")
    func invalidText() throws {
        let session = try shell.start()
        session.type(
            bytes: Array("Person name == \"".utf8) + [0xFF, 0xFE, 0xC3] + Array("\"\r".utf8))
        try session.wait(for: "people> ")
        session.type("Person id == 9 | project(name)\r")
        try session.wait(for: "Cy")
        #expect(shell.leave(session).status == 0)
    }

    @Test("The cursor moves by characters, including wide ones and emoji")
    func wideCharacters() throws {
        let session = try shell.start()
        session.type("Person name == \"日本🙂xq\"")
        session.type(Key.left + Key.backspace + Key.left + Key.backspace + "é\r")
        try session.wait(for: "people")
        session.type(Key.up)
        try session.wait(for: "\"日本éx\"")
        session.type(Key.interrupt)
        try session.wait(for: "people")
        #expect(shell.leave(session).status == 0)
    }

    @Test("An earlier statement is edited in the editor of the user, and run")
    func editedStatement() throws {
        var shell = shell
        shell.environment["EDITOR"] = "sed -i 's/40/50/; s/ on/ off/'"
        let session = try shell.start(isQuiet: false)
        session.type("Person age > 40 | project(name)\r")
        try session.wait(for: "Bo")
        session.type(".edit\r")
        try session.wait(for: "Person age > 50 | project(name)")
        try session.wait(for: "Al")
        session.type(".edit 1\r")
        try session.wait(for: "Person age > 50 | project(name)")
        // The last statement, whatever it starts with.
        session.type(".explain on\r")
        session.type(".edit\r")
        try session.wait(for: ".explain off")
        session.type(".edit 99\r")
        try session.wait(for: "there is no statement 99")
        session.type(".edit 2\r")
        try session.wait(for: "the statement is unchanged")
        #expect(shell.leave(session).status == 0)
    }

    @Test("A statement deleted from the history is gone from the up key and from the file")
    func forgotten() throws {
        let session = try shell.start(isQuiet: false)
        session.type("Person id == 7 | project(name)\r")
        try session.wait(for: "Bo")
        session.type("Person id == 9 | project(age)\r")
        try session.wait(for: "33")
        session.type(" .history delete 2\r")
        try session.wait(for: "1 statement deleted")
        try session.wait(for: "people")
        session.type(Key.up)
        try session.wait(for: "id == 7")
        session.type(Key.enter)
        try session.wait(for: "Bo")
        #expect(shell.leave(session).status == 0)
        let kept = try CommandRunner("/bin/cat").run([shell.historyPath]).outputText
        #expect(kept.contains("id == 7"))
        #expect(!kept.contains("id == 9"))
    }

    @Test("The line is edited in the editor of the user, and shown before it runs")
    func editor() throws {
        var shell = shell
        shell.environment["EDITOR"] = "sed -i s/WRONG/age/"
        let session = try shell.start()
        session.type("Person WRONG > 50 | project(name)")
        try session.wait(for: "(name)")
        session.type(Key.edit)
        try session.wait(for: "Person age > 50 | project(name)")
        session.type(Key.enter)
        try session.wait(for: "Al")
        #expect(shell.leave(session).status == 0)
        #expect(TemporaryFolder.names(in: "/tmp").allSatisfy { !$0.hasSuffix(".firnq") })
    }
}
