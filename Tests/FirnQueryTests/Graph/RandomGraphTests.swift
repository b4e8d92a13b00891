import FirnCodec
import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@Suite("Random queries over links and collections")
struct RandomGraphTests {
    @Test(
        "Random queries have the same results as following every object one by one",
        arguments: TestScale.seeds(12))
    func againstOracle(seed: UInt64) throws {
        var store = try GraphStore(seed: seed)
        try run(store, on: store.snapshot(), seed: seed)
        let transaction = try store.beginChanges()
        try run(store, on: transaction.snapshot(), seed: seed + 1_000_000)
        _ = try transaction.commit()
        try store.change()
        try run(store, on: store.snapshot(), seed: seed + 2_000_000)
    }

    func run(_ store: GraphStore, on snapshot: Snapshot, seed: UInt64) throws {
        let data = try GraphData(snapshot)
        let oracle = GraphOracle(data: data)
        var queries = RandomGraphQuery(store, data, seed: seed)
        RunCounters.queries.add(20)
        for _ in 0..<20 {
            let root = queries.root()
            let predicate = queries.predicate(of: root, depth: 2)
            let expressions = [queries.expression(from: root), queries.expression(from: root)]
            let mapped = queries.path(from: root, isMultiple: true)
            let stages: [BoundStage] = [
                .filter(predicate),
                .project(
                    [projection(.column(.rowID))] + expressions.map(projection)
                        + [projection(.mapped(mapped))]),
            ]
            let found = try GraphRows.rows(stages, of: root, snapshot)
            let expected = data.rows(of: root).map { GraphObject(schema: root, row: $0) }
                .filter { oracle.passes(predicate, $0) }
                .map { object in
                    [oracle.value(.column(.rowID), object)]
                        + expressions.map { oracle.value($0, object) }
                        + [.list(oracle.values(mapped, object))]
                }
            guard let difference = GraphRows.difference(found, expected) else { continue }
            Issue.record(
                """
                seed \(seed) of \(root.name): \(predicate)
                \(expressions)
                \(BoundExpression.mapped(mapped))
                \(difference.prefix(2_000))
                """)
            return
        }
    }

    private func projection(_ expression: BoundExpression) -> BoundProjection {
        BoundProjection(expression, name: "c", type: expression.type)
    }
}

/// Rows of results as plain values.
enum GraphRows {
    static func rows(
        _ stages: [BoundStage], of root: ClassSchema, _ snapshot: Snapshot
    ) throws -> [[Value]] {
        let query = BoundQuery(classSchema: root, stages: stages, explain: false, text: "")
        let result = try DatabaseSnapshot(snapshot, now: Timestamp(seconds: 0)).rows(query)
        var rows: [[Value]] = []
        while let batch = try result.next() {
            for row in 0..<batch.rowCount {
                rows.append(
                    zip(result.columns, batch.vectors).map { column, vector in
                        value(vector.value(at: row), column.type)
                    })
            }
        }
        return rows
    }

    /// Row ids become links.
    static func value(_ value: Value, _ type: PropertyType) -> Value {
        switch value {
        case .list(let values): .list(values.map { type.fromColumn($0) })
        case .set(let values): .set(values.map { type.fromColumn($0) })
        case .map(let entries): .map(entries.mapValues { type.fromColumn($0) })
        default: type.fromColumn(value)
        }
    }

    /// The difference; all NaN are equal, and so are numbers that compare as equal in a minimum.
    static func difference(_ found: [[Value]], _ expected: [[Value]]) -> String? {
        guard found.count == expected.count else {
            return "\(found.count) rows instead of \(expected.count)\n\(found.map { $0[0] })\n"
                + "\(expected.map { $0[0] })"
        }
        for (found, expected) in zip(found, expected)
        where !zip(found, expected).allSatisfy(areEqual) {
            return "\(found)\ninstead of \(expected)"
        }
        return nil
    }

    private static func areEqual(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.double(let left), .double(let right)):
            return left == right || left.isNaN && right.isNaN
        case (.list(let left), .list(let right)):
            return left.count == right.count && zip(left, right).allSatisfy(areEqual)
        default: return left == right
        }
    }
}
