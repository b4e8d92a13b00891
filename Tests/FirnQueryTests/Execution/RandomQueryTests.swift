import FirnCodec
import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@Suite("Random queries")
struct RandomQueryTests {
    private static let queriesPerTable = 40

    @Test(
        "Random queries have the same results as a simple program, from disk and in a transaction",
        arguments: TestScale.seeds(80))
    func againstOracle(seed: UInt64) throws {
        var table = try RandomTable(seed: seed)
        try run(table, on: table.snapshot(), seed: seed)
        let (transaction, snapshot) = try table.beginChanges()
        try run(table, on: snapshot, seed: seed + 1_000_000)
        _ = try transaction.commit()
        try run(table, on: table.snapshot(), seed: seed + 2_000_000)
    }

    @Test(
        "Random queries have the same results from the log, from a replay, and from pages",
        arguments: TestScale.seeds(40))
    func beforeAndAfterFolding(seed: UInt64) throws {
        var table = try RandomTable(seed: seed)
        let follower = try table.follower()
        for round in 0..<3 {
            let before = try table.snapshot().version
            for _ in 0...round { try table.commitChanges() }
            // An empty table has nothing to delete, and then nothing to commit.
            let isChanged = try table.snapshot().version != before
            #expect(table.hasLog || !isChanged)
            for isFolded in [false, true] {
                if isFolded { try table.checkpoint() }
                let version = try follower.snapshot().version
                #expect(try version == table.snapshot().version)
                // The same queries each time.
                let seed = seed + UInt64(round + 3) * 1_000_000
                try run(table, on: table.snapshot(), seed: seed, count: 12)
                try run(
                    table,
                    on: DatabaseSnapshot(follower.snapshot(), now: Timestamp(seconds: 0)),
                    seed: seed, count: 12)
            }
        }
    }

    /// Without memory, everything that holds rows is divided, written, read back, and divided again.
    @Test(
        "Random queries have the same results with little or no memory",
        arguments: TestScale.seeds(40))
    func withLittleMemory(seed: UInt64) throws {
        let table = try RandomTable(seed: seed)
        for (round, byteCount) in [0, 5_000, 100_000].enumerated() {
            let store = try table.follower(statementByteCount: byteCount)
            try run(
                table, on: DatabaseSnapshot(store.snapshot(), now: Timestamp(seconds: 0)),
                seed: seed + UInt64(round + 6) * 1_000_000)
        }
    }

    private func run(
        _ table: RandomTable, on snapshot: DatabaseSnapshot, seed: UInt64,
        count: Int = queriesPerTable
    ) throws {
        var queries = RandomQuery(table, seed: seed)
        RunCounters.queries.add(count)
        for _ in 0..<count {
            let query = queries.query()
            let failure = Self.difference(query, table.rows, snapshot)
            guard let failure else { continue }
            Issue.record("seed \(seed): \(query.text)\n\(failure)")
            return
        }
    }

    private static func difference(
        _ query: OracleQuery, _ rows: [OracleRow], _ snapshot: DatabaseSnapshot
    ) -> String? {
        let expected: [[Value]]
        do throws(OracleQuery.Failure) {
            expected = try query.run(rows)
        } catch {
            return overflow(query, snapshot)
        }
        do {
            let found = try snapshot.rows(query.text)
            guard found.count == expected.count else {
                return "\(found.count) rows instead of \(expected.count)"
            }
            var aggregates: [OracleStage.Aggregate] = []
            if case .aggregate(let items)? = query.stages.last { aggregates = items }
            for (index, pair) in zip(found, expected).enumerated()
            where !areEqual(pair.0, pair.1, aggregates, rows) {
                return "row \(index): \(pair.0)\ninstead of \(pair.1)"
            }
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// The sum of integers overflows: a typed error, not a wrong number.
    private static func overflow(_ query: OracleQuery, _ snapshot: DatabaseSnapshot) -> String? {
        do {
            return "\(try snapshot.rows(query.text)) instead of an overflow"
        } catch QueryFailure.store(let error) where error.code == .limitExceeded {
            return nil
        } catch {
            return "\(error) instead of an overflow"
        }
    }

    /// Rows are equal bit by bit. Of aggregates, sums of doubles may be rounded in another order,
    /// and a minimum may be any of the values that compare as equal.
    private static func areEqual(
        _ found: [Value], _ expected: [Value], _ aggregates: [OracleStage.Aggregate],
        _ rows: [OracleRow]
    ) -> Bool {
        guard !aggregates.isEmpty, found.count == expected.count else { return found == expected }
        return zip(aggregates, zip(found, expected)).allSatisfy { aggregate, pair in
            guard case (.double(let left), .double(let right)) = pair else {
                return pair.0 == pair.1
            }
            if ["@min", "@max"].contains(aggregate.function) {
                return pair.0.order(relativeTo: pair.1) == .equal
            }
            guard left.isFinite, right.isFinite, let column = aggregate.column,
                OracleColumn.kind(column) == .double
            else { return left == right || (left.isNaN && right.isNaN) }
            let magnitude = rows.reduce(0.0) { sum, row in
                guard case .double(let number) = row.value(column), number.isFinite else {
                    return sum
                }
                return sum + number.magnitude
            }
            return (left - right).magnitude <= magnitude * 1e-13
        }
    }
}

extension DatabaseSnapshot {
    /// All rows of a query.
    func rows(_ text: String) throws(QueryFailure) -> [[Value]] {
        let result = try query(text)
        var rows: [[Value]] = []
        while let batch = try result.next() {
            for row in 0..<batch.rowCount {
                rows.append(batch.vectors.map { $0.value(at: row) })
            }
        }
        return rows
    }
}
