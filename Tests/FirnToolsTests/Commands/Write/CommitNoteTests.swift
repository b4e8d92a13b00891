import FirnTesting
import FirnTools
import Testing

/// The author and the note of a commit, from the command line to the commands that show them.
@Suite("Notes on commits")
struct CommitNoteTests {
    private var harness = CommandHarness()

    /// Runs a command, which must succeed.
    @discardableResult
    private func run(_ words: [String], input: String = "", by author: String = "") -> String {
        var harness = harness
        if !author.isEmpty { harness.variables["FIRN_AUTHOR"] = author }
        let run = harness.run(words, input: input)
        #expect(run.status == 0, "\(words): \(run.errors)")
        return run.output
    }

    private func log(_ file: String) -> [String] {
        run(["log", file, "-f", "text"]).split(separator: "\n").map { line in
            line.split(separator: "  ").dropFirst(2).joined(separator: "  ")
        }
    }

    @Test("log shows who committed, and why")
    func logged() throws {
        let file = try harness.makePeople()
        run(["write", file, "-x", "Person | set age = 50", "-m", "a \"round\" age"], by: "Ann")
        run(["write", file, "-x", "Person | set age = 51", "--note", "two\nlines \u{1B}[31m"])
        run(["alter", file, "add Person.x Int?", "-m", "for x"], by: "Bo")
        run(["freeze", file, "monday", "--expires", "1d"], by: "Bo")
        run(["write", file, "-x", "Person | set age = 52"])
        #expect(
            log(file).dropLast() == [
                "Person +0 ~3 -0", "no objects changed  by Bo",
                "schema changed: add Person.x Int?  by Bo  \"for x\"  (monday)",
                "Person +0 ~3 -0  \"two\\nlines \\x1b[31m\"",
                "Person +0 ~3 -0  by Ann  \"a \"round\" age\"",
            ])
        let json = run(["log", file, "-f", "ndjson"]).split(separator: "\n")
        #expect(json[4].contains(#""author":"Ann","note":"a \"round\" age","#))
        #expect(json[3].contains(#""note":"two\nlines \u001b[31m","#))
        #expect(!json[3].contains("author") && !json[0].contains("note"))
    }

    @Test("A note is added to each commit of a batch, except a commit that creates the database")
    func batches() throws {
        let file = harness.folder("new.firn")
        let lines = (1...5).map { "{\"id\":\($0)}\n" }.joined()
        let words = ["write", file, "-", "--create", "-c", "P", "--key", "id", "--batch", "2"]
        let made = harness.run(words + ["-m", "load"], input: lines)
        #expect(made.status == 0)
        #expect(made.errors.contains("the commit that creates a database keeps no note\n"))
        #expect(log(file).map { $0.hasSuffix("\"load\"") } == [true, true, false])
        let silent = harness.folder("silent.firn")
        run(["write", silent, "-", "--create", "-c", "P", "-q", "-m", "x"], input: lines)
    }

    @Test(
        "observe shows the author and the note in every output shape",
        arguments: ["events", "rows", "index"])
    func observed(shape: String) throws {
        let file = try harness.makePeople()
        run(["write", file, "-x", "Person | set age = 50", "-m", "why"], by: "Ann")
        run(["write", file, "-x", "Person | set age = 51"])
        let lines = run([
            "observe", file, "Person", "--since", "1", "--catch-up", "--every-commit", "--shape",
            shape,
        ]).split(separator: "\n")
        let changes = lines.filter { $0.contains("\"time\"") }
        let noted = changes.filter { $0.contains(#","author":"Ann","note":"why","#) }
        #expect(noted.count == (shape == "rows" ? 3 : 1))
        #expect(changes.count == 2 * noted.count)
    }

    @Test("An update with several commits has the note of the newest commit")
    func merged() throws {
        let file = try harness.makePeople()
        run(["write", file, "-x", "Person | set age = 50", "-m", "old"])
        run(["write", file, "-x", "Person | set age = 51", "-m", "new"])
        let merged = run(["observe", file, "Person", "--since", "1", "--catch-up"])
        #expect(merged.contains(#""note":"new""#) && !merged.contains(#""note":"old""#))
    }

    @Test("An author or a note that is too long is an error, and nothing is written")
    func tooLong() throws {
        let file = try harness.makePeople()
        let statement = ["write", file, "-x", "Person | delete"]
        let note = harness.run(statement + ["-m", String(repeating: "n", count: 4097)])
        #expect(note.status == 64 && note.errors.contains("a note has at most 4096 bytes"))
        var other = harness
        other.variables["FIRN_AUTHOR"] = String(repeating: "a", count: 257)
        let author = other.run(statement)
        #expect(author.status == 64)
        #expect(author.errors == "error: FIRN_AUTHOR has 257 bytes\n  give at most 256 bytes\n")
        #expect(run(["log", file]).split(separator: "\n").count == 1)
    }
}
