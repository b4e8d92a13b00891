import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Values of other rows that do not fit into memory")
struct SpilledWindowTests {
    private static let windows = [
        "@row", "@row(BY s)", "@rank(i)", "@rank(s BY i)", "@rank(a)", "@running(i)",
        "@running(x BY s)", "@running(d BY i % 3)", "@previous(x)", "@previous(s BY i % 3)",
        "@previous(a BY t)", "@sum(i BY s)", "@avg(x BY t)", "@count(i > 0 BY u)", "i + @count",
        "@median(x BY i % 3)", "i - @quantile(i, 0.9)", "@first(a BY s)", "@last(s BY i % 2)",
        "@max(a BY i, s)",
        "@distinct(s BY i)", "@stddev(x BY d)", "i - @previous(i BY s)", "x / @sum(x BY x)",
    ]
    private static let conditions = [
        "x > @avg(x BY s)", "@row(BY s) <= 2", "i == @max.i", "@previous(i) != i",
        "x >= @median(x BY i % 3) AND s != NULL", "i > @avg.i", "@rank(t BY u) == 1",
    ]

    private static func stages(_ generator: inout SplitMix64) -> String {
        if generator.happens(oneIn: 3) { return conditions.randomElement(using: &generator) ?? "" }
        let windows = windows.shuffled(using: &generator).prefix(
            Int.random(in: 1...5, using: &generator))
        let columns = windows.enumerated().map { "w\($0) = \($1)" }.joined(separator: ", ")
        return "select(s, i, x, \(columns))"
    }

    @Test("The values are the same from disk, to the last bit", arguments: TestScale.seeds(40))
    func sameValues(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let table = try StoredTable.ofAllKinds(&generator)
        let beginnings = ["Item", "Item i > -10", "Item | SORT(i DESC, t)", "Item | LIMIT(300)"]
        let ends = ["", " | SORT(x, s)", " | i > 3", " | group(s; n = @count)", " | SKIP(7)"]
        for _ in 0..<8 {
            let text =
                (beginnings.randomElement(using: &generator) ?? "Item") + " | "
                + Self.stages(&generator) + (ends.randomElement(using: &generator) ?? "")
            try table.expectSameRowsOnDisk(text, seed: seed)
        }
    }

    /// Groups that turned out to need the disk read the rows again. The first pass of the condition was
    /// then that of a scan on several threads that had already been run, and had no result: a trap.
    @Test("Groups on disk are complete if a condition with aggregates selects their rows")
    func groupsOfRowsAmong() throws {
        let table = try StoredTable(ints: (0..<4_000).map { $0 % 1_000 }, rowsPerGroup: 64)
        let text = "Item | x >= @avg(x BY x % 2) | group(x; n = @count) | project(@sum.n AS s)"
        let expected = try table.rows(text)
        #expect(expected == [[.int(2_000)]])
        for statementByteCount in [0, 40_000, 100_000] {
            #expect(try table.rows(text, statementByteCount: statementByteCount) == expected)
        }
    }

    @Test("A value that depends on many rows is kept when earlier values are dropped")
    func manyRows() throws {
        // The first owner has its second row after so many others that earlier values were dropped.
        let numbers: [Int64?] = [1] + (0..<100_000).map { $0 % 7 + 2 } + [1]
        let table = try StoredTable(ints: numbers, rowsPerGroup: 8192)
        let text = "Item | select(x, p = @previous(x BY x), r = @row(BY x)) | x == 1 | select(p, r)"
        for statementByteCount in [0, 64 << 20] {
            let rows: [[Value]] = try table.rows(text, statementByteCount: statementByteCount)
            #expect(rows == [[.null, .int(1)], [.int(1), .int(2)]])
        }
    }

    @Test("What fits into the memory of the statement needs no disk", arguments: ["x", "x % 3"])
    func noDisk(key: String) throws {
        let table = try StoredTable(ints: (0..<200_000).map { $0 }, rowsPerGroup: 8192)
        let text = "Item | select(x, r = @row(BY \(key))) | r == 1 | count"
        let expected: [[Value]] = [[.int(key == "x" ? 200_000 : 3)]]
        #expect(try table.rows(text, statementByteCount: 1 << 20) == expected)
        // A statement that needs the disk fails.
        table.disk.fill(leaving: 0)
        #expect(try table.rows(text, statementByteCount: 64 << 20) == expected)
        #expect(throws: (any Error).self) { try table.rows(text, statementByteCount: 1 << 20) }
    }

    @Test("A sum of integers that leaves the range is the same error from disk")
    func overflow() throws {
        let table = try StoredTable(ints: [1, .max, 1, .max])
        for text in ["@running(x)", "@sum(x BY x > 5)"] {
            #expect(try table.failureOnDisk("Item | select(v = \(text))") == .limitExceeded)
        }
    }

    @Test(
        "A full disk ends the statement with an error, and leaves no file",
        arguments: ["select(x, n = @row(BY x % 3))", "x > @previous(x)", "x == @max(x BY x)"])
    func fullDisk(stage: String) throws {
        let table = try StoredTable(ints: (0..<5_000).map { $0 }, rowsPerGroup: 64)
        let before = table.disk.fileNames
        table.disk.fill(leaving: 10_000)
        #expect(try table.failureOnDisk("Item | \(stage)") == .diskFull)
        #expect(table.disk.fileNames == before)
    }
}
