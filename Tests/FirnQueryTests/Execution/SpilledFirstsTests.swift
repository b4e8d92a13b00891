import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("First rows of combinations that do not fit into memory")
struct SpilledFirstsTests {
    @Test("First rows are the same from disk", arguments: TestScale.seeds(30))
    func sameRows(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let table = try StoredTable.ofAllKinds(&generator)
        let expressions = ["s", "i", "x", "t", "u", "d", "a", "i % 3", "s + \"!\""]
        let beginnings = ["Item", "Item i > -10", "Item SORT(i DESC, s)", "Item | SKIP(50)"]
        let ends = ["", " | LIMIT(20)", " | SORT(x, s, i) | LIMIT(9)", " | count"]
        for _ in 0..<8 {
            let keys = expressions.shuffled(using: &generator)
                .prefix(Int.random(in: 1...3, using: &generator)).joined(separator: ", ")
            let count = Int.random(in: 0...3, using: &generator)
            let firsts = ["DISTINCT(\(keys))", "LIMIT(\(count) BY \(keys))"]
            let text =
                (beginnings.randomElement(using: &generator) ?? "Item") + " | "
                + (firsts.randomElement(using: &generator) ?? "")
                + (ends.randomElement(using: &generator) ?? "")
            try table.expectSameRowsOnDisk(text, seed: seed)
        }
    }

    @Test("Many first rows are returned in table order")
    func order() throws {
        let table = try StoredTable(
            ints: (0..<60_000).map { ($0 * 7_919) % 50_021 }, rowsPerGroup: 1024)
        let rows = try table.rows("Item DISTINCT(x)", statementByteCount: 0)
        #expect(rows.count == 50_021)
        #expect(try rows == table.rows("Item DISTINCT(x)"))
    }

    @Test("Combinations that no later row has take no memory and no disk")
    func clustered() throws {
        let numbers = (0..<200_000).map { Int64($0 ^ 37) }
        let table = try StoredTable(ints: numbers, rowsPerGroup: 512)
        let queries = [
            "Item DISTINCT(x)", "Item | LIMIT(1 BY x, x % 2)", "Item x > 100 | LIMIT(2 BY x)",
        ]
        let expected = try queries.map { try table.rows($0) }
        #expect(expected.map(\.count) == [200_000, 200_000, 199_899])
        // All combinations would take more; nothing could be written.
        table.disk.fill(leaving: 0)
        for (query, rows) in zip(queries, expected) {
            #expect(try table.rows(query, statementByteCount: 13 << 20) == rows, "\(query)")
        }
        // The same number of combinations in another order does not fit.
        let shuffled = try StoredTable(
            ints: numbers.map { $0 &* 7_919 % 200_003 }, rowsPerGroup: 512)
        shuffled.disk.fill(leaving: 0)
        #expect(throws: (any Error).self) {
            try shuffled.rows("Item DISTINCT(x)", statementByteCount: 13 << 20)
        }
    }

    @Test("A full disk ends the statement with an error, and leaves no file")
    func fullDisk() throws {
        let table = try StoredTable(ints: (0..<5_000).map { $0 }, rowsPerGroup: 64)
        let before = table.disk.fileNames
        table.disk.fill(leaving: 10_000)
        #expect(try table.failureOnDisk("Item DISTINCT(x) | count") == .diskFull)
        #expect(table.disk.fileNames == before)
    }
}
