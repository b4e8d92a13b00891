import FirnTesting
import Testing

@testable import FirnTools

/// `firn write --input observe`: one database becomes a copy of another.
@Suite("Writing the output of observe")
struct ObservedWritingTests {
    private let harness = CommandHarness()
    private let file: String
    private let copy: String

    init() throws {
        file = try harness.makePeople()
        copy = harness.folder("copy.firn")
    }

    private func write(_ statements: String...) {
        for statement in statements {
            let run = harness.run(["write", file, "-q", "-x", statement])
            precondition(run.status == 0, run.errors)
        }
    }

    private func stream(_ words: String...) -> String {
        harness.run(["observe", file] + words + ["--idle", "1ms", "--heartbeat", "off"]).output
    }

    private func apply(_ stream: String, _ words: String...) -> CommandHarness.Run {
        harness.run(["write", copy, "--input", "observe", "--create", "-"] + words, input: stream)
    }

    private func expectEqual(sourceLocation: SourceLocation = #_sourceLocation) {
        let (left, right) = (harness.run(["export", file]), harness.run(["export", copy]))
        #expect(left.status == 0 && right.status == 0, sourceLocation: sourceLocation)
        #expect(left.output == right.output, sourceLocation: sourceLocation)
    }

    @Test(
        "A stream from the start recreates the database and keeps it up to date",
        arguments: [["--shape", "rows"], ["--shape", "events"], ["--shape", "rows", "Person"]])
    func replicates(words: [String]) throws {
        func streamed(_ more: [String]) -> String {
            harness.run(["observe", file] + words + more + ["--idle", "1ms"]).output
        }
        let first = apply(streamed([]))
        #expect(first.status == 0, "\(first)")
        #expect(first.output.contains(#""inserted":3,"updated":0,"deleted":0"#), "\(first.output)")
        expectEqual()
        write(
            "Person id == 7 | set age = 42", "Person id == 9 | delete",
            "Person id == 11 | set name = \"\\u00e4\"")
        let later = streamed(["--since", "1", "--every-commit"])
        let second = apply(later)
        #expect(second.status == 0, "\(second)")
        // Each commit of the source is one here.
        #expect(second.output.split(separator: "\n").count == 3, "\(second.output)")
        expectEqual()
        // Applying it twice has the same result as once.
        let third = apply(later)
        #expect(third.status == 0, "\(third)")
        expectEqual()
        #expect(apply(streamed([])).status == 0)
        expectEqual()
    }

    /// The copy refused the first object with the new property, and the cursor of its source had
    /// advanced: it stayed out of date for good.
    @Test(
        "A copy continues when properties are added, renamed or removed in its source",
        arguments: ["rows", "events"])
    func changedSchema(shape: String) throws {
        #expect(apply(stream("--shape", shape)).status == 0)
        expectEqual()
        for change in [
            "add Person.note String?", "add Person.rank Int?", "rename Person.city town",
            "remove Person.age",
        ] {
            let altered = harness.run(["alter", file, change, "-q"])
            #expect(altered.status == 0, "\(altered)")
        }
        write("Person id == 7 | set note = \"new\"", "Person id == 9 | delete")
        let later = apply(stream("--shape", shape, "--since", "1"))
        #expect(later.status == 0, "\(later)")
        let fields = ["id", "name", "town", "note", "rank"].joined(separator: ",")
        let left = harness.run(["query", file, "Person", "-s", fields, "-f", "ndjson"])
        let right = harness.run(["query", copy, "Person", "-s", fields, "-f", "ndjson"])
        #expect(left.status == 0 && right.status == 0, "\(left) \(right)")
        #expect(left.output == right.output)
    }

    /// The cursor of `observe` advances when a line is in the pipe, which is lost with its reader.
    @Test(
        "If the writer keeps the position, lines lost in a pipe are sent again",
        arguments: ["rows", "events"])
    func writersCursor(shape: String) throws {
        let cursor = harness.folder("cursor")
        func streamed() -> String { stream("--shape", shape, "--since", "@" + cursor) }
        func applied(_ stream: String, _ words: String...) -> CommandHarness.Run {
            harness.run(
                ["write", copy, "--input", "observe", "--create", "-", "--cursor-file", cursor]
                    + words, input: stream)
        }
        #expect(applied(streamed()).status == 0)
        expectEqual()
        write("Person id == 7 | set age = 42")
        _ = streamed()
        write("Person id == 9 | delete", "Person id == 11 | set age = 1")
        // It ends in the middle of a commit.
        var lines = streamed().split(separator: "\n", omittingEmptySubsequences: false)
        if shape == "rows" {
            lines.removeLast(lines.count - (lines.firstIndex { $0.contains("\"op\"") } ?? 0) - 1)
            #expect(applied(lines.joined(separator: "\n") + "\n").status == 65)
        }
        #expect(applied(streamed(), "--batch", "500").status == 0)
        expectEqual()
        // Nothing is left, and the position is that of the newest version.
        #expect(stream("--since", "@" + cursor).contains("\"type\":\"resume\",\"version\":4"))
    }

    @Test("A position is kept only for a stream, and belongs to its source")
    func wrongCursors() throws {
        let cursor = harness.folder("cursor")
        for words in [
            ["a.csv"], ["a", "b", "--input", "observe"], ["a", "--input", "observe", "--dry-run"],
        ] {
            #expect(harness.run(["write", copy, "--cursor-file", cursor] + words).status == 64)
        }
        #expect(harness.run(["observe", file, "--since", "@"]).status == 64)
        try Fixtures.write("o1.1.00000000\n", to: cursor)
        let run = harness.run(["observe", file, "--since", "@" + cursor, "--idle", "1ms"])
        #expect(run.status == 65, "\(run)")
    }

    @Test("A projection makes objects with its columns, under their keys")
    func projection() throws {
        let first = apply(stream("Person age > 40", "-s", "city", "--shape", "rows"))
        #expect(first.status == 0, "\(first)")
        #expect(
            harness.run(["export", copy]).output
                == "{\"id\":7,\"city\":\"Oslo\"}\n{\"id\":11,\"city\":\"Oslo\"}\n")
        write("Person id == 7 | set age = 1", "Person id == 11 | set city = \"Bern\"")
        let later = stream("Person age > 40", "-s", "city", "--shape", "rows", "--since", "1")
        #expect(apply(later).status == 0)
        #expect(harness.run(["export", copy]).output == "{\"id\":11,\"city\":\"Bern\"}\n")
    }

    @Test("Repeated lines in one stream change nothing")
    func repeated() throws {
        let initial = stream("Person", "--shape", "rows")
        write("Person id == 7 | set age = 42", "Person id == 7 | set age = 43")
        let later = stream("Person", "--shape", "rows", "--since", "1", "--every-commit")
        let run = apply(initial + later + later)
        #expect(run.status == 0, "\(run)")
        #expect(run.output.split(separator: "\n").count == 3, "\(run.output)")
        expectEqual()
    }

    @Test("--batch combines several commits into one")
    func batch() throws {
        let initial = stream("Person", "--shape", "rows")
        write("Person id == 7 | set age = 42", "Person id == 7 | set age = 43")
        let later = stream("Person", "--shape", "rows", "--since", "1", "--every-commit")
        let run = apply(initial + later, "--batch", "4")
        #expect(run.status == 0, "\(run)")
        // A batch is full with the fourth object; the rest follows at the end.
        #expect(run.output.split(separator: "\n").count == 2, "\(run.output)")
        expectEqual()
    }

    @Test(
        "After a reset, objects that the stream no longer contains are deleted",
        arguments: [true, false])
    func reset(hasQuery: Bool) throws {
        let words = hasQuery ? ["Person"] : []
        func streamed(_ more: [String]) -> String {
            harness.run(
                ["observe", file] + words + more + ["--shape", "rows", "--idle", "1ms"]
            ).output
        }
        #expect(apply(streamed([])).status == 0)
        write("Person id == 7 | delete", "Person id == 9 | set age = 1")
        #expect(harness.run(["compact", file, "-q"]).status == 0)
        let later = streamed(["--since", "1"])
        #expect(later.hasPrefix(#"{"v":1,"type":"reset""#), "\(later)")
        let run = apply(later)
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains(#""deleted":1"#), "\(run.output)")
        expectEqual()
        write("Person | delete")
        #expect(harness.run(["compact", file, "-q"]).status == 0)
        #expect(apply(streamed(["--since", "1"])).status == 0)
        expectEqual()
    }

    @Test("An object that moves keeps its incoming links")
    func moved() throws {
        let schema = harness.folder("schema.json")
        try Fixtures.write(
            #"""
            {"v":1,"classes":[{"name":"Node","key":"id","properties":[{"name":"id","type":"Int"},
            {"name":"rank","type":"Int"},{"name":"next","type":"Node"},{"name":"all","type":"List<Node>"}]}]}
            """#, to: schema)
        let nodes = harness.folder("nodes.firn")
        #expect(harness.run(["create", nodes, "--schema", schema, "-q"]).status == 0)
        let made = harness.run(
            ["write", nodes, "-q", "-c", "Node", "-"],
            input: """
                {"id":1,"rank":1,"next":2,"all":[2,3,1]}
                {"id":2,"rank":2,"next":3,"all":[]}
                {"id":3,"rank":3,"next":1,"all":[1,1]}
                """)
        #expect(made.status == 0, "\(made)")
        let version =
            try StreamLine(
                harness.run(["stats", nodes, "-f", "json"]).output
                    .split(separator: "\n").first.map(String.init) ?? ""
            ).version ?? 0
        func streamed(_ more: [String]) -> String {
            harness.run(
                ["observe", nodes, "Node SORT(rank)", "--shape", "rows", "--idle", "1ms"] + more
            ).output
        }
        #expect(apply(streamed([])).status == 0)
        let changed = harness.run(["write", nodes, "-q", "-x", "Node id == 1 | set rank = 9"])
        #expect(changed.status == 0)
        let later = streamed(["--since", String(version)])
        #expect(later.contains(#""moved":true"#))
        #expect(apply(later).status == 0)
        #expect(harness.run(["export", nodes]).output == harness.run(["export", copy]).output)
    }

    @Test("--dry-run reports the effect of the whole stream once")
    func dryRun() throws {
        #expect(apply(stream("Person", "--shape", "rows")).status == 0)
        write("Person id == 7 | set age = 42", "Person id == 9 | delete")
        let before = harness.run(["export", copy]).output
        let later = stream("Person", "--shape", "rows", "--since", "1", "--every-commit")
        let run = apply(later, "--dry-run")
        #expect(run.status == 0, "\(run)")
        #expect(run.output.split(separator: "\n").count == 1, "\(run.output)")
        #expect(run.output.contains(#""updated":1,"deleted":1"#), "\(run.output)")
        #expect(harness.run(["export", copy]).output == before)
    }

    @Test("A stream that ends inside a commit leaves nothing of that commit")
    func cutOff() throws {
        let lines = stream("Person", "--shape", "rows").split(separator: "\n")
        let run = apply(lines.prefix(3).joined(separator: "\n") + "\n")
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("ends inside a commit"), "\(run.errors)")
        #expect(!harness.folder.names.contains("copy.firn"))
    }

    @Test(
        "An input that is not a stream with objects is refused with its line",
        arguments: [
            (#"{"type":"update"}"#, "needs \"version\":NUMBER"),
            (#"{"op":"explode","version":1}"#, "op must be insert, update or delete"),
            (#"{"id":7}"#, "needs \"type\" or \"op\""),
            (#"{"op":"insert","version":1,"object":{}}"#, "does not name the class"),
            (#"{"op":"insert","version":1,"class":"Nobody","object":{}}"#, "there is no class"),
            (#"{"type":"update","version":2,"deletions":[0],"insertions":[]}"#, "has no objects"),
            (
                #"{"type":"reset","version":2}"# + "\n" + #"{"type":"initial","version":2}"#,
                "without its objects"
            ),
            (
                #"{"type":"resume","version":2}"# + "\n"
                    + #"{"type":"update","version":5,"prev":4,"deletions":[]}"#,
                "skips the versions between 2 and 4"
            ),
        ])
    func wrong(stream: String, message: String) throws {
        #expect(apply(self.stream("Person", "--shape", "rows")).status == 0)
        let run = apply(stream)
        #expect(run.status == 65 || run.status == 66, "\(run)")
        #expect(run.errors.contains(message), "\(run.errors)")
        expectEqual()
    }
}
