import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Groups that do not fit into memory")
struct SpilledGroupTests {
    private static let keys = ["s", "i", "x", "t", "u", "d", "a", "i % 3", "s + \"!\""]
    private static let aggregates = [
        "@count", "@count.i", "@count(i > 0)", "@sum.i", "@avg.i", "@sum.x", "@avg.x", "@min.s",
        "@max.t", "@sum.d", "@median.x", "@quantile(i, 0.9)", "@stddev.x", "@distinct.s",
        "@distinct.x", "@distinct.d", "@distinct.t", "@distinct.a",
        "@first.u", "@last.a", "@first.s", "@max.a",
    ]

    private static func group(_ generator: inout SplitMix64) -> String {
        let keys = keys.shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator))
        let aggregates = aggregates.shuffled(using: &generator).prefix(
            Int.random(in: 1...5, using: &generator))
        let named =
            keys.enumerated().map { "k\($0) = \($1)" }.joined(separator: ", ")
            + "; " + aggregates.enumerated().map { "v\($0) = \($1)" }.joined(separator: ", ")
        return "group(\(named))"
    }

    @Test("Groups are the same from disk, to the last bit", arguments: TestScale.seeds(30))
    func sameGroups(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let table = try StoredTable.ofAllKinds(&generator)
        let beginnings = ["Item", "Item i > -10", "Item | SORT(i DESC)", "Item | LIMIT(300)"]
        let ends = ["", " | SORT(k0)", " | k0 != NULL", " | group(k0; n = @count)", " | SKIP(7)"]
        for _ in 0..<8 {
            let text =
                (beginnings.randomElement(using: &generator) ?? "Item") + " | "
                + Self.group(&generator) + (ends.randomElement(using: &generator) ?? "")
            try table.expectSameRowsOnDisk(text, seed: seed)
        }
    }

    @Test("Aggregates of groups on disk include all of their pages")
    func aggregatesOfGroups() throws {
        let table = try StoredTable(
            ints: (0..<40_000).map { ($0 * 7_919) % 20_011 }, rowsPerGroup: 1024)
        let text = "Item | group(x; n = @count) | project(@sum.n AS s)"
        #expect(try table.rows(text, statementByteCount: 0) == [[.int(40_000)]])
        let pages = "Item | group(x; n = @count) | count"
        #expect(try table.rows(pages, statementByteCount: 0) == [[.int(20_011)]])
    }

    @Test(
        "Rows are read once, whether or not their groups or combinations fit into memory",
        arguments: [
            "Item | LIMIT(39000) | group(x; n = @count, s = @sum.x)", "Item | DISTINCT(x)",
            "Item | group(x; n = @count, s = @sum.x)",
        ])
    func readOnce(text: String) throws {
        let table = try StoredTable(
            ints: (0..<40_000).map { ($0 * 7_919) % 20_011 }, rowsPerGroup: 1024)
        var pageCounts: [Int] = []
        for statementByteCount in [1 << 30, 0, 200_000] {
            var options = StoreOptions()
            options.statementByteCount = statementByteCount
            let store = try Store.open(
                "/t.firn", readOnly: true, services: table.disk.services(), options: options)
            let snapshot = DatabaseSnapshot(try store.snapshot(), now: Timestamp(seconds: 0))
            let result = try snapshot.query(text)
            var groupCount = 0
            while let batch = try result.next() { groupCount += batch.rowCount }
            #expect(groupCount == 20_011)
            pageCounts.append(result.statistics.pagesRead)
        }
        #expect(Set(pageCounts).count == 1, "\(pageCounts)")
    }

    @Test("A sum of integers that leaves the range is the same error from disk")
    func overflow() throws {
        let table = try StoredTable(ints: [1, .max, 1, .max])
        #expect(
            try table.failureOnDisk("Item | group(k = x > 5; s = @sum.x)") == .limitExceeded)
    }

    @Test("A full disk ends the statement with an error, and leaves no file")
    func fullDisk() throws {
        let table = try StoredTable(ints: (0..<5_000).map { $0 }, rowsPerGroup: 64)
        let before = table.disk.fileNames
        table.disk.fill(leaving: 10_000)
        #expect(try table.failureOnDisk("Item | group(x; n = @count)") == .diskFull)
        #expect(table.disk.fileNames == before)
    }
}
