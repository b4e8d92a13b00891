import FirnPlatform
import FirnTesting
import FirnTools
import Testing

@Suite("The separator of a CSV")
struct SeparatorTests {
    private let harness = CommandHarness()

    private func create(_ text: String, _ words: String...) throws -> CommandHarness.Run {
        let input = harness.folder("in.csv")
        try Fixtures.write(text, to: input)
        return harness.run(
            ["create", harness.folder("out.firn"), "--from", "A=\(input)"] + words)
    }

    private var rows: String { harness.run(["query", harness.folder("out.firn"), "A"]).output }

    @Test(
        "The separator is found in the header, and reported if it is not a comma",
        arguments: [
            ("a;b\n1;2,5\n", "{\"a\":1,\"b\":2.5}\n", "separated by ;"),
            ("\u{FEFF}a;b\n1;\"x;y\"\n", "{\"a\":1,\"b\":\"x;y\"}\n", "separated by ;"),
            ("\"a,1\";b\r\n1;2\r\n", "{\"a,1\":1,\"b\":2}\n", "separated by ;"),
            ("a\tb\n1\t\"x\ty\"\n", "{\"a\":1,\"b\":\"x\\ty\"}\n", "separated by tabs"),
            ("a\tb;c\n1\t2\n", "{\"a\":1,\"b;c\":2}\n", "separated by tabs"),
        ])
    func others(text: String, wanted: String, note: String) throws {
        let run = try create(text)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("in.csv: fields are \(note)\n"), "\(run.errors)")
        #expect(rows == wanted)
    }

    @Test(
        "The separator is a comma if the header has a comma or no other separator",
        arguments: [
            ("a,b;c\n1,2\n", "{\"a\":1,\"b;c\":2}\n"), ("a\n1\n", "{\"a\":1}\n"),
            ("\"a;b\"\n1\n", "{\"a;b\":1}\n"), ("a\nx;y\n", "{\"a\":\"x;y\"}\n"),
        ])
    func commas(text: String, wanted: String) throws {
        let run = try create(text)
        #expect(run.status == 0, "\(run.errors)")
        #expect(!run.errors.contains("separated"), "\(run.errors)")
        #expect(rows == wanted)
    }

    @Test("The separator is not reported with -q, and is found in standard input as well")
    func quiet() throws {
        #expect(try create("a;b\n1;2\n", "-q").errors.isEmpty)
        let stream = harness.run(
            ["create", harness.folder("b.firn"), "--from", "A=-"], input: "a;b\n1;2\n")
        #expect(stream.errors.contains("standard input: fields are separated by ;"))
    }

    @Test("The separator is the comma for write --input csv")
    func said() throws {
        let file = try harness.makePeople()
        let input = harness.folder("more.csv")
        try Fixtures.write("id;name;age;city\n1;A;2;B\n", to: input)
        let said = harness.run(["write", file, input, "--input", "csv"])
        #expect(said.status == 65)
        #expect(said.errors.contains("\"id;name;age;city\""), "\(said.errors)")
        let found = harness.run(["write", file, input])
        #expect(found.status == 0 && found.errors.contains("separated by ;"), "\(found.errors)")
    }
}
