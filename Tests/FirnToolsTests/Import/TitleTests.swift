import FirnTesting
import Testing

/// The search for a title above a table worked on lines without quotes, and took rows for one.
@Suite("Titles above a table")
struct TitleTests {
    private let harness = CommandHarness()

    @Test(
        "A line with as many fields as the table is a row, whatever surrounds it",
        arguments: [
            (
                "name,city,age\nBo,Oslo,41\nAl,Oslo,52\n\nCy,Rome,NA\nDi,Bonn,28\n",
                "name,city,age\nBo,Oslo,41\nAl,Oslo,52\nCy,Rome,\nDi,Bonn,28\n"
            ),
            ("id\n1\n2\n3\na;b\n4;5\n", "id\n1\n2\n3\na;b\n4;5\n"),
            ("\"na\nme\",b\n1,2\n3,4\n", "na me,b\n1,2\n3,4\n"),
            ("a,b\n\"x\n\ny\",1\n2,3\n", "a,b\n\"x\n\ny\",1\n2,3\n"),
        ])
    func rows(text: String, expected: String) throws {
        let path = harness.folder("t.csv")
        try Fixtures.write(text, to: path)
        let run = harness.run(["query", path, "T", "-f", "csv"])
        #expect(run.status == 0 && run.output == expected, "\(run)")
    }

    @Test("Skipped lines are reported, even with -q, along with an option that reads them")
    func told() throws {
        let path = harness.folder("t.csv")
        try Fixtures.write("Report 2024\n\nname,age\nBo,41\nAl,2\n", to: path)
        for quiet in [[], ["-q"]] {
            let run = harness.run(["query", path, "T", "-f", "csv"] + quiet)
            #expect(run.output == "name,age\nBo,41\nAl,2\n", "\(run)")
            #expect(run.errors.contains("left out 2 lines before the header"), "\(run.errors)")
            #expect(run.errors.contains("--skip-lines 0 reads them"), "\(run.errors)")
        }
        let made = harness.run(
            ["create", harness.folder("t.firn"), "--from", path, "--skip-lines", "2", "-q"])
        #expect(made.status == 0 && !made.errors.contains("left out"), "\(made)")
    }

    @Test("The name of a file does not change its dialect", arguments: ["csv", "tsv"])
    func dialect(suffix: String) throws {
        let path = harness.folder("t.\(suffix)")
        try Fixtures.write("a\tb\n\"x y\"\tC:\\new\n\\N\t1\n", to: path)
        let run = harness.run(["query", path, "T", "-f", "json"])
        #expect(
            run.output
                == "[\n{\"a\":\"x y\",\"b\":\"C:\\\\new\"},\n{\"a\":\"\\\\N\",\"b\":\"1\"}\n]\n",
            "\(run)")
    }
}
