import FirnTesting
import Testing

@testable import FirnTools

/// Streams of counts, aggregates and groups.
@Suite("Observed values")
struct ObserveValuesTests {
    private let harness = CommandHarness()
    private let file: String

    init() throws { file = try harness.makePeople() }

    private func write(_ statements: String...) {
        let words = statements.flatMap { ["-x", $0] }
        let run = harness.run(["write", file, "-q"] + words)
        precondition(run.status == 0, run.errors)
    }

    private func observe(_ words: String...) throws -> [StreamLine] {
        let run = harness.run(
            ["observe", file] + words + ["--timeout", "10s", "--heartbeat", "off"])
        #expect(run.status == 0 || run.status == 124, "\(run)")
        return try StreamLine.all(run.output)
    }

    private let byCity = "Person | group(city; @count AS n, @max.age AS oldest)"

    @Test("The first line has the columns, the key and the rows of a group")
    func initial() throws {
        let first = try #require(try observe(byCity, "--idle", "1ms").first)
        #expect(first["class"] == nil && first["key"] == #""city""#, "\(first)")
        #expect(
            first.text("query") == "Person | group(city; city, @count AS n, @max.age AS oldest)")
        #expect(first["count"] == "2" && first["more"] == "false")
        #expect(
            first["columns"]
                == #"[{"name":"city","type":"String"},{"name":"n","type":"Int"},"#
                + #"{"name":"oldest","type":"Int?"}]"#, "\(first)")
        #expect(
            first["objects"]
                == #"[{"city":"Oslo","n":2,"oldest":52},{"city":"Rome","n":1,"oldest":33}]"#)
        #expect(first["schema"] == nil)
        let table = try observe("Person | group(city, age; @count AS n)", "--idle", "1ms")
        #expect(table.first?["key"] == #"["city","age"]"#)
        let sums = try observe("Person | project(@sum.age AS s)", "--idle", "1ms")
        #expect(sums.first?["key"] == nil && sums.first?["objects"] == #"[{"s":126}]"#)
    }

    @Test("A commit updates, deletes and inserts the rows of a group")
    func update() throws {
        write("Person id == 9 | set city = \"Oslo\"", "Person id == 7 | set city = \"Bern\"")
        let update = try #require(
            try observe(byCity, "--since", "1", "--count", "1").first { $0.type == "update" })
        #expect(update["count"] == "2" && update["commits"] == "1", "\(update)")
        #expect(
            update["deletions"]
                == #"[{"index":1,"id":"Rome","before":{"city":"Rome","n":1,"oldest":33},"#
                + #""reason":"deleted"}]"#, "\(update)")
        #expect(
            update["insertions"]
                == #"[{"index":0,"id":"Bern","object":{"city":"Bern","n":1,"oldest":41},"#
                + #""reason":"added"}]"#, "\(update)")
        #expect(update["modifications"] == "[]")
    }

    @Test("With rows, each line has the key, the changed columns and the old values of a row")
    func rows() throws {
        write("Person id == 11 | set age = 50")
        write("Person id == 9 | delete")
        let lines = try observe(
            byCity, "--since", "1", "--shape", "rows", "--every-commit", "--count", "2")
        #expect(lines.map(\.type) == ["resume", "update", "delete", "end"], "\(lines)")
        #expect(lines[1]["id"] == #""Oslo""# && lines[1]["class"] == nil)
        #expect(lines[1]["changed"] == #"["oldest"]"#)
        #expect(lines[1]["object"] == #"{"city":"Oslo","n":2,"oldest":50}"#)
        #expect(lines[1]["before"] == #"{"oldest":52}"# && lines[1]["commit"] == "true")
        #expect(lines[2]["before"] == #"{"city":"Rome","n":1,"oldest":33}"#)
        #expect(lines[2]["index"] == "1" && lines[2]["version"] == "3")
    }

    @Test("Several keys form an array, and the row of a count has no key")
    func identities() throws {
        write("Person id == 9 | set age = 34", "Person id == 11 | delete")
        let groups = try observe(
            "Person | group(city, age; @count AS n)", "--since", "1", "--shape", "rows",
            "--count", "1")
        #expect(
            groups.dropFirst().dropLast().compactMap { $0["id"] } == [
                #"["Oslo",52]"#, #"["Rome",33]"#, #"["Rome",34]"#,
            ])
        let count = try observe(
            "Person | count", "--since", "1", "--shape", "rows", "--count", "1")
        #expect(count[1].type == "update" && count[1]["id"] == "null", "\(count)")
        #expect(count[1]["object"] == #"{"count":2}"# && count[1]["before"] == #"{"count":3}"#)
    }

    @Test("csv has the key and the columns")
    func csv() throws {
        write("Person id == 9 | set city = \"Oslo\"")
        let run = harness.run([
            "observe", file, byCity, "--shape", "rows", "-f", "csv", "--since", "1", "--count",
            "1", "--timeout", "10s",
        ])
        #expect(
            run.output == """
                op,version,id,index,city,n,oldest
                delete,2,Rome,1,Rome,1,33
                update,2,Oslo,0,Oslo,3,52

                """, "\(run)")
    }

    @Test("With index, a stage after the group determines the positions")
    func positions() throws {
        write("Person id == 7 | set city = \"Rome\"")
        let lines = try observe(
            "Person | group(city; @count AS n) | SORT(n DESC)", "--shape", "index", "--since", "1",
            "--count", "1")
        #expect(lines[1]["deletions"] == "[0]" || lines[1]["deletions"] == "[1]", "\(lines)")
        #expect(lines[1]["insertions"] == "[0]" || lines[1]["insertions"] == "[1]", "\(lines)")
    }

    @Test("A commit that does not change the values is not reported")
    func unchanged() throws {
        write("Person id == 7 | set name = \"Bob\"", "Person id == 7 | set age = 42")
        let lines = try observe(byCity, "--since", "1", "--idle", "1ms")
        #expect(lines.map(\.type) == ["resume", "end"], "\(lines)")
    }

    @Test("--until tests the value of count, or the number of rows")
    func until() throws {
        let count = try observe("Person | count", "--until", "count == 3")
        #expect(count.last?["reason"] == #""until""#)
        let groups = try observe(byCity, "--until", "count == 2")
        #expect(groups.last?["reason"] == #""until""#)
    }

    @Test("A query that is rerun says so once, and reports the difference between its results")
    func runAgain() throws {
        write("Person id == 11 | delete")
        let query = "Person SORT(age DESC) LIMIT(2) | group(city; @count AS n)"
        let words = ["observe", file, query, "--since", "1", "--count", "1", "--timeout", "10s"]
        let run = harness.run(words)
        #expect(
            run.errors
                == "the result of \(query) is computed again at most every 250 ms: "
                + "a SORT before the values\n", "\(run)")
        let update = try #require(try StreamLine.all(run.output).first { $0.type == "update" })
        #expect(
            update["modifications"]?.contains(#""object":{"city":"Oslo","n":1}"#) == true
                && update["insertions"]?.contains(#""id":"Rome""#) == true, "\(update)")
        #expect(harness.run(words + ["-q"]).errors.isEmpty)
        let slower = harness.run(words + ["--debounce", "20ms"])
        #expect(slower.errors.contains("at most every 20 ms"), "\(slower)")
    }

    @Test("The rows of a group cannot be written as objects")
    func notWritten() throws {
        let run = harness.run([
            "observe", file, byCity, "--shape", "rows", "--idle", "1ms", "--heartbeat", "off",
        ])
        let copy = harness.run(
            ["write", harness.folder("copy.firn"), "--input", "observe", "--create", "-", "-q"],
            input: run.output)
        #expect(copy.status != 0 && copy.errors.contains("class"), "\(copy)")
    }

    @Test("A sum beyond 64 bits ends the stream with the error of the query")
    func overflow() throws {
        write("Person id == 7 | set age = 9223372036854775807")
        let run = harness.run([
            "observe", file, "Person | project(@sum.age AS s)", "--since", "1", "--timeout", "10s",
        ])
        #expect(run.errors.contains("leaves the range of a 64-bit integer"), "\(run)")
        #expect(try StreamLine.all(run.output).last?["reason"] == #""error""#)
    }
}
