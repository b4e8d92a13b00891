import FirnPlatform
import FirnTesting
import Testing

/// `firn observe` for a user at a terminal: a table that is redrawn in place.
@Suite("firn observe on a terminal")
struct ObserveTableTests {
    private let folder = TemporaryFolder()
    private let runner: CommandRunner
    private let file: String

    init() throws {
        runner = CommandRunner(try builtExecutable(named: "firn"))
        file = try runner.makePeople("id,name,age\n7,Bo,41\n9,Cy,33\n11,Al,52\n", in: folder)
    }

    private func write(_ statement: String) throws {
        let run = try runner.run(["write", file, "-q", "-x", statement], input: "")
        try #require(run.status == 0, "\(run)")
    }

    private func session(
        _ words: [String], _ variables: [String: String] = [:], columns: UInt16 = 80,
        rows: UInt16 = 24
    ) throws -> TerminalSession {
        try TerminalSession(
            runner.executable, ["observe", file] + words,
            environment: CommandRunner.plainEnvironment.merging(variables) { $1 },
            columns: columns, rows: rows)
    }

    /// A query that cannot be observed was refused only after a table had been drawn: of all
    /// objects of all classes, including those that the query excludes.
    @Test(
        "A refused query draws nothing",
        arguments: [
            ["Person age > 50 | bar(age)"], ["Person age > 50 | explain"],
            ["Person age > 50 | count", "--until", "@sum.age > 1"], ["Nobody age > 50"],
            ["Person nothing == 1"],
        ])
    func refused(words: [String]) throws {
        let session = try session(words)
        let run = session.finish()
        #expect(run.status != 0)
        #expect(session.transcript.contains("error: "), "\(session.transcript)")
        for drawn in ["Bo", "Cy", "Al", "objects ·", "\u{1B}[K"] {
            #expect(!session.transcript.contains(drawn), "\(drawn): \(session.transcript)")
        }
    }

    @Test("The groups of a query are shown as a table, with marks on groups that a commit changed")
    func groups() throws {
        try write("Person id == 9 | set name = \"Bo\"")
        let session = try session(["Person | group(name; @count AS n, @sum.age AS s)"])
        try session.wait(for: "· 2 rows · v2")
        try session.wait(for: "   name │ n │  s\u{1B}[K\r\n  ──────┼───┼────\u{1B}[K\r\n")
        try session.wait(
            for: "  Bo   │ 2 │ 74\u{1B}[K\r\n   Al   │ 1 │ 52\u{1B}[K\r\n\u{1B}[J")
        try write("Person id == 9 | set name = \"Cy\"")
        try session.wait(for: "· 3 rows · v3")
        try session.wait(for: "~  Bo   │ 1 │ 41")
        try session.wait(for: "+  Cy   │ 1 │ 33")
        try write("Person id == 11 | delete")
        try session.wait(for: "-  Al   │ 1 │ 52")
        session.type("q")
        #expect(session.finish().status == 0)
    }

    @Test("The result is a table that shows the commits of others, and q ends it")
    func live() throws {
        let session = try session(["Person age > 40 SORT(age)"])
        try session.wait(for: "Person age > 40 SORT(age) · 2 objects · v1\u{1B}[K\r\n")
        try session.wait(for: "   id │ name │ age\u{1B}[K\r\n  ────┼──────┼─────\u{1B}[K\r\n")
        try session.wait(
            for: "    7 │ Bo   │  41\u{1B}[K\r\n   11 │ Al   │  52\u{1B}[K\r\n\u{1B}[J")
        try write("Person id == 9 | set age = 60")
        // Five lines up, and the same again.
        try session.wait(for: "\r\u{1B}[5A")
        try session.wait(for: "· 3 objects · v2")
        try session.wait(for: "+ ")
        try session.wait(for: "9 │ Cy   │  60")
        try write("Person id == 7 | set name = \"Bob\"")
        try session.wait(for: "~ ")
        try session.wait(for: "7 │ Bob  │  41")
        try write("Person id == 11 | delete")
        try session.wait(for: "· 2 objects · v4")
        try session.wait(for: "- ")
        try session.wait(for: "11 │ Al   │  52")
        // The marks fade: the deleted row disappears, and the others have no marks.
        try session.wait(
            for: "\u{1B}[K\r\n    7 │ Bob  │  41\u{1B}[K\r\n    9 │ Cy   │  60", seconds: 30)
        session.type("q")
        let run = session.finish()
        #expect(run.status == 0, "\(run)")
        // The key itself is not echoed, and the last frame stays.
        #expect(session.transcript.hasSuffix("\u{1B}[J"), "\(session.transcript)")
    }

    @Test("Ctrl-C ends observe, and leaves the last frame and the terminal unchanged")
    func interrupted() throws {
        let shell = try TerminalSession(
            "/bin/sh",
            [
                "-c",
                "before=$(stty -g); trap : INT; \"$0\" observe \"$1\" Person; "
                    + "echo \"status $?\"; [ \"$before\" = \"$(stty -g)\" ] && echo same",
                runner.executable,
                file,
            ])
        try shell.wait(for: "Al")
        shell.type("\u{3}")
        try shell.wait(for: "status 130")
        try shell.wait(for: "same")
        #expect(shell.finish().status == 0)
        // No request is sent to the terminal, no alternate screen is used, and the cursor is never
        // hidden.
        for asked in ["\u{1B}[6n", "\u{1B}[c", "\u{1B}]", "\u{1B}[?", "\u{1B}P"] {
            #expect(!shell.transcript.contains(asked))
        }
    }

    @Test("The table fits the window, and is redrawn when the window is resized")
    func resize() throws {
        let grown = try runner.run(
            ["write", file, "-q", "-c", "Person", "-"],
            input: (100..<150).map { "{\"id\":\($0),\"name\":\"n\($0)\",\"age\":1}\n" }.joined())
        try #require(grown.status == 0)
        let session = try session(["Person"], rows: 10)
        // Title, names, rule, five rows, what is left, and the line of the cursor.
        try session.wait(for: "… 48 more; arrow keys scroll\u{1B}[K\r\n\u{1B}[J")
        session.resize(columns: 12, rows: 8)
        try session.wait(for: "\u{1B}[H\u{1B}[2J")
        try session.wait(for: "Person · 53…")
        try session.wait(for: "… 50 more…\u{1B}[K\r\n\u{1B}[J")
        session.type("q")
        #expect(session.finish().status == 0)
    }

    @Test("Keys scroll through rows that do not fit")
    func scrolled() throws {
        let grown = try runner.run(
            ["write", file, "-q", "-c", "Person", "-"],
            input: (100..<150).map { "{\"id\":\($0),\"name\":\"n\($0)\",\"age\":1}\n" }.joined())
        try #require(grown.status == 0)
        let session = try session(["Person SORT(id)"], rows: 10)
        try session.wait(for: "… 48 more")
        for (key, first, last) in [
            ("\u{1B}[B", 2, 6), ("\u{1B}[6~", 7, 11), ("\u{1B}[5~", 2, 6), ("\u{1B}[F", 49, 53),
            ("\u{1B}[B\u{1B}[A", 48, 52),
        ] {
            session.type(key)
            try session.wait(for: "rows \(first) to \(last) of 53")
        }
        // A row that is not in the window is not shown when it changes.
        try write("Person id == 148 | set name = \"moved\"")
        try session.wait(for: "~ ")
        try session.wait(for: "148 │ moved")
        session.type("\u{1B}[H")
        try session.wait(for: "… 48 more")
        session.type("q")
        #expect(session.finish().status == 0)
    }

    /// A person saw one line of JSON, with the schema.
    @Test("Without a query, each change is a human-readable line, and q ends observe")
    func log() throws {
        let session = try session([])
        try session.wait(for: "people.firn: 3 objects, version 1; q ends\r\n")
        try write("Person id == 7 | set age = 42, name = \"B\"")
        try session.wait(for: "v2 ~ Person 7 name \"Bo\" → \"B\", age 41 → 42\r\n")
        try write("Person id == 9 | delete")
        try session.wait(for: "v3 - Person 9\r\n")
        let made = try runner.run(
            ["write", file, "-q", "-c", "Person", "-"],
            input: "{\"id\":1,\"name\":\"Di\",\"age\":2}\n")
        try #require(made.status == 0)
        try session.wait(for: "v4 + Person 1 {\"id\":1,\"name\":\"Di\",\"age\":2}\r\n")
        session.type("q")
        let run = session.finish()
        #expect(run.status == 0, "\(run)")
        #expect(!run.outputText.contains("schema"), "\(run)")
        for words in [["-f", "ndjson"], ["--shape", "rows"], ["--initial", "none"]] {
            let lines = try self.session(["--idle", "1ms"] + words)
            #expect(lines.finish().outputText.hasPrefix("{\"v\":1,"), "\(words)")
        }
    }

    @Test("NO_COLOR disables colours, and a dumb terminal, -f ndjson or a shape prints lines")
    func plain() throws {
        let coloured = try session(["Person", "--count", "1"])
        try coloured.wait(for: "v1")
        try write("Person id == 7 | set age = 42")
        _ = coloured.finish()
        #expect(coloured.transcript.contains("\u{1B}[33m~ "))
        let plain = try session(["Person", "--count", "1"], ["NO_COLOR": "1"])
        try plain.wait(for: "v2")
        try write("Person id == 7 | set age = 43")
        #expect(plain.finish().status == 0)
        #expect(plain.transcript.contains("~ "))
        #expect(!plain.transcript.contains("\u{1B}[33m"))
        for (words, variables) in [
            ([], ["TERM": "dumb"]), (["-f", "ndjson"], [:]), (["--shape", "index"], [:]),
            ([], ["FIRN_FORMAT": "ndjson"]), (["--initial", "none"], [:]),
        ] as [([String], [String: String])] {
            let lines = try session(["Person", "--idle", "1ms"] + words, variables)
            #expect(lines.finish().status == 124)
            #expect(lines.transcript.hasPrefix("{\"v\":1,\"type\":\"initial\""))
            #expect(!lines.transcript.contains("\u{1B}"))
        }
    }

    @Test("The table ends with the stream, and shows the reason unless it is obvious")
    func endings() throws {
        let idle = try session(["Person", "--idle", "50ms"])
        #expect(idle.finish().status == 124)
        #expect(idle.transcript.hasSuffix("the time limit was reached\r\n"))
        let until = try session(["Person", "--until", "count == 3"])
        #expect(until.finish().status == 0)
        let gone = try session(["Person"])
        try gone.wait(for: "v1")
        try SystemFileSystem().remove(file)
        #expect(gone.finish().status == 66)
        #expect(gone.transcript.contains("the database was removed"))
    }
}
