import FirnTesting
import Testing

@testable import FirnTools

/// The numbered rules of the delivery contract of `observe`, as far as one process can show them.
@Suite("The contract of observe")
struct ObserveContractTests {
    private let harness = CommandHarness()
    private let file: String

    init() throws { file = try harness.makePeople() }

    private func write(_ statements: String...) {
        for statement in statements {
            let run = harness.run(["write", file, "-q", "-x", statement])
            precondition(run.status == 0, run.errors)
        }
    }

    private func observe(_ words: String...) throws -> (
        lines: [StreamLine], run: CommandHarness.Run
    ) { try observe(words) }

    private func observe(_ words: [String]) throws -> (
        lines: [StreamLine], run: CommandHarness.Run
    ) {
        let run = harness.run(
            ["observe", file] + words + ["--timeout", "10s", "--heartbeat", "off"])
        return (try StreamLine.all(run.output), run)
    }

    @Test("1. The first line is initial with the objects, and the last line is end")
    func initialFirst() throws {
        let (lines, run) = try observe("Person age > 40 SORT(name ASC)", "--until", "count == 2")
        #expect(run.status == 0, "\(run)")
        #expect(lines.map(\.type) == ["initial", "end"])
        let first = try #require(lines.first)
        #expect(first["v"] == "1")
        #expect(first["version"] == "1")
        #expect(first["class"] == #""Person""#)
        #expect(first["query"] == #""age > 40 | SORT(name ASC)""#)
        #expect(first["key"] == #""id""#)
        #expect(first["count"] == "2")
        #expect(
            first["objects"]
                == #"[{"id":11,"name":"Al","age":52,"city":"Oslo"},{"id":7,"name":"Bo","age":41,"city":"Oslo"}]"#
        )
        #expect(first["more"] == "false")
        #expect(lines.last?["reason"] == #""until""#)
        #expect(lines.last?["events"] == "0")
        #expect(lines.last?["token"] == first["token"])
    }

    @Test("1. With --since, the first line is resume, followed by updates in commit order")
    func resumeFirst() throws {
        write(
            "Person id == 7 | set age = 42", "Person id == 9 | delete", "Person | set city = \"X\"")
        let (lines, run) = try observe("Person", "--since", "1", "--every-commit", "--count", "3")
        #expect(run.status == 0, "\(run)")
        #expect(lines.map(\.type) == ["resume", "update", "update", "update", "end"])
        #expect(lines.compactMap(\.version) == [1, 2, 3, 4, 4])
        #expect(lines.first?["count"] == "3")
        #expect(lines.last?["reason"] == #""count""#)
        #expect(lines.last?["events"] == "3")
    }

    @Test("2. prev is the version of the previous line, so gaps are visible")
    func previous() throws {
        write(
            "Person id == 7 | set age = 42", "Person id == 9 | set age = 34",
            "Person id == 7 | set age = 43")
        // The second commit does not affect the query.
        let (lines, _) = try observe(
            "Person id == 7", "--since", "1", "--every-commit", "--count", "2")
        #expect(lines.map(\.type) == ["resume", "update", "update", "end"])
        for (line, next) in zip(lines, lines.dropFirst()) where next.type == "update" {
            #expect(next["prev"].flatMap { UInt64($0) } == line.version, "\(next)")
        }
        #expect(lines.compactMap { $0["commits"] } == ["1", "2"])
    }

    @Test("3. Each line is one JSON object, and nothing else goes to standard output")
    func onlyLines() throws {
        write("Person id == 7 | set name = \"a\\nb\\u2028\"")
        for shape in StreamShape.allCases {
            let (lines, run) = try observe(
                "Person", "--since", "1", "--count", "1", "--shape", shape.rawValue)
            #expect(run.status == 0, "\(run)")
            #expect(run.errors.isEmpty)
            #expect(run.output.hasSuffix("\n"))
            #expect(lines.count == 3, "\(run.output)")
        }
    }

    @Test("4. The cursor file has the position of the last line, and the next run continues there")
    func cursor() throws {
        let cursor = harness.folder("cursor")
        let words = ["Person", "--cursor-file", cursor]
        let (first, _) = try observe(words[0], words[1], words[2], "--until", "count == 3")
        #expect(first.map(\.type) == ["initial", "end"])
        let stored = String(decoding: try Fixtures.read(cursor), as: UTF8.self)
        #expect(stored == (first[0].text("token") ?? "") + "\n")
        write("Person id == 7 | set age = 42")
        let (second, _) = try observe(words[0], words[1], words[2], "--count", "1")
        #expect(second.map(\.type) == ["resume", "update", "end"])
        #expect(second[1]["prev"] == "1")
        let (third, run) = try observe(words[0], words[1], words[2], "--idle", "1ms")
        #expect(third.map(\.type) == ["resume", "end"])
        #expect(run.status == 124)
        #expect(harness.folder.names.sorted() == ["cursor", "people.csv", "people.firn"])
    }

    @Test("4. An empty cursor file, as made by mktemp, has no position")
    func emptyCursor() throws {
        let cursor = harness.folder("cursor")
        try Fixtures.write("", to: cursor)
        for type in ["initial", "resume"] {
            let (lines, _) = try observe("Person", "--cursor-file", cursor, "--idle", "1ms")
            #expect(lines.first?.type == type)
        }
    }

    @Test("4. An unwritable cursor is reported before anything is delivered")
    func unwritableCursor() throws {
        let run = harness.run(
            ["observe", file, "Person", "--cursor-file", harness.folder("none/cursor")])
        #expect(run.status == 73, "\(run)")
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("no such folder"), "\(run.errors)")
    }

    @Test("5. Commits that arrive together become one update that counts them")
    func merged() throws {
        write(
            "Person id == 7 | set age = 42", "Person id == 7 | set age = 43",
            "Person id == 9 | delete")
        let (lines, _) = try observe("Person SORT(id)", "--since", "1", "--count", "1")
        #expect(lines.map(\.type) == ["resume", "update", "end"])
        let update = lines[1]
        #expect(update["commits"] == "3")
        #expect(update["prev"] == "1")
        #expect(update["version"] == "4")
        #expect(update["count"] == "2")
        #expect(
            update["deletions"]
                == #"[{"index":1,"id":9,"before":{"id":9,"name":"Cy","age":33,"city":"Rome"},"reason":"deleted"}]"#
        )
        #expect(
            update["modifications"]
                == #"[{"from":0,"to":0,"id":7,"changed":["age"],"object":{"id":7,"name":"Bo","age":43,"city":"Oslo"},"before":{"age":41}}]"#
        )
    }

    @Test("5. With --every-commit, each line has its lag, and a lag above --max-lag is a reset")
    func everyCommit() throws {
        write(
            "Person id == 7 | set age = 42", "Person id == 7 | set age = 43",
            "Person id == 7 | set age = 44")
        let (lines, _) = try observe("Person", "--since", "1", "--every-commit", "--count", "3")
        #expect(lines.compactMap { $0["lag"] } == ["2", "1", "0"])
        let (late, run) = try observe(
            "Person", "--since", "1", "--every-commit", "--max-lag", "2", "--until",
            "@max.age == 52 AND count == 3 AND @min.age == 33", "--initial", "count")
        #expect(run.status == 0)
        // The condition holds at once, so there is no backlog.
        #expect(late.map(\.type) == ["resume", "end"])
        let (reset, _) = try observe(
            "Person", "--since", "1", "--every-commit", "--max-lag", "2", "--until",
            "@sum.age == 129")
        #expect(reset.map(\.type) == ["resume", "reset", "initial", "end"])
        #expect(reset[1]["reason"] == #""lag""#)
        #expect(reset[2]["version"] == "4")
    }

    @Test("6. A version that is gone is a reset with all objects, or status 69")
    func gone() throws {
        write("Person id == 7 | set age = 42")
        #expect(harness.run(["compact", file, "-q"]).status == 0)
        let (lines, run) = try observe("Person", "--since", "1", "--until", "count == 3")
        #expect(run.status == 0, "\(run)")
        #expect(lines.map(\.type) == ["reset", "initial", "end"])
        #expect(lines[0]["reason"] == #""history-gone""#)
        #expect(lines[0]["requested"] == "1")
        #expect(lines[0]["oldest"] == lines[0]["version"])
        let (failed, failure) = try observe("Person", "--since", "1", "--on-gap", "fail")
        #expect(failure.status == 69)
        #expect(failed.map(\.type) == ["end"])
        #expect(failed[0]["reason"] == #""error""#)
        #expect(failure.errors.contains("version 1 is no longer kept"), "\(failure.errors)")
    }

    @Test("6. The newest version can be resumed, and a later one is a gap")
    func horizon() throws {
        write("Person id == 7 | set age = 42")
        let (newest, _) = try observe("Person", "--since", "2", "--idle", "1ms")
        #expect(newest.map(\.type) == ["resume", "end"])
        let (later, _) = try observe("Person", "--since", "3", "--idle", "1ms")
        #expect(later.map(\.type) == ["reset", "initial", "end"])
        let (now, _) = try observe("Person", "--since", "now", "--idle", "1ms")
        #expect(now.map(\.type) == ["resume", "end"])
        #expect(now.first?.version == 2)
    }

    @Test(
        "6. A token of another database, or an invalid one, is refused",
        arguments: ["o1.1.00000000", "o1.x.12345678", "o1.1", "nonsense", "o2.1.00000000", ""])
    func wrongToken(token: String) throws {
        let run = harness.run(["observe", file, "Person", "--since", token])
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("is not a token of"), "\(run.errors)")
        #expect(!run.output.contains("initial"))
    }

    @Test("A change to the schema is a reset")
    func schemaChange() throws {
        #expect(harness.run(["alter", file, "rename Person.city town", "-q"]).status == 0)
        let (lines, run) = try observe("Person", "--since", "1", "--idle", "1ms")
        #expect(run.status == 124, "\(run)")
        #expect(lines.map(\.type) == ["resume", "reset", "initial", "end"])
        #expect(lines[1]["reason"] == #""schema-changed""#)
        #expect(lines[2]["objects"]?.contains("\"town\"") == true)
    }

    /// A hook never received two orders: they were committed before a property was added, while the
    /// hook was down, and the stream restarted with the newest version.
    @Test(
        "Commits before and after a change to the schema are still reported",
        arguments: [[], ["--every-commit"]])
    func aroundSchemaChange(words: [String]) throws {
        write("Person id == 7 | set age = 42", "Person id == 9 | set age = 43")
        #expect(harness.run(["alter", file, "rename Person.city town", "-q"]).status == 0)
        write("Person id == 9 | set town = \"Bern\"", "Person id == 11 | delete")
        let (lines, run) = try observe(
            ["Person", "--since", "1", "--initial", "none", "--idle", "1ms"] + words)
        #expect(run.status == 124, "\(run)")
        let types = lines.map(\.type).filter { $0 != "initial" }
        let before = ["resume", "update", "update", "reset"]
        #expect(
            types == before + (words.isEmpty ? ["update", "end"] : ["update", "update", "end"]))
        #expect(lines[1]["modifications"]?.contains("\"id\":7") == true)
        #expect(lines[2]["modifications"]?.contains("\"id\":9") == true)
        let after = lines.drop { $0.type != "reset" }.filter { $0.type == "update" }
        #expect(after.contains { $0["modifications"]?.contains("\"Bern\"") == true })
        #expect(after.last?["deletions"]?.contains("\"id\":11") == true)
    }
}
