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
        "select(a = j.@avg.i, m = j.@max.x, l = j.@min.d)", "select(j.@first.s, j.@last.t)",
        "select(j.@median.i, j.@distinct.s, j.@stddev.i)", "j.@sum.i > 20 | count",
        "select(n = j.@count(i > 2), w = j.@sum(i WHERE s != 'a'), q = j.@quantile(i, 0.25))",
        "SUBQUERY(j, $x, $x.i > 3).@count > 1 | count", "select(c = j.s.@count, v = j.@variance.i)",
        "NONE j.i == 3 | count", "ALL j.s BEGINSWITH 'a' | select(s)",
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

    @Test("A row with many objects has all of them in order, even from disk")
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

    /// The objects of 4,096 rows were found together, which took memory for each pair of a row and
    /// an object: 2.5 GB for 500 rows with 100,000 objects each.
    @Test("Values over joined objects need no memory per pair of row and object")
    func manyPairs() throws {
        let table = try StoredTable(
            ["k": .int, "n": .int], (0..<4_000).map { [.int(7), .int(Int64($0))] },
            rowsPerGroup: 256)
        for (item, value) in [
            ("o.@sum.n", Value.int(7_998_000)), ("o.@count(n > 3989)", .int(10)),
            ("o.@max(n WHERE n < 9)", .int(8)), ("SUBQUERY(o, $x, $x.n < 5).@count", .int(5)),
            ("o.@median.n", .double(1_999.5)), ("o.@distinct.n", .int(4_000)),
        ] {
            let rows = try table.rows("Item | join(o = ALL Item; k == o.k) | select(v = \(item))")
            #expect(rows.count == 4_000 && rows.allSatisfy { $0 == [value] }, "\(item)")
        }
    }

    @Test("The objects of a row are visited in batches, even from disk")
    func chunks() throws {
        let table = try StoredTable(
            ["k": .int, "n": .int], (0..<20_000).map { [.int(Int64($0 % 2)), .int(Int64($0))] },
            rowsPerGroup: 1_024)
        for text in [
            "Item n < 3 | join(o = ALL Item; k == o.k) | ANY o.n == 19999 | select(n)",
            "Item n < 2 | join(o = ALL Item; k == o.k) | select(o.n)",
        ] {
            let expected = try table.rows(text)
            #expect(try table.rows(text, statementByteCount: 0) == expected)
            guard case .list(let numbers)? = expected.first?.first else {
                #expect(expected == [[.int(1)]])
                continue
            }
            #expect(numbers == (0..<10_000).map { .int(Int64($0 * 2)) })
        }
    }

    @Test("An object that is found by its key leads to its joined objects on disk")
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
