import FirnEngine
import FirnTesting
import FirnTools
import Testing

/// The effect of `firn write` with records and statements.
@Suite("The write command")
struct WriteTests {
    private let harness = CommandHarness()

    private func csv(_ file: String, _ className: String = "Person") -> String {
        harness.run(["query", file, className, "-f", "csv"]).output
    }

    @Test(
        "Each policy has its effect, and counts its objects",
        arguments: [
            (
                "--insert", #"{"id":20,"name":"Di","age":1,"city":"X"}"#,
                #""inserted":1,"updated":0,"deleted":0,"unchanged":0"#, "20,Di,1,X\n"
            ),
            (
                "--upsert", #"{"id":7,"age":42}"#,
                #""inserted":0,"updated":1,"deleted":0,"unchanged":0"#, "7,Bo,42,Oslo\n"
            ),
            (
                "--upsert", #"{"id":7,"age":41}"#,
                #""inserted":0,"updated":0,"deleted":0,"unchanged":1"#, "7,Bo,41,Oslo\n"
            ),
            (
                "--upsert", #"{"id":21,"name":"Ed","age":2,"city":"Y"}"#,
                #""inserted":1,"updated":0,"deleted":0,"unchanged":0"#, "21,Ed,2,Y\n"
            ),
            (
                "--update", #"{"id":9,"city":"Bern"}"#,
                #""inserted":0,"updated":1,"deleted":0,"unchanged":0"#, "9,Cy,33,Bern\n"
            ),
            (
                "--replace", #"{"id":9,"name":"Cy","age":1,"city":"Z"}"#,
                #""inserted":0,"updated":1,"deleted":0,"unchanged":0"#, "9,Cy,1,Z\n"
            ),
        ])
    func policies(policy: String, record: String, counts: String, row: String) throws {
        let file = try harness.makePeople()
        let run = harness.run(["write", file, "-", "-c", "Person", policy], input: record)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains(counts), "\(run.output)")
        #expect(run.output.hasPrefix(#"{"v":1,"type":"write","file":"\#(file)","version":"#))
        #expect(csv(file).contains(row))
    }

    @Test(
        "An invalid record changes nothing, and is reported with status, slug and position",
        arguments: [
            ("--insert", #"{"id":7,"name":"x","age":1,"city":"x"}"#, "write.duplicate-key", ":1:"),
            ("--insert", #"{"id":20,"name":"x"}"#, "write.missing-value", ":1, age:"),
            ("--insert", #"{"name":"x","age":1,"city":"x"}"#, "write.missing-key", "its key id"),
            ("--upsert", #"{"id":7,"nme":"x"}"#, "write.unknown-property", "did you mean"),
            ("--upsert", #"{"id":7,"age":"x"}"#, "write.type", ":1, age:"),
            ("--upsert", #"{"id":7,"age":1.5}"#, "write.type", ":1, age:"),
            (
                "--upsert", #"{"id":7,"age":99999999999999999999}"#, "write.value",
                "9223372036854775807"
            ),
            ("--upsert", #"{"id":7,"age":null}"#, "write.missing-value", ":1, age:"),
            ("--update", #"{"id":8,"age":1}"#, "write.unknown-object", "id 8"),
            ("--upsert", "[1]", "input.syntax", "must be an object"),
            ("--upsert", #"{"id":7"#, "input.syntax", "ends inside"),
            ("--upsert", #"{"id":7,"age":1,"age":2}"#, "input.syntax", "twice"),
            ("--upsert", #"{"$class":"Dog","id":7}"#, "write.unknown-class", "no class"),
        ])
    func wrongRecords(policy: String, record: String, slug: String, text: String) throws {
        let file = try harness.makePeople()
        let before = try Fixtures.read(file)
        let good = #"{"id":11,"name":"Al","age":53,"city":"Oslo"}"#
        let run = harness.run(
            ["write", file, "-", "-c", "Person", policy, "--errors", "json"],
            input: policy == "--insert" ? record : record + "\n" + good)
        #expect(run.status == (slug == "write.unknown-class" ? 66 : 65), "\(run.errors)")
        #expect(run.errors.contains(#""code":"\#(slug)""#), "\(run.errors)")
        let shown = harness.run(
            ["write", file, "-", "-c", "Person", policy], input: record)
        #expect(shown.errors.contains(text), "\(shown.errors)")
        #expect(try Fixtures.read(file) == before)
    }

    /// The hint suggested `--create`, which alone was refused with the same hint again.
    @Test("Following the hint for a record of an unknown class adds that class")
    func unknownClassHint() throws {
        let file = try harness.makePeople()
        let record = #"{"$class":"Dog","id":7}"#
        let refused = harness.run(["write", file, "-"], input: record)
        #expect(refused.status == 66)
        #expect(refused.errors.contains("\n  --create -c Dog adds it\n"), "\(refused.errors)")
        let written = harness.run(["write", file, "-", "--create", "-c", "Dog"], input: record)
        #expect(written.status == 0, "\(written.errors)")
        let found = harness.run(["query", file, "Dog id == 7 | count", "-f", "csv"])
        #expect(found.output == "count\n1\n")
    }

    @Test("Rows of a table are written with the types of the properties")
    func tables() throws {
        let file = try harness.makePeople()
        let run = harness.run(
            [
                "write", file, "-", "-c", "Person", "--upsert", "--map", "years=age", "--null",
                "NA",
            ], input: "id,years,name\n7,50,NA\n")
        #expect(run.status == 65)
        #expect(
            run.errors.contains("standard input:2, name: String cannot be null"), "\(run.errors)")
        let good = harness.run(
            ["write", file, "-", "-c", "Person", "--upsert", "--map", "years=age"],
            input: "id\tyears\n7\t50\n9\t51\n")
        #expect(good.output.contains(#""updated":2"#), "\(good.errors)")
        #expect(csv(file).contains("9,Cy,51,Rome\n"))
        let ragged = harness.run(
            ["write", file, "-", "-c", "Person", "--upsert"], input: "id,age\n7,1\n9\n")
        #expect(ragged.status == 65)
        #expect(csv(file).contains("7,Bo,50,Oslo\n"))
    }

    @Test("--on-error skip and save commit the good records and end with 65")
    func rejects() throws {
        let file = try harness.makePeople()
        let input = """
            {"id":20,"name":"Di","age":1,"city":"X"}
            {"id":21,"name":"Ed","age":"x","city":"X"}
            [1]
            {"id":7,"name":"again","age":1,"city":"X"}
            {"id":22,"name":"Fa","age":3,"city":"X"}
            """
        let path = harness.folder("bad.ndjson")
        let run = harness.run(
            ["write", file, "-", "-c", "Person", "--on-error", "save=\(path)"], input: input)
        #expect(run.status == 65)
        #expect(run.output.contains(#""inserted":2,"#), "\(run.output)")
        #expect(run.output.contains(#""rejected":3,"rejects":"\#(path)""#), "\(run.output)")
        let saved = String(decoding: try Fixtures.read(path), as: UTF8.self)
        let lines = saved.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0].contains(#""code":"write.type""#))
        #expect(
            lines[0].hasSuffix(#""line":2,"record":{"id":21,"name":"Ed","age":"x","city":"X"}}"#))
        #expect(lines[2].contains(#""code":"write.duplicate-key""#))
        #expect(harness.run(["query", file, "Person", "--count", "-r"]).output == "5\n")
        let skip = harness.run(
            ["write", file, "-", "-c", "Person", "--on-error", "skip"],
            input: "id,name,age,city\n30,G,1,X\n31,H\n32,I,1,X\n")
        #expect(skip.status == 65)
        #expect(skip.output.contains(#""inserted":2,"#), "\(skip.errors)")
        #expect(skip.errors.contains("2 fields where the header has 4"))
        // The last line of a truncated input is a wrong record as well.
        let broken = harness.run(
            ["write", file, "-", "-c", "Person", "--on-error", "skip"],
            input: "{\"id\":40,\"name\":\"J\",\"age\":1,\"city\":\"X\"}\n{\"id\":41,")
        #expect(broken.status == 65)
        #expect(harness.run(["query", file, "Person", "--count", "-r"]).output == "8\n")
    }

    @Test("--batch commits in batches and reports each commit")
    func batches() throws {
        let file = try harness.makePeople()
        let input = (20..<25).map { "{\"id\":\($0),\"name\":\"n\",\"age\":1,\"city\":\"X\"}\n" }
            .joined()
        let run = harness.run(
            ["write", file, "-", "-c", "Person", "--batch", "2"], input: input)
        let reports = run.output.split(separator: "\n")
        #expect(reports.count == 3, "\(run.output)\(run.errors)")
        #expect(reports[0].contains(#""version":2,"prev":1,"inserted":2"#))
        #expect(reports[2].contains(#""version":4,"prev":3,"inserted":1"#))
        // A statement after the last batch is a transaction of its own.
        let mixed = harness.run(
            ["write", file, "-", "-c", "Person", "--batch", "1", "-x", "Person id == 50 | delete"],
            input: "{\"id\":50,\"name\":\"n\",\"age\":1,\"city\":\"X\"}")
        let mixedReports = mixed.output.split(separator: "\n")
        #expect(mixedReports.count == 2, "\(mixed.output)\(mixed.errors)")
        #expect(mixedReports.last?.contains(#""inserted":0,"updated":0,"deleted":1"#) == true)
        // An error in a later batch keeps the earlier ones.
        let failing = harness.run(
            ["write", file, "-", "-c", "Person", "--batch", "1"],
            input: """
                {"id":30,"name":"n","age":1,"city":"X"}
                {"id":30,"name":"n","age":1,"city":"X"}
                """)
        #expect(failing.status == 65)
        #expect(failing.output.contains(#""inserted":1"#))
        #expect(harness.run(["query", file, "Person", "--count", "-r"]).output == "9\n")
    }

    @Test("--if-version, --dry-run and --returning apply to a write")
    func options() throws {
        let file = try harness.makePeople()
        let record = #"{"id":7,"age":99}"#
        let words = ["write", file, "-", "-c", "Person", "--upsert"]
        let conflict = harness.run(
            words + ["--if-version", "7", "--errors", "json"], input: record)
        #expect(conflict.status == 75)
        #expect(conflict.errors.contains(#""code":"write.conflict","exit":75,"retryable":true"#))
        let dry = harness.run(words + ["--dry-run"], input: record)
        #expect(dry.status == 0)
        #expect(dry.output.contains(#""version":1,"prev":1,"inserted":0,"updated":1"#))
        #expect(dry.output.contains(#""dryRun":true"#))
        #expect(csv(file).contains("7,Bo,41,Oslo\n"))
        let returned = harness.run(
            words + [
                "--returning", "--if-version", "1", "-x", #"Person id == 11 | set city = "Q""#,
            ],
            input: record)
        #expect(
            returned.output == """
                {"id":7,"name":"Bo","age":99,"city":"Oslo"}
                {"id":11,"name":"Al","age":52,"city":"Q"}

                """, "\(returned.errors)")
    }

    @Test("Statements and inputs are executed in the order of the command line")
    func order() throws {
        let file = try harness.makePeople()
        let record = "{\"id\":30,\"name\":\"Zo\",\"age\":1,\"city\":\"X\"}"
        let words = ["-c", "Person", "-p", "n:=2", "--parameter", "city=Y"]
        let set = ["-x", "Person age < $n | set city = $city"]
        let before = harness.run(["write", file] + words + set + ["-"], input: record)
        #expect(before.status == 0, "\(before.errors)")
        #expect(csv(file).contains("30,Zo,1,X\n"))
        let after = harness.run(
            ["write", "-x=Person id == 30 | delete", file, "-"] + set + words, input: record)
        #expect(after.status == 0, "\(after.errors)")
        #expect(after.output.contains(#""inserted":1,"updated":1,"deleted":1"#), "\(after.output)")
        #expect(csv(file).contains("30,Zo,1,Y\n"))
        // An error in the last step rolls all of them back.
        let failing = harness.run(
            ["write", file, "-x", "Person | delete", "-x", "Person nme == 1 | delete"])
        #expect(failing.status == 65)
        #expect(harness.run(["query", file, "Person", "--count", "-r"]).output == "4\n")
    }

    @Test(
        "Invalid command lines are usage errors",
        arguments: [
            [], ["-x"], ["-", "-"], ["--batch", "0", "-"], ["--on-error", "explode", "-"],
            ["--dry-run", "--batch", "3", "-"], ["-qx", "Person | delete"], ["-p", "=3", "-"],
            ["-p", "a:=x", "-"], ["--map", "a", "-"], ["--type", "a=1b", "-"],
            ["--link", "plane=tailnum", "-"], ["--insert", "--upsert", "-"],
            ["--input", "xml", "-"],
            ["-x", "Person age > 3"],
        ])
    func usage(words: [String]) throws {
        let file = try harness.makePeople()
        let run = harness.run(["write", file] + words, input: "")
        #expect(run.status == 64, "\(run.errors)")
    }

    /// A daily table without one of its columns was written without a word.
    @Test("A table reports once which properties have no column, unless it only updates")
    func missingColumns() throws {
        let file = harness.folder("people.firn")
        let made = harness.run(
            ["create", file, "--from", "P=-", "--key", "id", "-q"],
            input: "id,name,zip,city\n1,Ann,0150,Oslo\n")
        try #require(made.status == 0, "\(made)")
        let table = harness.folder("day.csv")
        try Fixtures.write("id,full\n2,Bo\n", to: table)
        let map = ["--map", "full=name"]
        let run = harness.run(["write", file, table, table, "-c", "P", "--upsert"] + map)
        #expect(
            run.errors
                == "\(table) has no column for zip, city of P: new objects have no value there\n",
            "\(run)")
        let arrow = harness.folder("day.arrow")
        let sliced = harness.run(["query", file, "P | select(id, zip, city)", "-o", arrow, "-q"])
        try #require(sliced.status == 0, "\(sliced)")
        let next = harness.run(["write", file, arrow, "--upsert"])
        #expect(next.errors.contains("\(arrow) has no column for name of P"), "\(next)")
        for silent in [["-q", "--upsert"], ["--update"]] {
            let run = harness.run(["write", file, table] + map + silent)
            #expect(run.status == 0 && run.errors == "", "\(run)")
        }
        let records = harness.run(["write", file, "-"], input: "{\"id\":5}\n")
        #expect(records.errors == "", "\(records)")
    }

    @Test("write reports additions to the schema, and how many objects --replace emptied")
    func drift() throws {
        let file = try harness.makePeople()
        let added = harness.run(
            ["write", file, "-", "-c", "Person", "--update", "--add-properties"],
            input: #"{"id":7,"email":"x","n":1}"# + "\n")
        #expect(
            added.errors == "the schema changed: add Person.email String?; add Person.n Int?\n",
            "\(added)")
        #expect(added.output.contains(#""schema":["add Person.email String?""#), "\(added)")
        let replaced = harness.run(
            ["write", file, "-", "-c", "Person", "--replace"],
            input: "id,name,age,city\n7,Bo,41,Oslo\n9,Cy,33,Rome\n")
        #expect(
            replaced.errors.contains("1 replaced object lost values of properties"), "\(replaced)")
        #expect(replaced.output.contains(#""emptied":1"#), "\(replaced)")
    }

    @Test("--add-properties adds unknown properties with a type that fits all their values")
    func addedProperties() throws {
        let file = try harness.makePeople()
        let run = harness.run(
            [
                "write", file, "-", "-c", "Person", "--upsert", "--add-properties", "--type",
                "level=Int8",
            ],
            input: """
                {"id":7,"score":1,"tags":["a"],"home":{"street":"S"},"level":3}
                {"id":9,"score":1.5,"seen":"2013-01-05"}
                """)
        #expect(run.status == 0, "\(run.errors)")
        let schema = harness.run(["schema", file, "-f", "text"]).output
        for line in [
            "score  Double?", "tags   List<String>", "home   PersonHome?", "seen   Date?",
            "level  Int8",
        ] { #expect(schema.contains(line), "\(schema)") }
        #expect(
            harness.run(["query", file, "Person id == 7"]).output.contains(
                #""score":1.0,"tags":["a"],"home":{"street":"S"}"#))
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
    }

    @Test("A writer that waits too long for another ends with a status that allows a retry")
    func locked() throws {
        let file = try harness.makePeople()
        let store = try Store.open(file, readOnly: false)
        let transaction = try store.beginWrite()
        let words = ["write", file, "-x", "Person | delete", "--wait", "20ms"]
        let run = harness.run(words + ["--errors", "json"])
        #expect(run.status == 75)
        #expect(run.errors.contains(#""code":"lock.held""#), "\(run.errors)")
        #expect(harness.run(["alter", file, "remove Person", "--wait", "0"]).status == 75)
        transaction.rollback()
        #expect(harness.run(words).status == 0)
        #expect(harness.run(["write", file, "--wait", "5", "-x", "Person | delete"]).status == 64)
    }
}
