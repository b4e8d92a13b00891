import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

/// Conditions with aggregates of the same rows read them twice instead of keeping them.
@Suite("Conditions with aggregates of all rows")
struct AggregateFilterTests {
    private static func rows(seed: UInt64) -> [[Value]] {
        var generator = SplitMix64(seed: seed)
        let carriers = ["UA", "AA", "DL"]
        return (0..<2_000).map { (row: Int) -> [Value] in
            let carrier: Value =
                row % 37 == 0
                ? .null : .string(carriers[Int.random(in: 0...2, using: &generator)])
            let delay: Value =
                row % 7 == 0 ? .null : .int(Int64.random(in: -50...500, using: &generator))
            return [carrier, delay, .int(Int64(row))]
        }
    }

    private func table(_ rows: [[Value]], rowsPerGroup: Int) throws -> StoredTable {
        try StoredTable(
            ["carrier?": .string, "delay?": .int, "n": .int], rows, rowsPerGroup: rowsPerGroup)
    }

    /// Returns the numbers of the rows later than the mean of their carrier.
    private func laterThanMean(_ rows: [[Value]]) -> [Value] {
        var sums: [Value: (sum: Int64, count: Int64)] = [:]
        for row in rows {
            guard case .int(let delay) = row[1] else { continue }
            let old = sums[row[0], default: (0, 0)]
            sums[row[0]] = (old.sum + delay, old.count + 1)
        }
        return rows.filter { row in
            guard case .int(let delay) = row[1], let mean = sums[row[0]] else { return false }
            return Double(delay) > Double(mean.sum) / Double(mean.count)
        }.map { $0[2] }
    }

    @Test("A condition keeps the rows beyond the mean of their group", arguments: [3, 300, 5_000])
    func laterThanMean(rowsPerGroup: Int) throws {
        let rows = Self.rows(seed: 3)
        let table = try table(rows, rowsPerGroup: rowsPerGroup)
        let query = "Item delay > @avg(delay BY carrier)"
        let plan = try table.plan(query)
        #expect(plan.contains { $0.contains("among all rows, which are read twice") }, "\(plan)")
        #expect(try table.rows(query).map { $0[2] } == laterThanMean(rows))
    }

    @Test("A condition sees only rows that exist and that pass the preceding conditions")
    func afterConditions() throws {
        var rows = Self.rows(seed: 4)
        let table = try table(rows, rowsPerGroup: 300)
        try table.change(deleting: [0, 899, 1_999])
        for row in [1_999, 899, 0] { rows.remove(at: row) }
        let few = rows.filter { row in
            if case .int(let number) = row[2] { number % 3 == 0 } else { false }
        }
        #expect(
            try table.rows("Item n % 3 == 0 | delay > @avg(delay BY carrier)").map { $0[2] }
                == laterThanMean(few))
        #expect(
            try table.value("Item n % 3 == 0 | delay > @avg(delay BY carrier) | count")
                == .int(Int64(laterThanMean(few).count)))
    }

    @Test("A condition can have several aggregates with different keys, and one over all rows")
    func severalKeys() throws {
        let rows = Self.rows(seed: 5)
        let table = try table(rows, rowsPerGroup: 300)
        let all = rows.compactMap { if case .int(let delay) = $0[1] { delay } else { nil } }
        let count = rows.filter { $0[0] == .string("UA") }.count
        let found = try table.rows(
            "Item @count(BY carrier) == \(count) AND delay == @max(delay)"
        ).map { $0[2] }
        let expected = rows.filter {
            $0[0] == .string("UA") && $0[1] == .int(all.max() ?? 0)
        }.map { $0[2] }
        #expect(found == expected)
    }

    @Test("A condition fails if a sum overflows")
    func overflow() throws {
        let table = try table(
            [[.null, .int(.max), .int(1)], [.null, .int(.max), .int(2)]], rowsPerGroup: 1)
        #expect {
            try table.rows("Item delay < @sum(delay BY carrier)")
        } throws: { error in
            if case .store(let error)? = error as? QueryFailure {
                error.code == .limitExceeded
            } else {
                false
            }
        }
    }

    @Test("A condition keeps the rows in memory if the order of rows matters")
    func inOrder() throws {
        let rows = Self.rows(seed: 6)
        let table = try table(rows, rowsPerGroup: 300)
        let query = "Item n == @first(n BY carrier)"
        let plan = try table.plan(query)
        #expect(plan.contains { $0.hasSuffix("among all rows") }, "\(plan)")
        var seen: Set<Value> = []
        #expect(
            try table.rows(query).map { $0[2] }
                == rows.filter { seen.insert($0[0]).inserted }.map { $0[2] })
    }
}
