import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

@Suite("Groups that are complete before all rows are read")
struct ClusteredGroupTests {
    private static let aggregates = [
        "@count", "@sum.i", "@avg.i", "@sum.x", "@avg.x", "@min.s", "@max.i", "@stddev.x",
        "@first.s", "@last.x", "@min.x",
    ]

    /// Rows in the order of a key, but for a number of places that a row may be off.
    static func table(
        _ generator: inout SplitMix64, rowCount: Int, disorder: Int
    ) throws -> StoredTable {
        let rows = (0..<rowCount).map { position -> [Value] in
            let place = position + Int.random(in: 0...disorder, using: &generator)
            let values: [Value] = [
                .int(Int64.random(in: -50...50, using: &generator)),
                .double(Double.random(in: -1...1, using: &generator)),
                .string("text \(Int.random(in: 0...99, using: &generator))"),
            ]
            return [.int(Int64(place / 3)), .date(Timestamp(seconds: Int64(place / 2)))]
                + values.map { generator.happens(oneIn: 8) ? .null : $0 }
        }
        return try StoredTable(
            ["k": .int, "t": .date, "i?": .int, "x?": .double, "s?": .string], rows,
            rowsPerGroup: 64)
    }

    private static func clusters(_ table: StoredTable, _ text: String) throws -> KeyClusters? {
        let snapshot = try table.snapshot()
        let query = try BoundQuery(
            text, entry: .pipeline,
            in: BindingContext(schema: snapshot.schema, now: Timestamp(seconds: 0)))
        guard case .group(let keys, _)? = QueryPlan(query).steps.first else { return nil }
        let scanner = try SnapshotReader(try table.store.snapshot()).scanner(of: query.classSchema)
        return try KeyClusters(keys.map(\.expression), scanner)
    }

    @Test(
        "Groups of rows clustered by a key are the same from disk, to the last bit",
        arguments: TestScale.seeds(6))
    func sameGroups(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let disorder = [0, 1, 20, 60].randomElement(using: &generator) ?? 0
        let table = try Self.table(&generator, rowCount: 12_000, disorder: disorder)
        let keys = ["k", "t", "k, i", "s, t", "i, k, t"].randomElement(using: &generator) ?? "k"
        let aggregates = Self.aggregates.shuffled(using: &generator).prefix(3).enumerated()
            .map { "v\($0) = \($1)" }.joined(separator: ", ")
        for condition in ["", " i > 0"] {
            let text = "Item\(condition) | group(\(keys); \(aggregates))"
            #expect(try Self.clusters(table, text) != nil, "seed \(seed): \(text)")
            // Less than all groups need, more than those that are not complete.
            let found = try table.rows(text, statementByteCount: 300_000)
            #expect(found == (try table.rows(text)), "seed \(seed): \(text)")
        }
    }

    @Test("Rows are not clustered by a key that is out of order or contains nulls")
    func notClustered() throws {
        var generator = SplitMix64(seed: 1)
        let table = try Self.table(&generator, rowCount: 3_000, disorder: 3_000)
        #expect(try Self.clusters(table, "Item | group(k; n = @count)") == nil)
        let ordered = try Self.table(&generator, rowCount: 3_000, disorder: 0)
        #expect(try Self.clusters(ordered, "Item | group(k; n = @count)")?.key == 0)
        #expect(try Self.clusters(ordered, "Item | group(i, t; n = @count)")?.key == 1)
        #expect(try Self.clusters(ordered, "Item | group(i; n = @count)") == nil)
        #expect(try Self.clusters(ordered, "Item | group(m = k % 100; n = @count)") == nil)
    }

    @Test("A few misplaced rows do not change the groups", arguments: TestScale.seeds(4))
    func farRows(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let table = try Self.table(&generator, rowCount: 12_000, disorder: 3)
        let far = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
            (
                UInt64.random(in: 0..<12_000, using: &generator),
                Value.int(Int64.random(in: -5...4_500, using: &generator))
            )
        }
        try table.change(deleting: [5, 9_000], setting: far)
        let text = "Item | group(k; n = @count, s = @sum.x, first = @first.s)"
        #expect(
            try table.rows(text, statementByteCount: 300_000) == (try table.rows(text)),
            "seed \(seed): \(far)")
    }

    @Test("A key whose values recur at the end is grouped by parts instead")
    func comingAgain() throws {
        let rows = (0..<10_000).map { Int64($0 < 9_800 ? $0 : $0 - 9_800) }
        let table = try StoredTable(ints: rows, rowsPerGroup: 64)
        let text = "Item | group(x; n = @count)"
        #expect(
            try table.rows(text, statementByteCount: 300_000) == (try table.rows(text)))
    }
}
