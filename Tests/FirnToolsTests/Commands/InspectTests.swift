import FirnEngine
import FirnPlatform
import FirnTesting
import FirnTools
import Testing

@Suite("Further options of stats and check")
struct InspectTests {
    private let harness = CommandHarness()
    private let file: String

    init() throws { file = try harness.makePeople() }

    /// The first interrupt, and --timeout with it, had no effect: the check ran to its end.
    @Test("An interrupt ends a running check", arguments: [[], ["--deep"]])
    func interruptedCheck(options: [String]) throws {
        var harness = CommandHarness()
        let file = try harness.makePeople()
        harness.signal = Signals.interrupt
        let run = harness.run(["check", file] + options)
        #expect(run.ending == .signal(Signals.interrupt) && run.output.isEmpty, "\(run)")
    }

    @Test("The pages of a column are listed with their zone maps")
    func pages() {
        let json = harness.run(["stats", file, "--pages"])
        #expect(json.status == 0)
        let page = "\"property\":\"age\",\"part\":\"values\",\"offset\":"
        #expect(
            json.output.contains("\"pages\":[{\"group\":0,\"property\":\"id\""), "\(json.output)")
        #expect(json.output.contains(page), "\(json.output)")
        #expect(json.output.contains("\"min\":\"33\",\"max\":\"52\""), "\(json.output)")
        let text = harness.run(["stats", file, "--pages", "-f", "text"]).output
        #expect(text.contains("group  column"), "\(text)")
        #expect(text.contains("Rome"), "\(text)")
        #expect(!harness.run(["stats", file]).output.contains("offset"))
    }

    @Test("A page is listed at its offset, with its own size")
    func places() throws {
        let store = try Store.open(file, readOnly: true, services: .real)
        let snapshot = try store.snapshot()
        let size = try store.fileStatus().size
        var ranges: [Range<UInt64>] = []
        for schema in snapshot.schema.classes {
            for page in try #require(snapshot.table(schema.id)).pageStatistics() {
                ranges.append(page.offset..<page.offset + page.storedByteCount)
            }
        }
        #expect(ranges.count == 4)
        #expect(ranges.allSatisfy { $0.lowerBound >= 16_384 && $0.upperBound <= size })
        ranges.sort { $0.lowerBound < $1.lowerBound }
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
    }

    @Test("A sample checks some row groups, and prints their number")
    func sample() throws {
        let rows = (0..<5000).map { "\($0)\n" }.joined()
        let big = harness.folder("big.firn")
        var harness = harness
        harness.rowsPerGroup = 100
        let made = harness.run(
            ["create", big, "--from", "-", "--class", "Row", "-q"], input: "n\n" + rows)
        try #require(made.status == 0, "\(made.errors)")
        for (percent, sampled) in [("10%", 5), ("1%", 1), ("100%", 50)] {
            let run = harness.run(["check", big, "--sample", percent])
            #expect(run.status == 0, "\(run.output)")
            #expect(
                run.output.contains("\"rowGroups\":50,\"sampled\":\(sampled)"), "\(run.output)")
        }
        let text = harness.run(["check", big, "--sample", "10%", "-f", "text"]).output
        #expect(text.hasSuffix("; a sample: 5 of 50 row groups\n"), "\(text)")
        #expect(harness.run(["check", big, "--sample", "5%", "--deep"]).status == 64)
        #expect(harness.run(["check", big, "--sample", "some"]).status == 64)
    }
}
