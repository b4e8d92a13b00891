import FirnPlatform
import FirnTesting
import Testing

/// A write that had committed and could not print its report ended with 74, like one that had
/// failed: a script that retried wrote everything twice.
@Suite("Commands whose report cannot be printed")
struct CommittedReportTests {
    private let folder = TemporaryFolder()
    private let runner: CommandRunner
    private let file: String

    init() throws {
        runner = CommandRunner(try builtExecutable(named: "firn"))
        file = try runner.makePeople("id,name\n1,Ann\n2,Bo\n", in: folder)
        for words in [["freeze", file, "there", "-q"], ["write", file, "-x", Self.rename, "-q"]] {
            try #require(try runner.run(words, input: "").status == 0)
        }
    }

    private static let rename = "Person id == 1 | set name = \"Al\""

    /// Runs a command whose standard output accepts nothing.
    private func run(
        _ words: [String], to output: String, input: String = ""
    ) throws -> CommandResult {
        let words = words.map { $0 == "FILE" ? file : $0 == "NEW" ? folder("new.firn") : $0 }
        return try CommandRunner("/bin/sh").run(
            ["-c", "exec \"$0\" \"$@\" \(output)", runner.executable] + words, input: input)
    }

    @Test(
        "A committed change without a report has its own exit status",
        arguments: [
            (["write", "FILE", "-x", "Person id == 2 | delete"], "committed version 4 of "),
            (["write", "FILE", "-", "-c", "Person", "--returning"], "committed version 4 of "),
            (["write", "FILE", "-", "-c", "Person", "--batch", "1"], "committed version 4 of "),
            (["alter", "FILE", "add Person.age Int?"], "committed version 4 of "),
            (["freeze", "FILE", "now"], "froze "),
            (["freeze", "FILE", "--drop", "there"], "committed version 4 of "),
            (["freeze", "FILE", "--thaw", "there"], "committed version 4 of "),
            (["compact", "FILE"], "compacted "), (["compact", "FILE", "-o", "NEW"], "compacted "),
            (["create", "NEW", "--from", "-", "--class", "P"], "created "),
        ])
    func committed(words: [String], message: String) throws {
        let objects = "{\"id\":7,\"name\":\"Cy\"}\n{\"id\":8,\"name\":\"Di\"}\n"
        let input = words[0] == "create" ? "id\n7\n" : objects
        let before = try DatabaseImage.bytes(of: file)
        let run = try run(words, to: ">/dev/full", input: input)
        #expect(run.status == 76, "\(run)")
        #expect(run.errorText.contains("error: \(message)"), "\(run)")
        #expect(run.errorText.contains(", but cannot write standard output: "), "\(run)")
        #expect(run.errorText.contains("do not repeat the command"), "\(run)")
        let after = try DatabaseImage.bytes(of: file)
        let isDone = before != after || folder.names.contains("new.firn")
        // There may be nothing to reclaim.
        #expect(isDone || words[0] == "compact", "nothing was done")
        #expect(try runner.run(["check", file, "--deep", "-q"], input: "").status == 0)
    }

    @Test("A command without a commit ends as usual")
    func uncommitted() throws {
        for words in [
            ["write", "FILE", "-x", "Person | delete", "--dry-run"], ["query", "FILE", "Person"],
            ["alter", "FILE", "add Person.age Int?", "--dry-run"],
            ["compact", "FILE", "--min-size", "1G"], ["freeze", "FILE", "--list"],
        ] {
            let run = try run(words, to: ">&-")
            #expect(run.status == 74, "\(words) \(run)")
            #expect(run.errorText.contains("standard output: it is closed"), "\(run)")
        }
        let refused = try run(["write", "FILE", "-x", "Person | set id = 1"], to: ">&-")
        #expect(refused.status == 65, "\(refused)")
    }
}
