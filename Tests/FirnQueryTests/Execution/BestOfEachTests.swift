import FirnTesting
import FirnValues
import Testing

/// Rows that cannot be among the first of their group are dropped before the sort, by tests of
/// encoded pages where the groups of a page are known. The result must be that of a sort of all
/// rows.
@Suite("The first rows of each group")
struct BestOfEachTests {
    /// Sorts by a key of all rows, and keeps the first of each group.
    private func expected(
        _ rows: [[Value]], group: Int, order: Int, descending: Bool, count: Int
    ) -> [[Value]] {
        let sorted = rows.enumerated().sorted { left, right in
            let (a, b) = (left.element[order], right.element[order])
            let isLess = a.sortsBefore(b)
            let isGreater = b.sortsBefore(a)
            guard isLess || isGreater else { return left.offset < right.offset }
            return descending ? isGreater : isLess
        }
        var counts: [Value: Int] = [:]
        return sorted.map(\.element).filter { row in
            counts[row[group], default: 0] += 1
            return counts[row[group], default: 0] <= count
        }
    }

    private func table(seed: UInt64, rowsPerGroup: Int) throws -> ([[Value]], StoredTable) {
        var generator = SplitMix64(seed: seed)
        // Months ascend with the rows, so that later pages bring new groups.
        let carriers = ["UA", "AA", "DL", "B6", "OO"]
        let rows = (0..<9_000).map { (row: Int) -> [Value] in
            let delay = Int64.random(in: -30...(row % 97 == 0 ? 900 : 20), using: &generator)
            let ratio = Double(Int.random(in: -40...40, using: &generator)) / 8
            let month: Value = row % 50 == 7 ? .null : .int(Int64(row / 1_500))
            let x: Value = row % 13 == 1 ? .null : .double(row % 4_001 == 5 ? .nan : ratio)
            return [
                .string(carriers[row % 601 == 0 ? 4 : row % 4]), month,
                row % 11 == 3 ? .null : .int(delay), x, .int(Int64(row)),
            ]
        }
        return (
            rows,
            try StoredTable(
                ["carrier": .string, "month?": .int, "delay?": .int, "x?": .double, "n": .int],
                rows, rowsPerGroup: rowsPerGroup)
        )
    }

    @Test(
        "The first rows of each group are the same as in a sort of all rows",
        arguments: [700, 5_000], [("delay", 2), ("x", 3)] as [(String, Int)])
    func sameAsSort(rowsPerGroup: Int, order: (name: String, column: Int)) throws {
        let (rows, table) = try table(seed: 41, rowsPerGroup: rowsPerGroup)
        for (group, column) in [("carrier", 0), ("month", 1)] {
            for (count, direction) in [(1, "DESC"), (3, "DESC"), (3, "ASC"), (65, "DESC")] {
                let expected = expected(
                    rows, group: column, order: order.column, descending: direction == "DESC",
                    count: count)
                let stages =
                    ["LIMIT(\(count) BY \(group))"] + (count == 1 ? ["DISTINCT(\(group))"] : [])
                for stage in stages {
                    let text = "Item SORT(\(order.name) \(direction)) \(stage)"
                    // NaN equals nothing: the rows are compared by their number.
                    #expect(
                        try table.rows(text).map { $0[4] } == expected.map { $0[4] }, "\(text)")
                }
            }
        }
    }

    @Test(
        "The first rows are found among the rows of a condition, even after changes to single rows")
    func conditionAndChanges() throws {
        var (rows, table) = try table(seed: 42, rowsPerGroup: 1_000)
        try table.change(deleting: [2, 97, 1_455, 8_998])
        for row in [8_998, 1_455, 97, 2] { rows.remove(at: row) }
        let late = rows.filter { row in
            if case .int(let number) = row[4] { number % 3 == 0 } else { false }
        }
        let found = try table.rows("Item n % 3 == 0 SORT(delay DESC) LIMIT(2 BY month)")
        let expected = expected(late, group: 1, order: 2, descending: true, count: 2)
        #expect(found.map { $0[4] } == expected.map { $0[4] })
    }
}

extension Value {
    /// Whether the value is before another one in an ascending sort: null first, NaN last.
    fileprivate func sortsBefore(_ other: Value) -> Bool {
        switch (self, other) {
        case (_, .null): false
        case (.null, _): true
        case (.int(let left), .int(let right)): left < right
        case (.double(let left), .double(let right)):
            left.isNaN ? false : right.isNaN ? true : left < right
        default: false
        }
    }
}
