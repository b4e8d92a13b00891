import FirnPlatform
import FirnTesting
import Testing

/// The first contact: `firn data.csv` and `firn` alone, on a terminal.
@Suite("The shell on files that are not databases, on a terminal", .serialized)
struct InputShellTests {
    private let shell: ShellHarness

    init() throws { shell = try ShellHarness() }

    private func session(_ words: [String], in folder: String) throws -> TerminalSession {
        try TerminalSession(
            shell.runner.executable, words, environment: shell.environment, columns: 100,
            rows: 60, in: folder)
    }

    private func write(_ text: String, to path: String) throws {
        let file = try SystemFileSystem().open(path, .createNew)
        try Array(text.utf8).withUnsafeBytes { try file.write($0, at: 0) }
    }

    @Test("A CSV file is queried, changed and saved")
    func table() throws {
        let folder = TemporaryFolder()
        try write("id,delay\n1,NA\n2,17\n", to: folder("data.csv"))
        let session = try session(["data.csv"], in: folder.path)
        try session.wait(for: "delay (NA becomes null)")
        // The line wraps where the size of the database puts its end.
        try session.wait(for: "nothing on disk until")
        try session.wait(for: "FILE.firn")
        try session.wait(for: "data.csv Data> ")
        session.type("data delay > 3\r")
        try session.wait(for: "1 row")
        session.type("Data | set delay = 5\r")
        try session.wait(for: "2 objects updated")
        try session.wait(for: "data.csv Data> ")
        session.type(Key.end)
        try session.wait(for: "changes to data.csv are only in memory")
        session.type(".save kept.firn\r")
        try session.wait(for: "wrote kept.firn: 2 objects")
        try session.wait(for: "data.csv Data> ")
        session.type(Key.end)
        let run = session.finish()
        #expect(run.status == 0, "\(run)")
        #expect(Set(folder.names) == ["data.csv", "kept.firn"])
        let rows = try shell.runner.run(
            ["query", folder("kept.firn"), "Data delay == 5 | count", "-f", "csv"])
        #expect(rows.outputText == "count\n2\n")
    }

    @Test("firn without arguments lists the files of the folder and commands for them")
    func guide() throws {
        let folder = TemporaryFolder()
        try write("id\n1\n", to: folder("flights.csv"))
        try write("{}", to: folder("package.json"))
        let alone = try session([], in: folder.path).finish().outputText
        #expect(alone.contains("flights.csv  5 B"), "\(alone)")
        #expect(alone.contains("firn flights.csv "), "\(alone)")
        #expect(alone.contains("firn create flights.firn --from flights.csv "), "\(alone)")
        #expect(!alone.contains("package.json"), "\(alone)")
        let made = try shell.runner.run(
            ["create", folder("app.firn"), "--from", folder("flights.csv"), "-q"])
        #expect(made.status == 0)
        let both = try session([], in: folder.path).finish().outputText
        for command in ["firn app.firn ", "firn schema app.firn ", "firn flights.csv "] {
            #expect(both.contains("\r\n  " + command), "\(both)")
        }
        let other = TemporaryFolder()
        let empty = try session([], in: other.path).finish().outputText
        #expect(empty.contains("firn help COMMAND shows the options"), "\(empty)")
    }

    @Test("Standard input and a command pipe are read once, compressed or not")
    func streams() throws {
        let folder = TemporaryFolder()
        try write("id,name\n1,Bo\n2,Al\n", to: folder("data.csv"))
        let firn = shell.runner.executable
        for line in [
            "cat data.csv | \(firn) query - 'id > 1' -s name",
            "gzip -c data.csv | \(firn) query - 'Input id > 1' -s name",
            "\(firn) query <(gzip -c data.csv) -c Row 'Row id > 1' -s name",
            "echo 'data id > 1 | select(name)' | \(firn) data.csv",
        ] {
            let run = try CommandRunner("/bin/bash").run(["-c", "cd \(folder.path) && \(line)"])
            #expect(run.outputText == "{\"name\":\"Al\"}\n", "\(line): \(run)")
        }
        #expect(folder.names == ["data.csv"])
        // Opening it to see that it is not a database lets its writer begin, and lose its output.
        let fifo = try CommandRunner("/bin/bash").run([
            "-c", "cd \(folder.path) && mkfifo f && \(firn) query f count",
        ])
        #expect(fifo.status == 65, "\(fifo)")
    }
}
