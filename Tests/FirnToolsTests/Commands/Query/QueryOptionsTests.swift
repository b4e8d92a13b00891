import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnFormats
@testable import FirnTools

@Suite("Command lines of query on the fast path")
struct QueryOptionsTests {
    private static let vocabulary = [
        "a.firn", "P x == 1", "é", "-", "--", "", "-c", "--class", "-q", "--quiet", "-f",
        "--format", "json", "auto", "--no-header", "--count", "-f=json", "-F", "-s", "--limit",
        "--help", "-1", "-e", "--progress=json",
    ]

    /// The parser's result for the words; `nil` if it refuses them.
    private func parsed(_ words: [String]) -> QueryOptions? {
        // Words that the parser refuses have no options; other tests check the reasons.
        (try? QueryCommand.parsed(words))?.options
    }

    @Test("The parser reads short command lines like the fast path")
    func shortLines() {
        var plainCount = 0
        var lines: [[String]] = [[]]
        for _ in 0..<3 {
            lines = lines.flatMap { line in QueryOptionsTests.vocabulary.map { line + [$0] } }
            for line in lines {
                guard let options = QueryOptions(fastPath: line) else { continue }
                plainCount += 1
                // Without optimization, the parser takes 20 ms: of the longest lines, a third is parsed.
                guard line.count < 3 || plainCount % 3 < TestScale.factor else { continue }
                #expect(options == parsed(line), "\(line)")
            }
        }
        #expect(plainCount > 50)
    }

    @Test("The parser reads random command lines like the fast path")
    func randomLines() {
        let seed = 43 + TestScale.firstSeed
        print("seed \(seed)")
        var generator = SplitMix64(seed: seed)
        var plainCount = 0
        while plainCount < 150 {
            let length = Int.random(in: 4...8, using: &generator)
            let line = (0..<length).compactMap { _ in
                QueryOptionsTests.vocabulary.randomElement(using: &generator)
            }
            guard let options = QueryOptions(fastPath: line) else { continue }
            plainCount += 1
            #expect(options == parsed(line), "\(line)")
        }
    }

    @Test("The fast path reads a database, stages, a class, a format, and flags")
    func plainLine() {
        let options = QueryOptions(
            fastPath: [
                "-f", "csv", "a.firn", "x > 1", "-c", "P", "y", "-q", "--no-header", "--count",
                "--errors", "json",
            ])
        #expect(options?.file == "a.firn")
        #expect(options?.query == ["x > 1", "y"])
        #expect(options?.className == "P")
        #expect(options?.rows.format == .csv)
        #expect(options?.isQuiet == true)
        #expect(options?.rows.hasHeader == false)
        #expect(options?.counts == true)
    }

    @Test(
        "Everything else is left to the parser",
        arguments: [
            [], ["-q"], ["a.firn", "-"], ["a.firn", ""], ["a.firn", "-c"], ["a.firn", "-f", "x"],
            ["a.firn", "P", "-f", "csv", "-f", "json"], ["a.firn", "P", "--limit", "1"],
            ["a.firn", "P", "-c", "-q"], ["a.firn", "P", "--errors", "xml"],
            ["a.firn", "P", "--", "x"], ["--help"], ["--version"],
        ])
    func otherLines(words: [String]) { #expect(QueryOptions(fastPath: words) == nil) }

    @Test("All values of the command line reach the options")
    func parsedLine() throws {
        let options = try #require(
            parsed([
                "a.firn", "-F", "q", "-s", "a,b", "--sort", "-a", "--limit", "3", "--skip", "2",
                "--count", "--explain", "--stats", "-e", "-1", "--at", "7", "-p", "n:=1", "-f",
                "tsv", "-o", "out", "--color", "never", "-r", "-0", "--null", "-", "--no-header",
                "--rows", "5", "--width", "60", "--depth", "2", "--int64", "string",
            ]))
        #expect(options.queryFile == "q")
        #expect(options.properties == "a,b")
        #expect(options.sort == "-a")
        #expect(options.limit == 3)
        #expect(options.skip == 2)
        #expect(options.counts && options.explanation == .plan && options.reportsCost)
        #expect(options.failsWithoutRows && options.wantsOne)
        #expect(options.version?.reference == .number(LSN(7)))
        #expect(options.arguments == ["n": .int(1)])
        #expect(options.rows.format == .tsv)
        #expect(options.rows.output == "out")
        #expect(options.rows.color == .never)
        #expect(options.rows.isRaw && options.rows.endsWithNUL && !options.rows.hasHeader)
        #expect(options.rows.nullText == "-")
        #expect(options.rows.rowsMax == .count(5))
        #expect(options.rows.width == 60)
        #expect(options.rows.objects == ObjectLayout(depth: 2, quotesInt64: true))
    }
}
