import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

/// The hash table of a join was kept in memory whatever its size, once in each thread.
@Suite("Joins that do not fit into memory")
struct SpilledJoinTests {
    private static let equalities = [
        "s == j.s", "i == j.i", "x == j.x", "t == j.t", "u == j.u", "d == j.d", "a == j.a",
        "i * 1.0 == j.x", "d == j.i", "i == j.i, s == j.s", "lower(s) == lower(j.s)",
        "i % 3 == j.i % 3", "i + 1 == j.i, d == j.d",
    ]
    private static let ends = [
        "select(s, j.s, j.i)", "j == nil | count", "group(j.s; n = @count)", "j.i > 3 | select(i)",
        "SORT(j.i DESC, i, s) | select(i, j.i)", "group(k = i; n = @count) | SORT(k)",
        "project(@sum.j.i AS s, @count.j.s AS c)", "SORT(i DESC) | LIMIT(20) | select(i, j.s)",
    ]
    private static let allEnds = [
        "select(i, n = j.@count)", "j.@count == 0 | count", "ANY j.i > 5 | select(i, s)",
        "select(s = j.@sum.i)", "select(j.i) | LIMIT(9)", "group(n = j.@count; c = @count)",
    ]

    @Test("Joined values are the same from disk", arguments: TestScale.seeds(25))
    func sameValues(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let table = try StoredTable.ofAllKinds(&generator)
        for findsAll in [false, true] {
            for beginning in [
                "Item", "Item i > -5", "Item | group(s, i, x, t, u, d, a; c = @count)",
            ] {
                let equality = Self.equalities.randomElement(using: &generator) ?? ""
                let ends = findsAll ? Self.allEnds : Self.ends
                let text =
                    "\(beginning) | join(j = \(findsAll ? "ALL " : "")Item; \(equality)) | "
                    + (ends.randomElement(using: &generator) ?? "")
                try table.expectSameRowsOnDisk(text, seed: seed)
            }
        }
    }

    @Test("A row with many objects has all of them in their order, from disk as well")
    func manyObjects() throws {
        let table = try StoredTable(
            ["k": .int, "n": .int],
            (0..<6_000).map { [.int(Int64($0 % 3 == 0 ? 0 : $0)), .int(Int64($0))] },
            rowsPerGroup: 256)
        let text = "Item n < 4 | join(o = ALL Item; k == o.k) | select(n, c = o.@count, o.n)"
        let expected = try table.rows(text)
        #expect(expected.map { $0[1] } == [.int(2_000), .int(1), .int(1), .int(2_000)])
        #expect(try table.rows(text, statementByteCount: 0) == expected)
    }

    @Test("An object that is found by its key leads to its objects on disk")
    func pointLookup() throws {
        let table = try StoredTable(
            ["id": .int, "boss": .int],
            (0..<2_000).map { [.int(Int64($0)), .int(Int64($0 / 10))] },
            rowsPerGroup: 64)
        let text = "Item @id == 1234 | join(b = Item; boss == b.id) | select(id, b.id, b.boss)"
        for statementByteCount in [StoreOptions().statementByteCount, 0] {
            #expect(
                try table.rows(text, statementByteCount: statementByteCount)
                    == [[.int(1_234), .int(123), .int(12)]])
        }
    }

    @Test("A full disk ends a join with an error, and leaves no file")
    func fullDisk() throws {
        let table = try StoredTable(ints: (0..<20_000).map { $0 }, rowsPerGroup: 64)
        let before = table.disk.fileNames
        table.disk.fill(leaving: 10_000)
        #expect(
            try table.failureOnDisk("Item | join(j = Item; x == j.x) | j.x > 7 | count")
                == .diskFull)
        #expect(table.disk.fileNames == before)
    }
}
