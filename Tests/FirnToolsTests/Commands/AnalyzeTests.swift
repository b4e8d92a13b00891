import FirnPlatform
import FirnTesting
import Testing

@testable import FirnTools

@Suite("firn query --analyze, and outputs with a format in their name")
struct AnalyzeTests {
    private let harness = CommandHarness()

    @Test("query --analyze prints the plan, followed by the cost of the query")
    func analyze() throws {
        let file = try harness.makePeople()
        let query = ["query", file, "Person age > 40 SORT(age)"]
        let plan = harness.run(query + ["--explain", "-f", "csv"]).output
        for words in [["--analyze"], ["--explain=analyze"], ["--explain", "--analyze"]] {
            let run = harness.run(query + words + ["-f", "csv"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.hasPrefix(plan), "\(run.output)")
            let last = run.output.dropFirst(plan.count)
            let form =
                #/took: 2 rows · [0-9.]+ ms · [0-9]+ of [0-9]+ pages read \([0-9]+% skipped\) · .* decompressed/#
            #expect(last.contains(form), "\(last)")
        }
        #expect(harness.run(query + ["--explain=plan", "-f", "csv"]).output == plan)
        #expect(harness.run(query + ["--explain=all"]).status == 64)
        // After the end of the options it is a query.
        #expect(harness.run(["query", file, "--", "--explain=analyze"]).status == 65)
    }

    @Test("query --analyze prints the rows and the time of each operator")
    func operators() throws {
        let file = try harness.makePeople()
        let run = harness.run([
            "query", file,
            "Person age > 30 SORT(age) SKIP(1) | name != '' | group(city; n = @count) | n > 0",
            "--analyze", "-f", "csv",
        ])
        #expect(run.status == 0, "\(run.errors)")
        let lines = run.output.split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex(of: "cost of each operator:"), "\(lines)")
        let costs = lines[(start + 1)...].dropLast()
        let names = costs.compactMap { line in
            line.firstMatch(of: #/^  (\w+) +(\d+) rows? +· [0-9.]+ ms/#).map { "\($0.1) \($0.2)" }
        }
        let rows = try #require(
            harness.run(["query", file, "Person age > 30 | count", "-f", "csv"]).output
                .split(separator: "\n").last.flatMap { Int($0) })
        let groups = harness.run([
            "query", file, "Person age > 30 SORT(age) SKIP(1) DISTINCT(city)",
        ])
        .output.split(separator: "\n").count
        // The sort leaves out the rows to be skipped.
        #expect(
            names == [
                "scan \(rows)", "sort \(rows - 1)", "skip \(rows - 1)", "filter \(rows - 1)",
                "group \(groups)", "filter \(groups)", "output \(groups)",
            ], "\(costs)")
    }

    /// The sort asks the group for no rows: it reads them from where they are kept.
    @Test("A group that feeds a sort with a limit has its own cost")
    func groupBeforeSort() throws {
        let file = try harness.makePeople()
        let run = harness.run([
            "query", file, "Person | group(age; n = @count) | SORT(age) LIMIT(2)", "--analyze",
            "-f", "csv",
        ])
        #expect(run.output.contains(#/\n  group +3 rows +· /#), "\(run)")
        #expect(run.output.contains(#/\n  sort +2 rows +· /#), "\(run)")
    }

    @Test("A terminal shows a whole plan, with nothing below it")
    func plans() throws {
        var harness = harness
        let file = try harness.makePeople()
        harness.isTerminal = true
        let long = (1...12).map { "name == 'nobody \($0)'" }.joined(separator: " OR ")
        let query = ["query", file, "Person \(long)", "--width", "60", "--rows", "2"]
        for words in [["--explain"], ["--analyze"], ["--explain", "--stats"]] {
            let run = harness.run(query + words)
            #expect(run.output.contains("nobody 12") && run.output.contains("observed:"), "\(run)")
            #expect(!run.output.contains("…"), "\(run.output)")
            #expect(run.errors == "", "\(run.errors)")
        }
        let rows = harness.run(query)
        #expect(rows.errors.contains("0 rows · "), "\(rows.errors)")
    }

    @Test("An output name with an unknown format is refused, and no file is created")
    func names() throws {
        var harness = harness
        let file = try harness.makePeople()
        let query = ["query", file, "Person", "-o"]
        let run = harness.run(query + [harness.folder("out.cvs")])
        #expect(run.status == 64)
        #expect(run.errors.contains("unknown format cvs"), "\(run.errors)")
        #expect(run.errors.contains("did you mean \"csv\"?"), "\(run.errors)")
        let text = harness.run(query + [harness.folder("out.txt")])
        #expect(text.errors.contains("choose one with -f: table, box, line, csv"), "\(text.errors)")
        #expect(!harness.folder.names.contains { $0.hasPrefix("out") })
        #expect(harness.run(query + [harness.folder("out.txt"), "-f", "table"]).status == 0)
        #expect(harness.run(query + [harness.folder("out")]).status == 0)
        #expect(
            harness.run(query + [harness.folder("raw.txt"), "-s", "name", "-r"]).status == 0)
        harness.variables["FIRN_FORMAT"] = "csv"
        #expect(harness.run(query + [harness.folder("more.txt")]).status == 0)
    }
}
