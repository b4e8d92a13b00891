import FirnPlatform
import FirnTesting
import FirnTools
import Testing

@Suite("Parameters of firn query from a file")
struct QueryParameterTests {
    private let harness = CommandHarness()
    private let file: String

    init() throws { file = try harness.makePeople() }

    private func run(_ json: String, _ words: [String] = []) throws -> CommandHarness.Run {
        let path = harness.folder("params\(json.utf8.count).json")
        try Fixtures.write(json, to: path)
        let query = "Person age > $min AND city == $city SORT(age) | select(name)"
        return harness.run(["query", file, query, "-r", "--params", path] + words)
    }

    @Test("The members of one object are the parameter values, each with its type")
    func values() throws {
        let run = try run("{\"min\": 40,\n \"city\": \"Oslo\", \"unused\": null}\n")
        #expect(run.output == "Bo\nAl\n", "\(run.errors)")
        #expect(try self.run("{\"min\":1,\"city\":\"x\"}", ["-p", "city=Rome"]).output == "Cy\n")
    }

    @Test("Parameters can be read from standard input if the query is given elsewhere")
    func input() {
        let words = ["query", file, "Person age > $min | count", "-r", "--params", "-"]
        #expect(harness.run(words, input: "{\"min\":50}").output == "1\n")
        #expect(harness.run(["query", file, "--params", "-"], input: "{}").status == 64)
    }

    @Test(
        "An input that is not an object is an error",
        arguments: [
            "", "[]", "7", "{} {}", "{\"min\":", "{\"min\":{\"$ref\":\"Person\",\"id\":7}}",
        ])
    func wrong(json: String) throws {
        let run = try run(json)
        #expect(run.status == 65, "\(json) \(run.errors)")
        #expect(run.errors.contains("params\(json.utf8.count).json"), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    @Test("A missing value or a missing file is reported")
    func missing() throws {
        #expect(try run("{\"min\":1}").errors.contains("-p city="))
        let words = ["query", file, "Person", "--params", harness.folder("none.json")]
        #expect(harness.run(words).status == 66)
    }
}

@Suite("The time limit of firn query")
struct QueryTimeoutTests {
    private var harness = CommandHarness()
    private let file: String

    init() throws {
        file = try harness.makePeople()
        // The clock advances a fifth of a second at each access.
        harness.use(SteppingClock())
    }

    @Test("After the time limit, the query ends with 124 and prints no output")
    func over() throws {
        let out = harness.folder("out.csv")
        for words in [[], ["-o", out]] {
            let run = harness.run(["query", file, "Person SORT(age)", "--timeout", "1ms"] + words)
            #expect(run.status == 124, "\(run.errors)")
            #expect(run.errors == "error: the query took longer than 1 ms\n")
            #expect(run.output.isEmpty)
        }
        let words = ["query", file, "Person", "--timeout", "1ms", "--errors", "json"]
        let json = harness.run(words).errors
        #expect(json.contains("\"code\":\"query.timeout\",\"exit\":124"), "\(json)")
        #expect(!FolderListing.names(in: harness.folder.path).contains("out.csv"))
    }

    @Test("A query that ends in time is unaffected")
    func inTime() {
        let run = harness.run(["query", file, "Person | count", "--timeout", "1d", "-r"])
        #expect(run.output == "3\n", "\(run.errors)")
    }

    @Test("A signal ends a query in the middle of its work")
    func signal() {
        var harness = harness
        harness.signal = 2
        let run = harness.run(["query", file, "Person | count"])
        #expect(run.ending == .signal(2))
        #expect(run.errors == "interrupted: \(file) was only read\n")
    }
}
