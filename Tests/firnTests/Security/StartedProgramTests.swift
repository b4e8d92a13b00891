import FirnPlatform
import FirnTesting
import Testing

/// The files and descriptors that the shell passes to programs that it starts for the user.
@Suite("Programs that the shell starts", .serialized)
struct StartedProgramTests {
    private var shell: ShellHarness

    init() throws {
        shell = try ShellHarness()
        shell.environment["TMPDIR"] = shell.folder.path
    }

    @Test(
        "The editor changes a statement in a private file, which is deleted afterwards",
        .tags(.security)
    )
    func editorFile() throws {
        var shell = shell
        shell.environment["EDITOR"] = "stat -c 'mode %a of %n'"
        let session = try shell.start()
        session.type(".edit\r")
        try session.wait(for: "mode 600 of \(shell.folder.path)/firn-")
        #expect(shell.leave(session).status == 0)
        #expect(shell.folder.names.allSatisfy { !$0.hasSuffix(".firnq") })
    }

    @Test("A link that the editor puts in place of that file is not followed", .tags(.security))
    func editorLink() throws {
        var shell = shell
        let secret = shell.folder("secret")
        try DatabaseImage.put(Array("Person id == 9\n".utf8), at: secret)
        shell.environment["EDITOR"] = "ln -sf \(secret)"
        let session = try shell.start()
        session.type(".edit\r")
        try session.wait(for: "error: cannot read the edited file")
        let run = shell.leave(session)
        #expect(run.status == 0)
        #expect(!run.outputText.contains("Cy"), "\(run)")
        #expect(try DatabaseImage.bytes(of: secret) == Array("Person id == 9\n".utf8))
        #expect(shell.folder.names.allSatisfy { !$0.hasSuffix(".firnq") })
    }

    @Test("Started programs inherit neither the database nor its log", .tags(.security))
    func inherited() throws {
        let run = try shell.runner.run(
            [shell.file, "-q"],
            input: (1...3).map { "Person id == 7 | set age = \($0)\n" }.joined()
                + ".shell ls; ls -l /proc/self/fd\n", in: shell.folder.path)
        #expect(run.status == 0, "\(run)")
        let lines = run.outputText.split(separator: "\n")
        #expect(lines.contains("people.firn-log0"), "there is a log meanwhile: \(run)")
        let inherited = lines.filter { $0.contains("-> ") && $0.contains("people.firn") }
        #expect(inherited.isEmpty, "\(run)")
    }
}
