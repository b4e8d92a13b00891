import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnFormats
@testable import FirnTools

@Suite("Command lines of write on the fast path")
struct WriteOptionsTests {
    private static let vocabulary = [
        "a.firn", "b.csv", "é", "-", "--", "", "-x", "--execute", "-x=y", "-c", "--class", "-q",
        "--quiet", "-qx", "--upsert", "--batch", "-h", "--help", "--version", "-1",
        "P x == 1 | delete",
    ]

    /// The parser's result for the words; `nil` if it refuses them.
    private func parsed(_ words: [String]) -> WriteOptions? {
        // Words that the parser refuses have no options; other tests check the reasons.
        (try? WriteCommand.parsed(words))?.options
    }

    @Test("The parser reads short command lines like the fast path")
    func shortLines() {
        var plainCount = 0
        var lines: [[String]] = [[]]
        for _ in 0..<3 {
            lines = lines.flatMap { line in WriteOptionsTests.vocabulary.map { line + [$0] } }
            for line in lines {
                guard let options = WriteOptions(fastPath: line) else { continue }
                plainCount += 1
                #expect(options == parsed(line), "\(line)")
            }
        }
        #expect(plainCount > 50)
    }

    @Test("The parser reads random command lines like the fast path")
    func randomLines() {
        let seed = 41 + TestScale.firstSeed
        print("seed \(seed)")
        var generator = SplitMix64(seed: seed)
        var plainCount = 0
        while plainCount < 150 {
            let length = Int.random(in: 4...8, using: &generator)
            let line =
                ["a.firn"]
                + (0..<length).compactMap { _ in
                    WriteOptionsTests.vocabulary.randomElement(using: &generator)
                }
            guard let options = WriteOptions(fastPath: line) else { continue }
            plainCount += 1
            #expect(options == parsed(line), "\(line)")
        }
    }

    @Test("The fast path reads a statement, a class, inputs in their order, and quiet")
    func plainLine() {
        let options = WriteOptions(fastPath: ["a.firn", "b.csv", "-x", "-y", "-c", "P", "c", "-q"])
        #expect(options?.file == "a.firn")
        #expect(options?.steps == [.input("b.csv"), .statement("-y"), .input("c")])
        #expect(options?.className == "P")
        #expect(options?.isQuiet == true)
    }

    @Test(
        "Everything else is left to the parser",
        arguments: [
            [], ["a.firn"], ["a.firn", "-q"], ["a.firn", "-x"], ["a.firn", "b.csv", "-c"],
            ["a.firn", "b.csv", "-c", "-x"], ["a.firn", "b.csv", "-c", "A", "-c", "B"],
            ["-x", "delete", "a.firn"], ["a.firn", "-"], ["", "b.csv"], ["a.firn", ""],
            ["a.firn", "b.csv", "--help"], ["a.firn", "b.csv", "--", "c"], ["--version"],
        ])
    func otherLines(words: [String]) { #expect(WriteOptions(fastPath: words) == nil) }

    @Test("All values of the command line reach the options")
    func parsedLine() throws {
        let options = try #require(
            parsed([
                "a.firn", "b.csv", "--update", "--key", "k", "--input", "ops", "--map", "f=p",
                "--null", "-", "-p", "n:=1", "--create", "--add-properties", "--batch", "5",
                "--on-error", "skip", "--if-version", "7", "--returning", "-f", "text", "--wait",
                "2s", "--progress", "never", "--errors", "json", "--type", "p=Int", "--link",
                "p=f:C.k",
            ]))
        #expect(options.policy == .update)
        #expect(options.key == "k")
        #expect(options.inputFormat == .ops)
        #expect(options.records.names.properties == ["f": "p"])
        #expect(options.records.nullText == "-")
        #expect(options.arguments == ["n": .int(1)])
        #expect(options.creates)
        #expect(options.addsProperties)
        #expect(options.batch == 5)
        #expect(options.records.onError == .skip)
        #expect(options.ifVersion == 7)
        #expect(options.returnsObjects)
        #expect(!options.isDryRun)
        #expect(options.report == .text)
        #expect(options.wait == TimeSpan(argument: "2s"))
        #expect(options.progress == .never)
        #expect(options.errors == .json)
        #expect(options.records.types.map(\.property) == ["p"])
        #expect(options.records.links.count == 1)
        #expect(parsed(["a.firn", "b.csv", "--dry-run"])?.isDryRun == true)
    }
}
