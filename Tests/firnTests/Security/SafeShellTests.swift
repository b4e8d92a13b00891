import FirnPlatform
import FirnTesting
import Glibc
import Testing

/// The real binary with statements and data from an untrusted source, on a terminal and in a pipe.
@Suite("The firn program with --safe", .serialized)
struct SafeShellTests {
    private let shell: ShellHarness

    init() throws { shell = try ShellHarness() }

    private func start(_ shell: ShellHarness) throws -> TerminalSession {
        try shell.start(["--safe"], prompt: "people (read-only)> ")
    }

    // MARK: On a terminal

    @Test("A safe shell shows no earlier statement, and stores none", .tags(.security))
    func history() throws {
        let first = try start(shell)
        first.type("Person id == 9 | project(name)\r")
        try first.wait(for: "Cy")
        #expect(shell.leave(first).status == 0)
        #expect(shell.folder.names == ["people.firn"], "no folder was made for a history")
        let trusting = try shell.start()
        trusting.type("Person age > 50 | count\r")
        try trusting.wait(for: "people> ")
        #expect(shell.leave(trusting).status == 0)
        let kept = try DatabaseImage.bytes(of: shell.historyPath)
        let second = try start(shell)
        // An earlier statement would appear before this one.
        second.type(Key.up + "Person id == 7 | project(name)\r")
        try second.wait(for: "Bo")
        #expect(shell.leave(second).status == 0)
        #expect(try DatabaseImage.bytes(of: shell.historyPath) == kept)
    }

    /// It was started, as without --safe.
    @Test("A safe shell does not start the pager of the user", .tags(.security))
    func pager() throws {
        var shell = shell
        shell.environment["FIRN_PAGER"] = "sed 's/^/paged: /'"
        let trusting = try shell.start()
        trusting.type(".help\r")
        try trusting.wait(for: "paged: ")
        #expect(shell.leave(trusting).status == 0)
        let session = try start(shell)
        session.type(".help\r")
        try session.wait(for: "see also")
        let run = shell.leave(session)
        #expect(run.status == 0)
        #expect(!run.outputText.contains("paged: "), "\(run)")
    }

    /// The key started it, the command did not.
    @Test(
        "A safe shell does not start the editor of the user, by any key or command",
        .tags(.security)
    )
    func editor() throws {
        var shell = shell
        shell.environment["EDITOR"] = "touch edited; true"
        let session = try start(shell)
        session.type("Person id == 9")
        try session.wait(for: "== 9")
        session.type(Key.edit)
        try session.wait(for: "--safe does not allow shell commands")
        session.type(" | project(name)\r")
        try session.wait(for: "Cy")
        session.type(".edit\r")
        try session.wait(for: "--safe does not allow shell commands")
        #expect(shell.leave(session).status == 0)
        #expect(shell.folder.names == ["people.firn"])
    }

    // MARK: In a pipe

    private func run(_ statements: String, on file: String? = nil) throws -> CommandResult {
        try shell.runner.run(
            [file ?? shell.file, "--safe", "-f", "csv"], input: statements + "\n",
            in: shell.folder.path)
    }

    @Test(
        "A safe shell runs no command, and touches no other file", .tags(.security),
        arguments: [
            ".shell touch reached", "Person | ! touch reached", ".once reached", ".output reached",
            ".output '|touch reached'", ".export reached", ".read people.firn",
            ".write -c Person people.firn", ".open people.firn", ".cd /", ".pager touch reached",
        ])
    func reaching(line: String) throws {
        let run = try run(line + "\nPerson")
        #expect(run.status == 77, "\(run)")
        #expect(run.errorText.hasPrefix("error: --safe does not allow "), "\(run)")
        #expect(run.outputText.isEmpty)
        #expect(shell.folder.names == ["people.firn"])
    }

    @Test("A safe shell opens no symbolic link", .tags(.security))
    func link() throws {
        let link = shell.folder("link.firn")
        try #require(symlink(shell.file, link) == 0)
        let refused = try run("Person | count", on: link)
        #expect(refused.status == 77, "\(refused)")
        #expect(refused.outputText.isEmpty)
        #expect(try run("Person | count").outputText == "count\n3\n")
    }

    @Test("A safe shell refuses a damaged file", .tags(.security))
    func damage() throws {
        var bytes = try DatabaseImage.bytes(of: shell.file)
        // Both copies of the superblock come before this.
        for place in stride(from: 8192, to: bytes.count, by: 64) { bytes[place] ^= 1 }
        let path = shell.folder("damaged.firn")
        try DatabaseImage.put(bytes, at: path)
        let run = try run(".help", on: path)
        #expect(run.status == 74, "\(run)")
        #expect(run.outputText.isEmpty)
        #expect(try DatabaseImage.bytes(of: path) == bytes)
    }

    /// It was written unchanged.
    @Test("A safe shell escapes characters that are harmful on a terminal", .tags(.security))
    func escaping() throws {
        let written = try shell.runner.run(
            ["write", shell.file, "-", "-c", "Person", "-q"],
            input: "{\"id\":1,\"name\":\(HostileText.json),\"age\":1,\"city\":\"Bonn\"}\n")
        try #require(written.status == 0, "\(written)")
        let run = try run("Person id == 1 | project(name)")
        #expect(run.status == 0, "\(run)")
        #expect(run.outputText.contains("abc"))
        #expect(HostileText.harmful(in: run.outputText).isEmpty, "\(run)")
    }
}
