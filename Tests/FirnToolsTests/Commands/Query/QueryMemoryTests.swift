import FirnTesting
import FirnTools
import Testing

@Suite("The memory limit of firn query")
struct QueryMemoryTests {
    private let harness = CommandHarness()
    private let file: String

    /// 60,000 objects with 30,000 different numbers, whose groups need more than a megabyte.
    init() throws {
        let csv = (0..<60_000).map { "\($0),\($0 * 7 % 30_000)\n" }.joined()
        let input = harness.folder("numbers.csv")
        file = harness.folder("numbers.firn")
        try Fixtures.write("id,number\n" + csv, to: input)
        let run = harness.run(["create", file, "--from", input, "--class", "Number", "-q"])
        try #require(run.status == 0, "\(run.errors)")
    }

    @Test(
        "The rows are the same with less memory than they need",
        arguments: [
            "Number | group(number; n = @count, @sum.id)",
            "Number | group(number; n = @count, @max.id) | SORT(number) LIMIT(5)",
            "Number SORT(number, id DESC)",
        ])
    func sameRows(query: String) {
        let expected = harness.run(["query", file, query, "-f", "csv"])
        let run = harness.run(["query", file, query, "-f", "csv", "--max-memory", "1M"])
        #expect(run.status == 0 && run.output == expected.output, "\(run.errors)")
        #expect(run.output.utf8.count > 20)
    }

    @Test("Less than a megabyte is refused immediately", arguments: ["0", "4096", "1023K"])
    func tooLittle(size: String) {
        let run = harness.run(["query", file, "Number | group(number)", "--max-memory", size])
        #expect(run.status == 64 && run.output.isEmpty)
        #expect(run.errors.contains("--max-memory must be at least 1M"), "\(run.errors)")
    }

    @Test("An invalid size is an error that shows the valid form")
    func noSize() {
        let run = harness.run(["query", file, "Number", "--max-memory", "much"])
        #expect(run.status == 64 && run.errors.contains("64K, 10M or 2G"), "\(run.errors)")
    }
}
