import FirnPlatform
import FirnTesting
import FirnTools
import Testing

@Suite("JSON that is one object of arrays")
struct JSONArrayTests {
    private let harness = CommandHarness()
    private static let document = """
        {
          "people": [{"id": 1, "name": "B]o}", "dogs": [{"n": 1}]}, {"id": 2, "name": "Cy"}],
          "guide_dogs": [{"id": 7}],
          "cats": []
        }

        """

    private func make(_ text: String, _ name: String = "all.json") throws -> String {
        let path = harness.folder(name)
        try Fixtures.write(text, to: path)
        return path
    }

    @Test("Each array becomes a class in create and query")
    func classes() throws {
        let input = try make(Self.document)
        let file = harness.folder("t.firn")
        let run = harness.run(["create", file, "--from", input, "--key", "id"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            harness.run(["query", file, "People | select(id, name)", "-f", "csv"]).output
                == "id,name\n1,B]o}\n2,Cy\n")
        #expect(harness.run(["query", file, "GuideDogs", "-f", "csv"]).output == "id\n7\n")
        let direct = harness.run(["query", input, "GuideDogs", "-f", "csv"])
        #expect(direct.output == "id\n7\n", "\(direct.errors)")
        let piped = harness.run(["query", "-", "People", "--count", "-r"], input: Self.document)
        #expect(piped.output == "2\n", "\(piped.errors)")
    }

    @Test("Write puts each array into the class of its name")
    func write() throws {
        let file = harness.folder("t.firn")
        let input = try make(Self.document)
        #expect(harness.run(["create", file, "--from", input, "--key", "id", "-q"]).status == 0)
        let more = try make(
            "{\"People\":[{\"id\":3,\"name\":\"Al\"}],\"guide dogs\":[{\"id\":8},{\"id\":9}]}",
            "more.json")
        let run = harness.run(["write", file, more])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("\"inserted\":3"), "\(run.output)")
        #expect(harness.run(["query", file, "GuideDogs", "--count", "-r"]).output == "3\n")
    }

    @Test("With a class given, a single array is read, and several are an error that names them")
    func named() throws {
        let one = try make("{\"results\":[{\"a\":1},{\"a\":2}]}", "one.json")
        let file = harness.folder("t.firn")
        let run = harness.run(["create", file, "--from", "Result=\(one)"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(harness.run(["query", file, "Result", "-f", "csv"]).output == "a\n1\n2\n")
        let all = try make(Self.document)
        let several = harness.run(["create", harness.folder("no.firn"), "--from", "X=\(all)"])
        #expect(several.status == 65, "\(several)")
        #expect(several.errors.contains("people, guide_dogs, cats"), "\(several.errors)")
        #expect(several.errors.contains("each array becomes a class"), "\(several.errors)")
    }

    @Test(
        "Records with arrays remain records",
        arguments: [
            "{\"tags\":[1,2]}", "{\"lines\":[{\"a\":1}],\"id\":1}",
            "{\"lines\":[{\"a\":1}]}\n{\"lines\":[]}", "{\"lines\":[]}", "{}",
            "{\"lines\":[{\"a\":1},2]}",
        ])
    func records(text: String) throws {
        let file = harness.folder("t.firn")
        let run = harness.run(["create", file, "--from", "Order=-"], input: text)
        #expect(run.status == 0, "\(run.errors)")
        let count = text.split(separator: "\n").count
        #expect(harness.run(["query", file, "Order", "--count", "-r"]).output == "\(count)\n")
        // The name of the file says that every line is a record.
        let lines = try make("{\"lines\":[{\"a\":1}]}\n", "lines.ndjson")
        let other = harness.folder("other.firn")
        #expect(harness.run(["create", other, "--from", "Order=\(lines)", "-q"]).status == 0)
        #expect(
            harness.run(["query", other, "Order", "-f", "ndjson"]).output
                == "{\"lines\":[{\"a\":1}]}\n")
    }

    @Test("A record whose lists are properties of its class is written as one record")
    func known() throws {
        let file = harness.folder("t.firn")
        let made = harness.run(
            ["create", file, "--from", "Order=-", "-q"],
            input: "{\"lines\":[{\"a\":1}],\"n\":1}\n")
        try #require(made.status == 0)
        let run = harness.run(["write", file, "-"], input: "{\"lines\":[{\"a\":2},{\"a\":3}]}")
        #expect(run.output.contains("\"inserted\":1,"), "\(run.output)\(run.errors)")
        #expect(
            harness.run(["query", file, "Order | select(lines.@count)", "-r"]).output == "1\n2\n")
    }

    @Test("write reads a Parquet file from a pipe through a temporary copy")
    func parquet() throws {
        let people = try harness.makePeople()
        let table = harness.folder("p.parquet")
        #expect(harness.run(["export", people, table, "-q"]).status == 0)
        let bytes = try Fixtures.read(table)
        let run = harness.run(["write", people, "-", "-c", "Person", "--upsert"], input: bytes)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("\"unchanged\":3"), "\(run.output)")
        let cut = harness.run(
            ["write", people, "-", "-c", "Person"], input: Array(bytes.dropLast(9)))
        #expect(cut.status == 65 && cut.errors.contains("PAR1"), "\(cut.errors)")
        #expect(!harness.folder.names.contains { $0.hasSuffix(".tmp") })
    }
}
