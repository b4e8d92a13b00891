import FirnPlatform
import FirnTesting
import FirnTools
import Testing

@Suite("Skipped records of create")
struct CreateSkippingTests {
    private let harness = CommandHarness()

    @Test("Invalid records are skipped and saved, and the database has the others")
    func saved() throws {
        let file = harness.folder("t.firn")
        let rejects = harness.folder("rejects.ndjson")
        let run = harness.run(
            [
                "create", file, "--from", "T=-", "--key", "id", "--type", "age=Int", "--on-error",
                "save=\(rejects)",
            ], input: "id,age\n1,41\n2,old\n3\n1,7\n,8\n5,9\n")
        #expect(run.status == 65, "\(run.errors)")
        #expect(run.output.contains("\"rejected\":4"), "\(run.output)\(run.errors)")
        #expect(harness.run(["query", file, "T", "-f", "csv"]).output == "id,age\n1,41\n5,9\n")
        let lines = String(decoding: try Fixtures.read(rejects), as: UTF8.self)
            .split(separator: "\n")
        #expect(lines.count == 4)
        for (line, code) in zip(
            lines, ["write.type", "input.syntax", "write.duplicate-key", "write.missing-value"])
        {
            #expect(line.contains("\"code\":\"\(code)\""), "\(line)")
        }
        #expect(harness.run(["check", file, "--deep", "-q"]).status == 0)
    }

    @Test("Lines that are not JSON are skipped, and links to skipped objects are rejected")
    func links() throws {
        let file = harness.folder("t.firn")
        let schema = """
            {"$schema":{"v":1,"classes":[{"name":"Dog","key":"id","properties":[\
            {"name":"id","type":"Int"},{"name":"friend","type":"Dog"}]}]}}

            """
        let run = harness.run(
            ["create", file, "--from", "-", "--on-error", "skip"],
            input: schema + """
                {"$class":"Dog","id":1,"friend":2}
                {"$class":"Dog","id":2,"friend":3}
                {"$class":"Dog","id":3,"friend":9}
                {"$class":"Dog","id":4,"friend":5}
                {bad
                {"$class":"Dog","id":5,"friend":4}

                """)
        #expect(run.status == 65, "\(run.errors)")
        #expect(run.output.contains("\"rejected\":4"), "\(run.output)\(run.errors)")
        #expect(
            harness.run(["query", file, "Dog | select(id, friend.id)", "-f", "csv"]).output
                == "id,friend.id\n4,5\n5,4\n")
    }

    @Test("Without skips, the result is the same as in bulk, and nothing is created after an error")
    func equal() throws {
        let lines = (0..<3_000).map { "\($0),text \($0 % 7),\($0).5,2013-01-\($0 % 9 + 10)" }
        let input = "id,t,x,d\n" + lines.joined(separator: "\n") + "\n"
        let bulk = harness.folder("bulk.firn")
        let single = harness.folder("single.firn")
        #expect(harness.run(["create", bulk, "--from", "T=-", "-q"], input: input).status == 0)
        let run = harness.run(
            ["create", single, "--from", "T=-", "-q", "--on-error", "skip"], input: input)
        #expect(run.status == 0, "\(run.errors)")
        #expect(harness.run(["diff", bulk, single, "-q"]).status == 0)
        let aborted = harness.run(
            ["create", harness.folder("no.firn"), "--from", "T=-", "--on-error", "abort"],
            input: "a,b\n1\n")
        #expect(aborted.status == 65)
        #expect(harness.folder.names.sorted() == ["bulk.firn", "single.firn"])
    }
}
