import FirnTesting
import Testing

@testable import FirnTools

/// The lines of each shape.
@Suite("The shapes of observe")
struct ObserveShapeTests {
    private let harness = CommandHarness()
    private let file: String

    init() throws { file = try harness.makePeople() }

    private func write(_ statements: String...) {
        let words = statements.flatMap { ["-x", $0] }
        let run = harness.run(["write", file, "-q"] + words)
        precondition(run.status == 0, run.errors)
    }

    private func insert(_ record: String, _ className: String = "Person") {
        let run = harness.run(["write", file, "-q", "-c", className, "-"], input: record)
        precondition(run.status == 0, run.errors)
    }

    private func observe(_ words: String...) throws -> [StreamLine] {
        let run = harness.run(
            ["observe", file] + words + ["--timeout", "10s", "--heartbeat", "off"])
        #expect(run.status == 0 || run.status == 124, "\(run)")
        return try StreamLine.all(run.output)
    }

    @Test("Deletions and insertions say whether an object left, entered, was deleted or was added")
    func reasons() throws {
        write(
            "Person id == 7 | set age = 20", "Person id == 9 | set age = 60",
            "Person id == 11 | delete")
        insert(#"{"id":12,"name":"Di","age":70,"city":"Bern"}"#)
        let update = try #require(
            try observe("Person age > 40 SORT(age)", "--since", "1", "--count", "1")
                .first { $0.type == "update" })
        #expect(
            update["deletions"]
                == #"[{"index":0,"id":7,"before":{"id":7,"name":"Bo","age":41,"city":"Oslo"},"reason":"left"},"#
                + #"{"index":1,"id":11,"before":{"id":11,"name":"Al","age":52,"city":"Oslo"},"reason":"deleted"}]"#
        )
        #expect(
            update["insertions"]
                == #"[{"index":0,"id":9,"object":{"id":9,"name":"Cy","age":60,"city":"Rome"},"reason":"entered"},"#
                + #"{"index":1,"id":12,"object":{"id":12,"name":"Di","age":70,"city":"Bern"},"reason":"added"}]"#
        )
        #expect(update["modifications"] == "[]")
        #expect(update["time"]?.hasPrefix("\"20") == true, "\(update)")
    }

    @Test("An object that changes its position is deleted and inserted, both marked as a move")
    func moved() throws {
        write("Person id == 9 | set age = 90")
        let update = try #require(
            try observe("Person SORT(age)", "--since", "1", "--count", "1")
                .first { $0.type == "update" })
        #expect(
            update["deletions"]
                == #"[{"index":0,"id":9,"before":{"id":9,"name":"Cy","age":33,"city":"Rome"},"moved":true}]"#
        )
        #expect(
            update["insertions"]
                == #"[{"index":2,"id":9,"object":{"id":9,"name":"Cy","age":90,"city":"Rome"},"moved":true}]"#
        )
        // It is an update, whatever the positions are.
        let inserted = try observe(
            "Person SORT(age)", "--since", "1", "--ops", "insert", "--idle", "1ms")
        #expect(inserted.map(\.type) == ["resume", "end"])
        let updated = try observe(
            "Person SORT(age)", "--since", "1", "--ops", "update", "--count", "1")
        #expect(updated.map(\.type) == ["resume", "update", "end"])
    }

    @Test("--before shows the complete old state of changed objects")
    func wholeBefore() throws {
        write("Person id == 9 | set age = 34")
        let lines = try observe("Person", "--since", "1", "--count", "1", "--before")
        #expect(
            lines[1]["modifications"]?.contains(
                #""before":{"id":9,"name":"Cy","age":33,"city":"Rome"}"#) == true, "\(lines[1])")
    }

    @Test("index has the positions in the old and the new list")
    func index() throws {
        write("Person id == 7 | delete", "Person id == 11 | set age = 53")
        insert(#"{"id":12,"name":"Di","age":70,"city":"Bern"}"#)
        let lines = try observe("Person", "--since", "1", "--count", "1", "--shape", "index")
        #expect(lines[1]["deletions"] == "[0]")
        #expect(lines[1]["insertions"] == "[2]")
        #expect(lines[1]["modifications"] == "[2]")
        #expect(lines[1]["count"] == "3")
        let initial = try observe("Person", "--shape", "index", "--idle", "1ms")
        #expect(initial[0]["count"] == "3")
        #expect(initial[0]["objects"] == nil)
    }

    @Test("rows has one line per object, and the last line of a commit is marked")
    func rows() throws {
        write("Person id == 7 | delete", "Person id == 11 | set age = 53")
        insert(#"{"id":12,"name":"Di","age":70,"city":"Bern"}"#)
        let lines = try observe("Person", "--since", "1", "--count", "1", "--shape", "rows")
        #expect(lines.map(\.type) == ["resume", "delete", "insert", "update", "end"])
        #expect(lines.map { $0["id"] } == [nil, "7", "12", "11", nil])
        #expect(lines.map { $0["index"] } == [nil, "0", "2", "1", nil])
        #expect(lines.map { $0["commit"] } == [nil, nil, nil, "true", nil])
        // A reader that resumes in the middle of a commit gets all of it again.
        #expect(lines[1]["token"] == lines[0]["token"])
        #expect(lines[3]["token"] == lines[4]["token"])
        #expect(lines[1]["before"]?.contains("\"Bo\"") == true)
        #expect(lines[3]["changed"] == #"["age"]"#)
        #expect(lines[3]["before"] == #"{"age":52}"#)
        #expect(lines[3]["class"] == #""Person""#)
        // The time of the commit, which only changes have.
        #expect(lines[1...3].allSatisfy { $0["time"]?.hasPrefix("\"20") == true }, "\(lines)")
        #expect(lines[0]["time"] == nil && lines[4]["time"] == nil)
    }

    @Test("rows starts with the objects, and the last of them ends the first commit")
    func initialRows() throws {
        let lines = try observe("Person SORT(name)", "--shape", "rows", "--idle", "1ms")
        #expect(lines.map(\.type) == ["initial", "insert", "insert", "insert", "end"])
        #expect(lines.map { $0["initial"] } == [nil, "true", "true", "true", nil])
        #expect(lines.map { $0["id"] } == [nil, "11", "7", "9", nil])
        #expect(lines.map { $0["commit"] } == [nil, nil, nil, "true", nil])
        #expect(lines[0]["count"] == "3")
        #expect(lines[0]["more"] == "true")
        #expect(lines[0]["schema"]?.contains(#""name":"Person","key":"id""#) == true)
    }

    @Test(
        "--initial count prints the number of objects, and --initial none prints neither",
        arguments: [("count", "3" as String?), ("none", nil)])
    func initialModes(mode: String, count: String?) throws {
        for shape in StreamShape.allCases {
            let lines = try observe(
                "Person", "--initial", mode, "--shape", shape.rawValue, "--idle", "1ms")
            #expect(lines.map(\.type) == ["initial", "end"])
            #expect(lines[0]["count"] == count)
            #expect(lines[0]["objects"] == nil)
            #expect(lines[0]["token"] != nil)
        }
    }

    @Test("Many objects take several initial lines, and only the last one can be resumed")
    func pages() throws {
        let records = (100..<2600).map { #"{"id":\#($0),"name":"n","age":1,"city":"c"}"# }
        insert(records.joined(separator: "\n"))
        let lines = try observe("Person", "--idle", "1ms")
        #expect(lines.map(\.type) == ["initial", "initial", "initial", "end"])
        #expect(lines.map { $0["more"] } == ["true", "true", "false", nil])
        #expect(lines.map { $0["token"] == nil } == [true, true, false, false])
        #expect(lines.allSatisfy { $0.type == "end" || $0["count"] == "2503" })
    }

    @Test("A projection shows only its columns and changes to them")
    func projection() throws {
        write("Person id == 9 | set city = \"Bern\"")
        let silent = try observe(
            "Person", "-s", "id,name", "--since", "1", "--shape", "rows", "--idle", "1ms")
        #expect(silent.map(\.type) == ["resume", "end"])
        write("Person id == 9 | set name = \"Cyd\"")
        let lines = try observe(
            "Person", "-s", "id,upper(name) AS n", "--since", "1", "--shape", "rows", "--count",
            "1")
        #expect(lines.map(\.type) == ["resume", "update", "end"])
        #expect(lines[1]["object"] == #"{"id":9,"n":"CYD"}"#)
        #expect(lines[1]["changed"] == #"["n"]"#)
        #expect(lines[1]["before"] == #"{"n":"CY"}"#)
    }

    @Test("Without a query, all classes are observed, and objects without a key by number")
    func allClasses() throws {
        insert(#"{"id":20,"name":"Ed","age":1,"city":"Y"}"#)
        let created = harness.run(
            ["write", file, "-q", "--create", "-c", "Note", "-"],
            input: "{\"text\":\"a\"}\n{\"text\":\"b\"}")
        precondition(created.status == 0, created.errors)
        write("Note text == \"b\" | delete")
        write("Person id == 7 | set age = 1")
        let lines = try observe("--since", "3", "--count", "1")
        #expect(lines.map(\.type) == ["resume", "update", "end"])
        #expect(lines[1]["count"] == "5")
        #expect(
            lines[1]["deletions"]
                == #"[{"class":"Note","id":1,"before":{"$id":1,"text":"b"},"reason":"deleted"}]"#)
        #expect(
            lines[1]["modifications"]?.hasPrefix(
                #"[{"class":"Person","id":7,"changed":["age"],"object""#) == true, "\(lines[1])")
        let rows = try observe("--since", "3", "--count", "1", "--shape", "rows")
        #expect(rows.map { $0["class"] } == [nil, #""Note""#, #""Person""#, nil])
        #expect(rows.map { $0["index"] } == [nil, nil, nil, nil])
        let initial = try observe("--shape", "rows", "--until", "count == 5")
        #expect(initial.map(\.type) == ["initial"] + Array(repeating: "insert", count: 5) + ["end"])
    }

    @Test("A change to an embedded object is a change to its owner", arguments: [true, false])
    func embedded(hasQuery: Bool) throws {
        let schema = harness.folder("schema.json")
        try Fixtures.write(
            #"""
            {"v":1,"classes":[{"name":"Place","embedded":true,"properties":[{"name":"town","type":"String"}]},
            {"name":"Shop","key":"id","properties":[{"name":"id","type":"Int"},{"name":"at","type":"Place"}]}]}
            """#, to: schema)
        let shops = harness.folder("shops.firn")
        #expect(harness.run(["create", shops, "--schema", schema, "-q"]).status == 0)
        func put(_ record: String) {
            let run = harness.run(
                ["write", shops, "-q", "--upsert", "-c", "Shop", "-"], input: record)
            precondition(run.status == 0, run.errors)
        }
        put(#"{"id":1,"at":{"town":"Oslo"}}"#)
        let version = harness.run(["stats", shops, "-f", "json"]).output
        let number =
            try StreamLine(version.split(separator: "\n").first.map(String.init) ?? "")
            .version ?? 0
        let statement = harness.run(
            ["write", shops, "-q", "--input", "ops", "-"],
            input: #"{"op":"upsert","class":"Shop","id":1,"object":{"id":1,"at":{"town":"Rome"}}}"#)
        #expect(statement.status == 0, "\(statement)")
        let run = harness.run(
            ["observe", shops] + (hasQuery ? ["Shop"] : []) + [
                "--since", String(number), "--count", "1", "--timeout", "10s", "--shape", "rows",
            ])
        let lines = try StreamLine.all(run.output)
        #expect(lines.map(\.type) == ["resume", "update", "end"], "\(run)")
        #expect(lines[1]["changed"] == #"["at"]"#)
        #expect(lines[1]["object"] == #"{"id":1,"at":{"town":"Rome"}}"#)
        #expect(lines[1]["before"] == #"{"at":{"town":"Oslo"}}"#)
    }

    @Test("csv and tsv have a line per object, with its values after the event")
    func delimited() throws {
        write("Person id == 7 | delete", "Person id == 11 | set name = \"a,\\\"b\"")
        insert(#"{"id":12,"name":"Di","age":70,"city":"Ulm"}"#)
        func output(_ words: String...) -> String {
            harness.run(
                ["observe", file, "Person", "--shape", "rows", "--heartbeat", "1ms"] + words
            ).output
        }
        let changes = output("-f", "csv", "--since", "1", "--every-commit", "--count", "2")
        #expect(
            changes == """
                op,version,id,index,name,age,city
                delete,2,7,0,Bo,41,Oslo
                update,2,11,1,"a,""b",52,Oslo
                insert,3,12,2,Di,70,Ulm

                """, "\(changes)")
        let all = output("-f", "tsv", "--idle", "20ms", "-s", "city,id")
        #expect(
            all == "op\tversion\tid\tindex\tcity\ninsert\t3\t9\t0\tRome\n"
                + "insert\t3\t11\t1\tOslo\ninsert\t3\t12\t2\tUlm\n", "\(all)")
        #expect(harness.run(["compact", file, "-q"]).status == 0)
        let again = output("-f", "csv", "--since", "1", "--idle", "20ms")
        #expect(
            again.hasPrefix("op,version,id,index,name,age,city\nreset,3\ninsert,3,9,"), "\(again)")
    }

    @Test(
        "csv and tsv are refused unless each line is an object of one class",
        arguments: [
            ["Person", "-f", "csv"], ["Person", "-f", "tsv", "--shape", "index"],
            ["-f", "csv", "--shape", "rows"],
            ["Person", "-f", "csv", "--shape", "rows", "--exec", "true"],
            ["Person", "-f", "table"], ["Person", "-f", "json"],
        ])
    func noDelimiters(words: [String]) throws {
        let run = harness.run(["observe", file] + words + ["--timeout", "1ms"])
        #expect(run.status == 64, "\(run)")
        #expect(run.output.isEmpty)
    }
}
