import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

/// The columns of `pivot`, compared with a loop over the groups.
@Suite("Values that become columns")
struct PivotTests {
    private struct Table: Equatable {
        var names: [String]
        var rows: [[Value]]
    }

    private func table(_ text: String, on snapshot: DatabaseSnapshot) throws -> Table {
        let query = try snapshot.bound(text)
        let result = try snapshot.rows(query)
        var table = Table(names: result.columns.map(\.name), rows: [])
        while let batch = try result.next() {
            for row in 0..<batch.rowCount {
                table.rows.append(batch.vectors.map { $0.value(at: row) })
            }
        }
        return table
    }

    private func sales() throws -> DatabaseSnapshot {
        let rows: [[Value]] = [
            [.string("north"), .int(2020), .int(1), .double(10.5)],
            [.string("north"), .int(2020), .int(2), .double(5.25)],
            [.string("south"), .int(2021), .int(1), .double(7)],
            [.string("south"), .int(2020), .int(1), .double(1)],
            [.string("north"), .int(2021), .null, .double(2)],
        ]
        return try StoredTable(
            ["region": .string, "year": .int, "month?": .int, "amount": .double], rows
        ).snapshot()
    }

    @Test("A pivot has a column for each value and a row for each combination of the other keys")
    func columns() throws {
        let snapshot = try sales()
        let expected = Table(
            names: ["region", "null", "1", "2"],
            rows: [
                [.string("north"), .int(1), .int(1), .int(1)],
                [.string("south"), .int(0), .int(2), .int(0)],
            ])
        for text in [
            "Item | pivot(region; month; @count)",
            "Item | group(region, month; n = @count) | pivot(month)",
            "Item | group(month, region; n = @count) | SORT(n DESC, region) | pivot(month)",
            "Item | group(region, month, year; n = @count) | pivot(region; month; @sum.n)",
        ] { #expect(try table(text, on: snapshot) == expected, "\(text)") }
    }

    @Test("Several values have a column each, named after both")
    func severalCells() throws {
        let found = try table(
            "Item month != nil | pivot(month; n = @count, mean = @avg.amount)", on: sales())
        #expect(
            found
                == Table(
                    names: ["1 n", "1 mean", "2 n", "2 mean"],
                    rows: [[.int(3), .double(18.5 / 3), .int(1), .double(5.25)]]))
    }

    @Test("Listed values become the columns in their order, whether they occur or not")
    func listedValues() throws {
        let found = try table(
            "Item | pivot(region; month IN {2, 7, 1.0, 2}; @sum.amount)", on: sales())
        #expect(
            found
                == Table(
                    names: ["region", "2", "7", "1"],
                    rows: [
                        [.string("north"), .double(5.25), .double(0), .double(10.5)],
                        [.string("south"), .double(0), .double(0), .double(8)],
                    ]))
    }

    @Test("A preceding sort determines the order of the rows")
    func direction() throws {
        let found = try table(
            "Item | group(region, year; n = @count) | SORT(region DESC) | pivot(year)", on: sales())
        #expect(found.rows.map { $0[0] } == [.string("south"), .string("north")])
    }

    @Test("Columns with the same text get distinct names")
    func equalNames() throws {
        let rows: [[Value]] = [
            [.int(1)], [.string("1")], [.string("k")], [.null], [.string("null")],
        ]
        let snapshot = try StoredTable(["a?": .any], rows).snapshot()
        let found = try table("Item | pivot(k = 1 + 1; a; @count)", on: snapshot)
        #expect(found.names == ["k", "null", "1", "1 (2)", "k (2)", "null (2)"])
    }

    @Test(
        "Each pivot has the same result as a loop, from memory and from disk",
        arguments: TestScale.seeds(8))
    func random(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let stored = try StoredTable.ofAllKinds(&generator)
        let aggregates = ["@count", "@sum.i", "@min.s", "@avg.x", "@sum.i + 1", "@max.t"]
        for _ in 0..<6 {
            let keys = ["s", "i", "x", "t", "u", "d", "a", "i % 3"].shuffled(using: &generator)
                .prefix(Int.random(in: 1...3, using: &generator)).enumerated()
                .map { "k\($0) = \($1)" }.joined(separator: ", ")
            let items = aggregates.shuffled(using: &generator)
                .prefix(Int.random(in: 1...3, using: &generator)).enumerated()
                .map { "v\($0) = \($1)" }.joined(separator: ", ")
            let group = "Item | LIMIT(250) | group(\(keys); \(items))"
            let groups = try table(group, on: stored.snapshot())
            let empty = try table("Item | LIMIT(0) | group(; \(items))", on: stored.snapshot())
            let keyCount = keys.split(separator: ",").count
            let turned = Int.random(in: 0..<keyCount, using: &generator)
            let text = group + " | pivot(k\(turned))"
            // A value that is computed from aggregates is nil without them.
            let missing = zip(items.split(separator: ","), empty.rows[0])
                .map { $0.contains("+") ? .null : $1 }
            let rows = Self.pivot(groups.rows, keyCount: keyCount, turned, missing: missing)
            guard rows.columnCount <= BoundPivot.columnCountMax else { continue }
            for statementByteCount in [1 << 30, 0, 5_000] {
                let found = try stored.rows(
                    text, statementByteCount: statementByteCount)
                let isSame = found == rows.rows
                #expect(isSame, "\(text), seed \(seed)")
            }
        }
    }

    /// Turns a key of groups by loops.
    private static func pivot(
        _ groups: [[Value]], keyCount: Int, _ turned: Int, missing: [Value]
    ) -> (rows: [[Value]], columnCount: Int) {
        func isLess(_ left: [Value], _ right: [Value]) -> Bool {
            for (left, right) in zip(left, right) {
                let order = left.order(relativeTo: right)
                if order != .equal { return order == .less }
            }
            return false
        }
        func isSame(_ left: [Value], _ right: [Value]) -> Bool {
            !isLess(left, right) && !isLess(right, left)
        }
        func rowKeys(_ group: [Value]) -> [Value] {
            group.indices.filter { $0 < keyCount && $0 != turned }.map { group[$0] }
        }
        var values: [Value] = []
        var keys: [[Value]] = []
        for group in groups {
            if !values.contains(where: { isSame([$0], [group[turned]]) }) {
                values.append(group[turned])
            }
            if !keys.contains(where: { isSame($0, rowKeys(group)) }) { keys.append(rowKeys(group)) }
        }
        values.sort { isLess([$0], [$1]) }
        keys.sort(by: isLess)
        let cellCount = (groups.first?.count ?? keyCount) - keyCount
        let rows = keys.map { key in
            let ofKey = groups.filter { isSame(rowKeys($0), key) }
            return key
                + values.flatMap { value in
                    ofKey.first { isSame([$0[turned]], [value]) }.map { Array($0[keyCount...]) }
                        ?? missing
                }
        }
        return (rows, values.count * cellCount)
    }

    @Test("Too many values are an error that suggests what to write", arguments: [1, 2])
    func tooManyColumns(cellCount: Int) throws {
        let snapshot = try StoredTable(ints: (0...1_000).map { $0 }).snapshot()
        let cells = (0..<cellCount).map { "c\($0) = @count" }.joined(separator: ", ")
        do {
            _ = try table("Item | pivot(x; \(cells))", on: snapshot)
            Issue.record("1,001 values became columns")
        } catch QueryFailure.query(let error) {
            #expect(error.code == .limit)
            #expect(error.message == "\"x\" has too many values for 1000 columns")
            #expect(error.hint == "name those to show, such as x IN {...}")
        }
        let few = try table("Item | pivot(x IN {1, 5}; @count)", on: snapshot)
        #expect(few == Table(names: ["1", "5"], rows: [[.int(1), .int(1)]]))
    }

    @Test(
        "An invalid pivot is an error at its position",
        arguments: [
            ("Item | pivot(month)", "pivot needs the values of groups"),
            ("Item | group(region; n = @count) | pivot(n)", "pivot needs a key of the group"),
            (
                "Item | group(region; n = @count) | select(*, r = @row) | pivot(region)",
                "pivot needs the values of groups"
            ),
            ("Item | group(region, year) | pivot(year)", "expected"),
            ("Item | pivot(region; month IN {}; @count)", "IN needs the values"),
            ("Item | pivot(region; month IN {1.5}; @count)", "no value of month equals this"),
            ("Item | pivot(region; month IN {\"x\"}; @count)", "cannot compare Int property"),
            ("Item | pivot(region; month IN {year}; @count)", ""),
            ("Item | pivot(region; month; @count) | count", "\"count\" cannot follow \"pivot\""),
            ("Item | pivot(region; month, year; @count)", "expected \";\""),
            ("Item | pivot(", "expected"), ("Item | pivot(;", "expected"),
            ("Item | pivot(a; b; c; d)", ""),
        ])
    func mistakes(text: String, message: String) throws {
        let snapshot = try sales()
        do {
            _ = try table(text, on: snapshot)
            Issue.record("no error: \(text)")
        } catch QueryFailure.query(let error) {
            #expect(error.message.hasPrefix(message), "\(text): \(error.message)")
        }
    }

    @Test("The canonical form parses to a pivot with the same columns")
    func canonicalForm() throws {
        let snapshot = try sales()
        for text in [
            "Item | pivot(region; month; @count)",
            "Item | pivot(region, year; month IN {2, nil}; n = @count, x = @sum.amount / @count)",
            "Item | pivot(month + 1; @count)",
        ] {
            let query = try snapshot.bound(text)
            let again = try snapshot.bound(query.description)
            #expect(query.stages == again.stages, "\(text)")
            #expect(
                try table(text, on: snapshot) == table(query.description, on: snapshot), "\(text)")
        }
    }

    @Test("A pivot cannot be observed, and its plan says so")
    func observation() throws {
        let snapshot = try sales()
        let query = try snapshot.bound("Item | pivot(region; month; @count)")
        do {
            _ = try LiveValuesPlan(query)
            Issue.record("a pivot was planned as a live query")
        } catch {
            #expect(error.message == "a pivot cannot be observed")
        }
    }
}
