import FirnTesting
import Testing

@testable import FirnFormats
@testable import FirnTools

/// A line feed in a name, a dot in a key and two names that lead to one class ended an import.
@Suite("Names from outside")
struct OutsideNameTests {
    private let harness = CommandHarness()

    @Test(
        "An invalid property name becomes a similar valid name",
        arguments: [
            ("name", "name"), ("a.b", "a.b"), ("Price\n(EUR)", "Price (EUR)"), ("a\r\n\tb", "a b"),
            ("", "unnamed"), ("\n", "unnamed"), ("\u{7F}x", "x"), ("é", "é"),
            ("e\u{301}", "e\u{301}"),
        ])
    func valid(name: String, expected: String) {
        #expect(Array(OutsideName.valid(name).utf8) == Array(expected.utf8))
    }

    @Test("Long names stay distinct")
    func long() {
        let names = ["a", "b", "ä"].map { String(repeating: "x", count: 300) + $0 }.map(
            OutsideName.valid)
        #expect(Set(names).count == 3)
        #expect(names.allSatisfy { $0.utf8.count <= 255 && $0.hasPrefix("xxx") })
        #expect(OutsideName.valid(names[0]) == names[0])
    }

    @Test(
        "An input with odd names is read as a whole",
        arguments: [
            (#"{"l\nf":1,"":2,"a.b":3,"$x":4}"#, #"{"l f":1,"unnamed":2,"a.b":3,"$x":4}"#),
            (#"{"a_b":{"x":1},"aB":{"x":2}}"#, #"{"a_b":{"x":1},"aB":{"x":2}}"#),
            (#"{"-":{"x":1}}"#, #"{"-":{"x":1}}"#),
            (
                "{\"m\":1}\n{\"m\":{\"a.b\":1,\"$c\":2}}",
                "{\"m\":1}\n{\"m\":{\"$c\":2,\"a.b\":1}}"
            ),
        ])
    func objects(input: String, expected: String) throws {
        let file = harness.folder("a.firn")
        let made = harness.run(
            ["create", file, "--from", "-", "-c", "T", "-q"], input: input + "\n")
        #expect(made.status == 0, "\(made.errors)")
        let run = harness.run(["query", file, "T", "-f", "ndjson"])
        #expect(run.output == expected + "\n", "\(run)")
        // Records of the same names can be added.
        #expect(
            harness.run(["write", file, "-", "-c", "T", "-q"], input: input + "\n").status == 0)
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
    }

    @Test("A key without a class belongs to the outer class, not to embedded objects")
    func embeddedKey() throws {
        let file = harness.folder("a.firn")
        let made = harness.run(
            ["create", file, "--from", "-", "-c", "T", "--key", "id", "-q"],
            input: "{\"id\":1,\"in\":{\"id\":2}}\n")
        #expect(made.status == 0, "\(made.errors)")
        #expect(
            harness.run(["query", file, "T"]).output == "{\"id\":1,\"in\":{\"id\":2}}\n")
    }

    @Test("Numbers in the first row name the columns, and the report says so")
    func numbers() throws {
        let path = harness.folder("t.csv")
        try Fixtures.write("1,2.5\n3,4\n", to: path)
        let run = harness.run(["create", harness.folder("a.firn"), "--from", path])
        #expect(run.errors.contains("--headerless reads them as a row\n"), "\(run.errors)")
        let rows = harness.run(["query", path, "T", "-f", "csv", "--headerless"])
        #expect(rows.output == "column1,column2\n1,2.5\n3,4.0\n", "\(rows)")
    }

    @Test("Sorting by a name with a comma works in backquotes")
    func commas() throws {
        let path = harness.folder("t.csv")
        try Fixtures.write("\"a,b\",c\n1,3\n2,4\n2,3\n", to: path)
        let run = harness.run(["query", path, "T", "--sort", "-`a,b`,c", "-f", "csv"])
        #expect(run.output == "\"a,b\",c\n2,3\n2,4\n1,3\n", "\(run)")
    }

    @Test("A line break in the header of a table becomes a space")
    func header() throws {
        let path = harness.folder("t.csv")
        try Fixtures.write("\"Price\n(EUR)\",b\n1,2\n", to: path)
        let run = harness.run(["query", path, "T", "-f", "csv"])
        #expect(run.output == "Price (EUR),b\n1,2\n", "\(run)")
    }
}
