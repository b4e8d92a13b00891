import FirnTesting
import FirnTools
import Testing

/// Inputs with more rows than a row group, which several threads load.
@Suite("Large inputs of create")
struct CreatePartsTests {
    private var harness = CommandHarness()
    private let file: String
    private let input: String

    init() {
        harness.rowsPerGroup = 16
        file = harness.folder("t.firn")
        input = harness.folder("input.csv")
    }

    /// Creates a database in bulk, and as records; both must be the same.
    private func create(
        _ text: String, named name: String = "input.csv", _ words: [String] = ["--key", "id"],
        _ source: Testing.SourceLocation = #_sourceLocation
    ) throws -> CommandHarness.Run {
        let path = harness.folder(name)
        try Fixtures.write(text, to: path)
        let run = harness.run(["create", file, "--from", "T=\(path)", "-q"] + words)
        guard run.status == 0 else { return run }
        let other = harness.folder("other.firn")
        let slow = harness.run(
            ["create", other, "--from", "T=\(path)", "--on-error", "skip", "-q"] + words)
        #expect(slow.status == 0, "\(slow.errors)", sourceLocation: source)
        let contents = [file, other].map { harness.run(["export", $0, "-f", "ndjson"]).output }
        #expect(contents[0] == contents[1], sourceLocation: source)
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0, sourceLocation: source)
        return run
    }

    private func table(_ rowCount: Int, _ change: (Int) -> String? = { _ in nil }) -> String {
        "id,name,x,d\n"
            + (0..<rowCount).map {
                change($0) ?? "\($0),\"n\($0 % 7)\nline\",\($0).25,2020-01-01\n"
            }.joined()
    }

    private func objects(_ count: Int, _ change: (Int) -> String? = { _ in nil }) -> String {
        (0..<count).map {
            change($0) ?? "{\"id\":\($0),\"name\":\"n\($0 % 7)\",\"x\":\($0).25,\"b\":true}\n"
        }.joined()
    }

    @Test("The rows of a table match the text", arguments: [16, 31, 32, 33, 500])
    func tables(rowCount: Int) throws {
        let text = table(rowCount)
        let run = try create(text)
        #expect(run.status == 0, "\(run.errors)")
        #expect(harness.run(["query", file, "T", "-f", "csv"]).output == text)
    }

    @Test("Tables of the same class are appended in order")
    func severalTables() throws {
        let (first, second) = (harness.folder("a.csv"), harness.folder("b.csv"))
        try Fixtures.write(table(75), to: first)
        try Fixtures.write("x,id\n" + (75..<150).map { "1,\($0)\n" }.joined(), to: second)
        let run = harness.run(
            ["create", file, "--from", "T=\(first)", "--from", "T=\(second)", "--key", "id", "-q"])
        #expect(run.status == 0, "\(run.errors)")
        let ids = harness.run(["query", file, "T | select(id)", "-f", "csv"]).output
        #expect(ids == "id\n" + (0..<150).map { "\($0)\n" }.joined())
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
    }

    @Test(
        "Objects with escaped strings, missing fields, nulls and whole numbers are loaded correctly"
    )
    func objectsOfAllForms() throws {
        let text = objects(300) { number in
            switch number % 23 {
            case 3: "{\"id\":\(number)}\n"
            case 5: "{\"x\":-0.0,\"id\":\(number),\"name\":\"a \\\"b\\\" \\u00e9\\n\"}\n\n"
            case 7: "  {\"b\":null,\n\"id\":\(number), \"x\":3}\r\n"
            case 11:
                "{\"x\":1e22,\"id\":\(number)}\n{\"x\":0.30000000000000004,\"id\":9\(number)}\n"
            default: nil
            }
        }
        let run = try create(text, named: "input.ndjson")
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test(
        "A mistake far from the start has the same message as in a small input",
        arguments: [
            ("250,\"a\",1.5\n", ":502: 3 fields where the header has 4"),
            (",\"a\",1.5,2020-01-01\n", ":502, id: an object without a value for its key"),
            ("7,\"a\",1.5,2020-01-01\n", ":502, id: 7 is also the key of line 16"),
            ("250,a\"b,1.5,2020-01-01\n", ":502: a quote inside a field that does not begin"),
            ("250,\"a,1.5,2020-01-01\n", ":503: text after the closing quote of a field"),
        ])
    func mistakesOfTables(row: String, message: String) throws {
        let run = try create(table(300) { $0 == 250 ? row : nil })
        #expect(run.status == 65)
        #expect(run.errors.contains("input.csv" + message), "\(run.errors)")
        #expect(harness.run(["query", file, "T"]).status == 66)
    }

    @Test(
        "An invalid object far from the start has the same message as in a small input",
        arguments: [
            ("{\"id\":7}\n", ":251: T already has an object with id 7"),
            ("{\"id\":null}\n", ":251, id: Int cannot be null"),
            ("{\"x\":7}\n", ":251: an object of T without a value for its key id"),
            ("{\"id\":250,}\n", ":251:11: not JSON: expected a name in quotes"),
            ("{\"id\":250,\"id\":1}\n", ":251: an object has the name \"id\" twice"),
            ("[1]\n", ":251: a record must be an object, not an array"),
        ])
    func mistakesOfObjects(object: String, message: String) throws {
        let run = try create(objects(300) { $0 == 250 ? object : nil }, named: "input.ndjson")
        #expect(run.status == 65)
        #expect(run.errors.contains("input.ndjson" + message), "\(run.errors)")
        #expect(harness.run(["query", file, "T"]).status == 66)
    }

    /// The duplicate with the smallest hash was named, so the same input had another message in
    /// other parts.
    @Test("Of several duplicate keys, the first one in the input is reported")
    func firstDuplicate() throws {
        let twice = [100: 90, 120: 3, 200: 199, 290: 0]
        let run = try create(
            objects(300) { twice[$0].map { "{\"id\":\($0)}\n" } }, named: "i.ndjson")
        #expect(run.errors.contains("i.ndjson:101: T already has an object with id 90"))
        let table = try create(table(300) { twice[$0].map { "\($0),a,1.5,2020-01-01\n" } })
        #expect(table.errors.contains("id: 90 is also the key of line"), "\(table.errors)")
    }

    @Test(
        "Objects with class names, ids or unexpected values are loaded as records",
        arguments: [
            "{\"id\":250,\"$id\":999}", "{\"$class\":\"T\",\"id\":250}",
            "{\"$class\":\"U\",\"id\":1}", "{\"id\":250,\"list\":[1,2]}",
            "{\"id\":250,\"x\":\"text\"}", "{\"id\":250,\"x\":12345678901234567}",
            "{\"id\":250,\"x\":-0}", "{\"id\":250,\"x\":-0.0}",
        ])
    func named(object: String) throws {
        let text = objects(300) { $0 == 250 ? object + "\n" : nil }
        let run = try create(text, named: "input.ndjson", ["--key", "T.id"])
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("An interruption leaves no database")
    func interruption() throws {
        try Fixtures.write(table(500), to: input)
        for delay in [3, 10, 20] {
            var harness = harness
            (harness.signal, harness.signalDelay) = (2, delay)
            let run = harness.run(["create", file, "--from", "T=\(input)", "-q"])
            #expect(run.status != 0)
            #expect(harness.run(["query", file, "T"]).status == 66)
        }
    }
}
