import FirnTesting
import FirnValues
import Testing

@testable import FirnTools

@Suite("Command lines of write that are read without the parser")
struct WriteOptionsTests {
    private static let vocabulary = [
        "a.firn", "b.csv", "é", "-", "--", "", "-x", "--execute", "-x=y", "-c", "--class", "-q",
        "--quiet", "-qx", "--upsert", "--batch", "-h", "--help", "--version", "-1",
        "P x == 1 | delete",
    ]

    /// What the parser makes of the words; `nil` if it refuses them.
    private func parsed(_ words: [String]) -> WriteOptions? {
        // Words that the parser refuses have no order; why it does is told by other tests.
        (try? WriteCommand.parsed(words))?.options
    }

    @Test("Short ones mean the same to the parser")
    func shortLines() {
        var plainCount = 0
        var lines: [[String]] = [[]]
        for _ in 0..<3 {
            lines = lines.flatMap { line in WriteOptionsTests.vocabulary.map { line + [$0] } }
            for line in lines {
                guard let order = WriteOptions(fastPath: line) else { continue }
                plainCount += 1
                #expect(order == parsed(line), "\(line)")
            }
        }
        #expect(plainCount > 50)
    }

    @Test("Random ones mean the same to the parser")
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
            guard let order = WriteOptions(fastPath: line) else { continue }
            plainCount += 1
            #expect(order == parsed(line), "\(line)")
        }
    }

    @Test("A statement, a class, inputs in their order, and quiet")
    func plainLine() {
        let order = WriteOptions(fastPath: ["a.firn", "b.csv", "-x", "-y", "-c", "P", "c", "-q"])
        #expect(order?.file == "a.firn")
        #expect(order?.steps == [.input("b.csv"), .statement("-y"), .input("c")])
        #expect(order?.className == "P")
        #expect(order?.isQuiet == true)
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

    @Test("The parser's other values reach the order")
    func parsedLine() throws {
        let order = try #require(
            parsed([
                "a.firn", "b.csv", "--update", "--key", "k", "--input", "ops", "--map", "f=p",
                "--null", "-", "-p", "n:=1", "--create", "--add-properties", "--batch", "5",
                "--on-error", "skip", "--if-version", "7", "--returning", "-f", "text", "--wait",
                "2s", "--progress", "never", "--errors", "json", "--type", "p=Int", "--link",
                "p=f:C.k",
            ]))
        #expect(order.policy == .update)
        #expect(order.key == "k")
        #expect(order.inputFormat == .ops)
        #expect(order.names.properties == ["f": "p"])
        #expect(order.nullText == "-")
        #expect(order.arguments == ["n": .int(1)])
        #expect(order.creates)
        #expect(order.addsProperties)
        #expect(order.batch == 5)
        #expect(order.onError == .skip)
        #expect(order.ifVersion == 7)
        #expect(order.returnsObjects)
        #expect(!order.isDryRun)
        #expect(order.report == .text)
        #expect(order.wait == TimeSpan(argument: "2s"))
        #expect(order.progress == .never)
        #expect(order.errors == .json)
        #expect(order.types.map(\.property) == ["p"])
        #expect(order.links.count == 1)
        #expect(parsed(["a.firn", "b.csv", "--dry-run"])?.isDryRun == true)
    }
}
