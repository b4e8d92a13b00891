import FirnPlatform
import FirnTesting
import Testing

@Suite("Long work on a terminal")
struct LongWorkTerminalTests {
    private let folder = TemporaryFolder()
    private let executable: String
    private let file: String

    init() throws {
        executable = try builtExecutable(named: "firn")
        file = folder("rows.firn")
        try make("rows.firn", rowCount: 60_000)
    }

    private func make(_ name: String, rowCount: Int) throws {
        // Texts with so long a prefix take a sort some time.
        let prefix = String(repeating: "a long prefix ", count: 6)
        let rows = (0..<rowCount).map { "\($0),\(prefix)\($0 &* 7_919 % 60_013)\n" }
        let made = try CommandRunner(executable).run(
            ["create", folder(name), "--from", "-", "--class", "Row", "-q"],
            input: "n,text\n" + rows.joined())
        try #require(made.status == 0, "\(made)")
    }

    private func start(_ words: [String]) throws -> TerminalSession {
        try TerminalSession(
            executable, words + ["--progress", "always"], columns: 120, in: folder.path)
    }

    @Test("Ctrl-C in alter removes the progress line and says that nothing has changed")
    func alter() throws {
        let before = try DatabaseContent(at: file)
        // Far more work than there is time until Ctrl-C.
        let changes = (0..<100).flatMap { _ in ["retype Row.n String", "retype Row.n Int?"] }
        let session = try start(["alter", "rows.firn"] + changes)
        try session.wait(for: "converting Row.n  ")
        try session.wait(for: " of 60,000 objects")
        session.type("\u{3}")
        try session.wait(for: "\r\u{1b}[K")
        try session.wait(for: "interrupted: rows.firn is unchanged\r\n")
        #expect(session.finish().signal == Signals.interrupt)
        #expect(try DatabaseContent(at: file) == before)
        #expect(folder.names == ["rows.firn"])
    }

    @Test("Ctrl-C in a salvage says that there is no copy")
    func salvage() throws {
        // An optimized build salvages 60,000 rows before the progress is drawn for the first time.
        try make("many.firn", rowCount: 300_000)
        let session = try start(["check", "many.firn", "--salvage", "saved.firn"])
        try session.wait(for: "saving saved.firn  ")
        session.type("\u{3}")
        try session.wait(
            for: "interrupted: saved.firn was not created, and many.firn was only read\r\n")
        #expect(session.finish().signal == Signals.interrupt)
        #expect(folder.names == ["many.firn", "rows.firn"])
    }

    @Test("A group shows its progress, which is removed before the table appears")
    func group() throws {
        let session = try start(
            ["query", "rows.firn", "Row | group(text; @count AS c) | count", "--no-pager"])
        try session.wait(for: "\r\u{1b}[Kreading  ")
        let end = session.finish()
        #expect(end.status == 0)
        #expect(
            end.outputText.contains("\r\u{1b}[K count\r\n───────\r\n 60000\r\n"),
            "\(end.outputText)")
    }

    @Test("A sort shows whether it is reading or sorting")
    func sort() throws {
        // An optimized build sorts 60,000 rows before the progress is drawn again.
        try make("many.firn", rowCount: 300_000)
        let session = try start(["query", "many.firn", "Row | sort(text)", "-o", "sorted.csv"])
        try session.wait(for: "\r\u{1b}[Kreading  ")
        try session.wait(for: "\r\u{1b}[Ksorting  ")
        #expect(session.finish().status == 0)
    }
}
