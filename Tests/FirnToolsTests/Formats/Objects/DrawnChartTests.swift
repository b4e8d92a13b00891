import FirnTesting
import Testing

@Suite("Drawn charts")
struct DrawnChartTests {
    /// Creates a database whose objects have these values of x in order, and returns the lines of a
    /// query.
    private func lines(
        _ values: [Int?], _ query: String, _ options: String...
    ) throws -> [String] {
        let harness = CommandHarness()
        let input = values.map { $0.map { "{\"x\":\($0)}\n" } ?? "{\"x\":null}\n" }.joined()
        let file = harness.folder.path + "/a.firn"
        let made = harness.run(["create", file, "--from", "Item=-", "-q"], input: input)
        #expect(made.status == 0, "\(made.errors)")
        let run = harness.run(["query", file, query] + options)
        #expect(run.status == 0, "\(run.errors)")
        return run.output.split(separator: "\n").map(String.init)
    }

    /// Returns the last field of each row of a table.
    private func drawings(_ values: [Int?], _ query: String) throws -> [String] {
        try lines(values, query, "-f", "table", "--no-header", "--width", "200").map { line in
            let field = line.split(separator: "│", omittingEmptySubsequences: false).last ?? ""
            return String(field.drop { $0 == " " })
        }
    }

    @Test("hist draws a bar of at most 24 characters for each count")
    func histogram() throws {
        #expect(
            try drawings([1, 2, nil, 4, 10, 10, 7, nil, 5], "Item | hist(x, 3)") == [
                String(repeating: "█", count: 24), String(repeating: "█", count: 16),
                String(repeating: "█", count: 16), "",
            ])
    }

    @Test("bar draws a bar beside each value, to an eighth of a character")
    func bars() throws {
        let texts = try drawings([80, 40, 1, 0, -5, nil, 81], "Item SORT(x DESC) | bar(x)")
        #expect(texts.map(\.count) == [24, 24, 12, 1, 0, 0, 0])
        #expect(texts[1].last == "▊")
        #expect(texts[3] == "▎")
        #expect(try drawings([-5], "Item | bar(x)") == [""])
    }

    @Test("spark is one line, in which many values share a character")
    func line() throws {
        #expect(try drawings([0, 7, nil, 14, 3], "Item | spark(x)") == ["▁▅█▃"])
        let lows = String(repeating: "▁", count: 30)
        let highs = String(repeating: "█", count: 30)
        #expect(try drawings((0..<600).map { $0 / 300 }, "Item | spark(x)") == [lows + highs])
        // The highest character is the greatest mean, 450, and not the number far from the others.
        let outlier = (0..<120).map { $0 == 119 ? 600 : $0 / 60 * 300 }
        let plain = lows + String(repeating: "▆", count: 29)
        #expect(try drawings(outlier, "Item | spark(x)") == [plain + "█"])
        #expect(try drawings([0, 7, 3], "Item x == 7 | spark(x)") == ["▄"])
    }

    @Test("Data output has the numbers of a chart instead of bars, but keeps the line of spark")
    func data() throws {
        #expect(
            try lines([1, 2, 4], "Item | bar(x)") == ["{\"x\":1}", "{\"x\":2}", "{\"x\":4}"])
        #expect(
            try lines([1, 2, 4], "Item | hist(x, 2)", "-f", "csv") == [
                "from,to,count", "1,2,2", "3,4,1",
            ])
        #expect(
            try lines([0, 7, 14, 3], "Item | spark(x)") == [
                "{\"min\":0,\"max\":14,\"line\":\"▁▅█▃\"}"
            ])
    }
}
