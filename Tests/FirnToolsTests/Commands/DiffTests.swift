import FirnTesting
import FirnTools
import Testing

@Suite("diff and log")
struct DiffTests {
    private let harness = CommandHarness()
    private let file: String

    init() throws { file = try harness.makePeople() }

    private func write(_ statements: String..., to file: String? = nil) throws {
        let words = ["write", file ?? self.file, "-q"] + statements.flatMap { ["-x", $0] }
        let run = harness.run(words)
        try #require(run.status == 0, "\(run.errors)")
    }

    private func add(_ lines: String, to file: String? = nil) throws {
        let run = harness.run(
            ["write", file ?? self.file, "-", "-c", "Person", "-q"], input: lines)
        try #require(run.status == 0, "\(run.errors)")
    }

    /// A database with the same objects.
    private func copy() throws -> String {
        let copy = harness.folder("copy.firn")
        let run = harness.run(["freeze", file, "-o", copy, "-q"])
        try #require(run.status == 0, "\(run.errors)")
        return copy
    }

    @Test("diff prints the changes of the last commit in the same form as observe")
    func lastCommit() throws {
        try write("Person id == 7 | set age = 42, city = \"Oslo\"", "Person id == 9 | delete")
        let run = harness.run(["diff", file])
        #expect(run.status == 1)
        #expect(
            run.output == """
                {"v":1,"op":"delete","version":2,"class":"Person","id":9,"before":{"id":9,"name":"Cy","age":33,"city":"Rome"},"reason":"deleted"}
                {"v":1,"op":"update","version":2,"class":"Person","id":7,"changed":["age"],"object":{"id":7,"name":"Bo","age":42,"city":"Oslo"},"before":{"age":41},"commit":true}

                """)
    }

    @Test("diff and log show schema changes in the syntax of alter")
    func schemas() throws {
        let told = [
            "add Person.email String?", "rename Person.city town", "retype Person.age Double?",
            "add `to`", "remove Person.email", "rename Person Human", "key Human none",
        ]
        for line in told {
            let run = harness.run(["alter", file, line, "-q"])
            try #require(run.status == 0, "\(run.errors)")
            let log = harness.run(["log", file, "--limit", "1", "-f", "text"])
            #expect(log.output.hasSuffix("  schema changed: \(line)\n"), "\(log.output)")
            let diff = harness.run(["diff", file])
            #expect(diff.errors == "the classes differ: \(line)\n", "\(diff.errors)")
            // The change makes the same schema of the version before.
            let old = harness.folder("old-\(told.firstIndex(of: line) ?? 0).firn")
            let copied = harness.run(["freeze", file, "--at", "@-1", "-o", old, "-q"])
            try #require(copied.status == 0, "\(copied.errors)")
            #expect(harness.run(["alter", old, line, "-q"]).status == 0, "\(line)")
            #expect(
                harness.run(["schema", old, "-f", "json"]).output
                    == harness.run(["schema", file, "-f", "json"]).output, "\(line)")
        }
        let json = harness.run(["diff", file, "--from", "1", "--summary", "-f", "json"]).output
        #expect(json.contains("\"rename Person Human\",\"retype Human.age Double?\""), "\(json)")
    }

    @Test("Between two databases, classes and properties are matched by name")
    func otherSchemas() throws {
        let other = try copy()
        let run = harness.run(["alter", other, "rename Person.city town", "add Q", "-q"])
        try #require(run.status == 0, "\(run.errors)")
        #expect(
            harness.run(["diff", file, other]).errors
                == "the classes differ: add Person.town String; remove Person.city; add Q\n")
    }

    @Test("diff prints text for people, with harmful characters escaped", .tags(.security))
    func text() throws {
        try add(#"{"id":1,"name":"\u001b[31m\u202e","age":1,"city":"X"}"#)
        try write("Person id == 7 | set age = 42", "Person id == 9 | delete")
        var harness = harness
        harness.isTerminal = true
        let run = harness.run(["diff", file, "--from", "1"])
        #expect(
            run.output == #"""
                - Person 9  {"id":9,"name":"Cy","age":33,"city":"Rome"}
                + Person 1  {"id":1,"name":"\u001b[31m\u{202e}","age":1,"city":"X"}
                ~ Person 7  age: 41 → 42

                """#)
    }

    @Test("A restored value and a recreated object are not differences")
    func nothing() throws {
        try write("Person id == 7 | set age = 42")
        try write("Person id == 7 | set age = 41", "Person id == 9 | delete")
        try add(#"{"id":9,"name":"Cy","age":33,"city":"Rome"}"#)
        let run = harness.run(["diff", file, "--from", "1"])
        #expect(run.output.isEmpty)
        #expect(run.status == 0)
        let summary = harness.run(["diff", file, "--from", "1", "--summary", "-f", "text"])
        #expect(summary.output == "no differences\n")
        #expect(summary.status == 0)
        #expect(harness.run(["diff", file, "--from", "1", "-f", "json"]).output == "[]\n")
    }

    @Test("A reverse diff shows the way back")
    func backwards() throws {
        try write("Person id == 7 | set age = 42", "Person id == 9 | delete")
        let run = harness.run(["diff", file, "--from", "2", "--to", "1", "-f", "text"])
        #expect(
            run.output == """
                + Person 9  {"id":9,"name":"Cy","age":33,"city":"Rome"}
                ~ Person 7  age: 42 → 41

                """)
    }

    @Test("A patch turns one database into the other", arguments: [1, 2, 3, 4])
    func patch(seed: UInt64) throws {
        let copy = try copy()
        var generator = SplitMix64(seed: seed)
        for step in 0..<30 {
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: try add(#"{"id":\#(100 + step),"name":"x","age":\#(step),"city":"Rome"}"#)
            case 1:
                try write(
                    "Person age > \(Int.random(in: 0..<60, using: &generator)) | set age = age + 1")
            default:
                try write(
                    "Person id == \(100 + Int.random(in: 0..<30, using: &generator)) | delete")
            }
        }
        let patch = harness.run(["diff", copy, file])
        #expect(patch.status == 1)
        let applied = harness.run(
            ["write", copy, "--input", "observe", "-q", "-"], input: patch.output)
        #expect(applied.status == 0, "seed \(seed): \(applied.errors)")
        let rest = harness.run(["diff", copy, file])
        #expect(rest.status == 0, "seed \(seed): \(rest.output)")
        #expect(
            harness.run(["query", copy, "Person SORT(id)"]).output
                == harness.run(["query", file, "Person SORT(id)"]).output, "seed \(seed)")
        #expect(harness.run(["check", copy, "--deep", "-q"]).status == 0)
    }

    @Test("diff counts the changes to each class")
    func summary() throws {
        let copy = try copy()
        try write("Person id > 7 | set age = 1")
        try add(#"{"id":1,"name":"N","age":1,"city":"X"}"#)
        let run = harness.run(["diff", copy, file, "--summary"])
        #expect(run.status == 1)
        #expect(run.output.contains(#""schemaChanged":false,"inserted":1,"updated":2,"deleted":0"#))
        #expect(
            run.output.contains(
                #""classes":[{"class":"Person","inserted":1,"updated":2,"deleted":0}]"#))
    }

    @Test("Differences between classes are reported, and their objects are still compared")
    func schema() throws {
        let copy = try copy()
        #expect(harness.run(["alter", file, "add Person.email String?", "-q"]).status == 0)
        let same = harness.run(["diff", copy, file])
        #expect(same.status == 1)
        #expect(same.output.isEmpty)
        #expect(same.errors == "the classes differ: add Person.email String?\n")
        try write("Person id == 7 | set email = \"a@b\"")
        let run = harness.run(["diff", file, "--from", "1", "-f", "text"])
        #expect(run.output == "~ Person 7  email: null → \"a@b\"\n")
        #expect(run.status == 1)
    }

    @Test("Objects without a key are matched by number, and embedded objects belong to their owner")
    func numbers() throws {
        let shop = harness.folder("shop.firn")
        let made = harness.run(
            ["create", shop, "--from", "-", "-q"],
            input: """
                {"$class":"Item","name":"a","size":{"w":1}}
                {"$class":"Item","name":"b","size":{"w":2}}
                """)
        try #require(made.status == 0, "\(made.errors)")
        let edit = harness.run(
            ["write", shop, "-", "-c", "Item", "--update", "-q"],
            input: #"{"$id":1,"size":{"w":3}}"#)
        try #require(edit.status == 0, "\(edit.errors)")
        let run = harness.run(["diff", shop, "-f", "text"])
        #expect(run.output == "~ Item 1  size: {\"w\":2} → {\"w\":3}\n", "\(run.output)")
    }

    @Test("Errors are reported")
    func wrong() {
        #expect(
            harness.run(["diff", file, file, "-c", "Preson"]).errors.contains(
                "did you mean \"Person\"?"))
        #expect(harness.run(["diff", file, "--from", "9"]).status == 69)
        #expect(harness.run(["diff", file, "--from", "monday"]).status == 66)
        #expect(harness.run(["diff", file, harness.folder("none.firn")]).status == 66)
        #expect(harness.run(["diff", file, "x", "y"]).status == 64)
        #expect(harness.run(["log", file, "-n", "0"]).status == 64)
        #expect(harness.run(["log", file, "--since", "9"]).status == 69)
    }

    @Test("The log lists versions from the newest to the oldest one kept")
    func log() throws {
        try write("Person id == 7 | set age = 42")
        try add(#"{"id":1,"name":"N","age":1,"city":"X"}"#)
        #expect(harness.run(["freeze", file, "monday", "--expires", "never", "-q"]).status == 0)
        try write("Person id > 7 | delete")
        let run = harness.run(["log", file, "-f", "text"])
        #expect(run.status == 0, "\(run.errors)")
        let lines = run.output.split(separator: "\n")
        #expect(lines.first?.contains("Person +0 ~0 -2") == true, "\(run.output)")
        #expect(lines.dropLast().last?.hasPrefix("v2") == true, "\(run.output)")
        #expect(lines.dropLast().last?.hasSuffix("Person +0 ~1 -0") == true, "\(run.output)")
        // The oldest version can be read as well, and was missing.
        #expect(lines.last?.hasPrefix("v1  20") == true, "\(run.output)")
        #expect(lines.last?.hasSuffix("Person +3 ~0 -0  schema changed") == true, "\(run.output)")
        #expect(lines.filter { $0.contains("(monday)") }.count == 1)
        #expect(lines[0].contains("T") && lines[0].contains("Z"))
        #expect(harness.run(["log", file, "-n", "1"]).output.split(separator: "\n").count == 1)
        let since = harness.run(["log", file, "--since", "monday", "--summary"])
        #expect(since.output.contains(#""inserted":0,"updated":0,"deleted":2"#), "\(since.output)")
    }

    @Test("log explains why it prints nothing")
    func emptyLog() throws {
        let harness = CommandHarness()
        let file = try harness.makePeople()
        let run = harness.run(["log", file, "--since", "1"])
        #expect(run.status == 0)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("no version after 1"), "\(run.errors)")
        #expect(harness.run(["log", file, "--since", "1", "-q"]).errors.isEmpty)
    }

    @Test("log marks versions whose changes are unknown")
    func oldest() throws {
        for age in 0..<3 { try write("Person id == 7 | set age = \(age)") }
        #expect(harness.run(["compact", file, "-q"]).status == 0)
        let run = harness.run(["log", file, "-f", "text"])
        #expect(run.output.hasSuffix("its changes are no longer kept\n"), "\(run.output)")
        let json = harness.run(["log", file, "-f", "ndjson"]).output.split(separator: "\n")
        #expect(json.last?.contains("inserted") == false, "\(json)")
    }
}
