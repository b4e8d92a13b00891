import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

/// The different values of an aggregate were kept in memory without a limit: those of the comments of
/// six million rows took 1.3 GB.
@Suite("Different values that do not fit into memory")
struct SpilledDistinctTests {
    @Test(
        "The number of distinct values is the same from disk, without groups and with windows",
        arguments: TestScale.seeds(20))
    func sameNumbers(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let table = try StoredTable.ofAllKinds(&generator)
        for text in [
            "Item | project(@distinct.s AS s, @distinct.i AS i, @distinct.x AS x, @distinct.d AS d)",
            "Item i > -10 | project(@distinct.t AS t, @distinct.u AS u, @distinct.a AS a)",
            "Item | project(s, @distinct(x BY s) AS n, @distinct(a) AS all)",
            "Item @distinct(x BY s) > 3 | count",
        ] {
            try table.expectSameRowsOnDisk(text, seed: seed)
        }
    }

    @Test(
        "Values that are both in memory and on disk are counted once", arguments: TestScale.seeds(4)
    )
    func partlyInMemory(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        // Half of the values come again when the first ones have filled the memory.
        let ints = (0..<60_000).map { position in
            Int64.random(in: 0...Int64(position / 2 + 100), using: &generator)
        }
        let table = try StoredTable(ints: ints, rowsPerGroup: 1_024)
        let expected = Value.int(Int64(Set(ints).count))
        for statementByteCount in [0, 100_000, 1_000_000, 4_000_000] {
            let text = "Item | project(@distinct.x AS n)"
            #expect(
                try table.rows(text, statementByteCount: statementByteCount) == [[expected]],
                "seed \(seed), \(statementByteCount) bytes")
            let grouped = "Item | group(k = x > 20; n = @distinct.x)"
            let found = try table.rows(grouped, statementByteCount: statementByteCount)
            let high = Set(ints.filter { $0 > 20 }).count
            let counts =
                [[.bool(false), .int(21)], [.bool(true), .int(Int64(high))]] as [[Value]]
            #expect(
                found.sorted { $0[1].description < $1[1].description }
                    == counts.sorted { $0[1].description < $1[1].description },
                "seed \(seed), \(statementByteCount) bytes")
        }
    }

    @Test("A full disk ends the statement with an error, and leaves no file")
    func fullDisk() throws {
        let table = try StoredTable(ints: (0..<20_000).map { $0 }, rowsPerGroup: 64)
        let before = table.disk.fileNames
        table.disk.fill(leaving: 10_000)
        #expect(try table.failureOnDisk("Item | project(@distinct.x AS n)") == .diskFull)
        #expect(table.disk.fileNames == before)
    }
}
