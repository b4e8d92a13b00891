import FirnCodec
import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@Suite("Stages over computed values")
struct GraphStageTests {
    @Test(
        "Sort, distinct, group and aggregates have the same results as plain Swift code",
        arguments: TestScale.seeds(10))
    func againstOracle(seed: UInt64) throws {
        var store = try GraphStore(seed: seed + 500)
        try store.change()
        let snapshot = try store.snapshot()
        let data = try GraphData(snapshot)
        let oracle = GraphOracle(data: data)
        var queries = RandomGraphQuery(store, data, seed: seed)
        for _ in 0..<15 {
            let root = queries.root()
            let objects = data.rows(of: root).map { GraphObject(schema: root, row: $0) }
            let keys = [queries.expression(from: root), queries.expression(from: root)]
            try sort(keys, objects, oracle, snapshot)
            try distinct(keys, objects, oracle, snapshot)
            let number = queries.expression(from: root, kinds: [.int], depth: 1)
            try group(keys[0], number, objects, oracle, snapshot)
        }
    }

    private let id = BoundStage.project([BoundProjection(column: .rowID, name: "@id")])

    private func sort(
        _ keys: [BoundExpression], _ objects: [GraphObject], _ oracle: GraphOracle,
        _ snapshot: Snapshot
    ) throws {
        let sortKeys = zip(keys, [false, true]).map { BoundSortKey($0, descending: $1) }
        let found = try GraphRows.rows([.sort(sortKeys), id], of: objects[0].schema, snapshot)
        let limited = try GraphRows.rows(
            [.sort(sortKeys), .limit(3), id], of: objects[0].schema, snapshot)
        let expected = objects.enumerated().sorted { left, right in
            for key in sortKeys {
                let order = oracle.value(key.expression, left.element)
                    .order(relativeTo: oracle.value(key.expression, right.element))
                if order != .equal { return (order == .less) != key.descending }
            }
            return left.offset < right.offset
        }.map { [Value.int(Int64($0.element.row.rawValue))] }
        #expect(found == expected, "\(keys)")
        #expect(limited == Array(expected.prefix(3)), "\(keys)")
    }

    private func distinct(
        _ keys: [BoundExpression], _ objects: [GraphObject], _ oracle: GraphOracle,
        _ snapshot: Snapshot
    ) throws {
        let found = try GraphRows.rows([.distinct(keys), id], of: objects[0].schema, snapshot)
        var seen: [[Value]] = []
        let expected = objects.filter { object in
            let values = keys.map { oracle.value($0, object) }
            let isNew = !seen.contains { zip($0, values).allSatisfy(areEqual) }
            if isNew { seen.append(values) }
            return isNew
        }.map { [Value.int(Int64($0.row.rawValue))] }
        #expect(found == expected, "\(keys)")
    }

    private func areEqual(_ left: Value, _ right: Value) -> Bool {
        left.order(relativeTo: right) == .equal
    }

    private func group(
        _ key: BoundExpression, _ number: BoundExpression, _ objects: [GraphObject],
        _ oracle: GraphOracle, _ snapshot: Snapshot
    ) throws {
        let functions: [BoundAggregate.Function] = [.count, .minimum, .maximum, .average]
        let aggregates = functions.map {
            BoundAggregate(
                function: $0, expression: number, valueType: PropertyType(.int), name: $0.rawValue)
        }
        let all = BoundAggregate(function: .count, column: nil, name: "n")
        var items: [BoundGroupItem] = [.key(0, name: "k"), .aggregate(all)]
        for aggregate in aggregates { items.append(.aggregate(aggregate)) }
        let keys = [BoundProjection(key, name: "k", type: key.type)]
        let found = try GraphRows.rows(
            [.group(keys: keys, items: items)], of: objects[0].schema, snapshot)
        var groups: [(key: Value, members: [GraphObject])] = []
        for object in objects {
            let value = oracle.value(key, object)
            if let index = groups.firstIndex(where: { areEqual($0.key, value) }) {
                groups[index].members.append(object)
            } else {
                groups.append((value, [object]))
            }
        }
        let expected = groups.map { group -> [Value] in
            let numbers = group.members.map { oracle.value(number, $0) }.filter { $0 != .null }
            let sum = numbers.reduce(Int128(0)) { sum, value in
                if case .int(let number) = value { sum + Int128(number) } else { sum }
            }
            return [
                group.key, .int(Int64(group.members.count)), .int(Int64(numbers.count)),
                numbers.min { $0.order(relativeTo: $1) == .less } ?? .null,
                numbers.max { $0.order(relativeTo: $1) == .less } ?? .null,
                numbers.isEmpty ? .null : .double(OracleQuery.exactQuotient(sum, numbers.count)),
            ]
        }
        #expect(GraphRows.difference(found, expected) == nil, "\(key) \(number)")
    }

    @Test("After a group, its columns are filtered, sorted, counted and summed")
    func behindGroup() throws {
        let table = try StoredTable(
            ["x": .int, "s?": .string],
            (0..<100).map { [.int($0), $0 % 4 == 3 ? .null : .string("s\($0 % 4)")] })
        let rows = try table.rows(
            "Item | group(s; s, @count AS n, @sum.x AS total) | total > 1200 | SORT(total DESC)")
        #expect(
            rows == [
                [.null, .int(25), .int(1275)], [.string("s2"), .int(25), .int(1250)],
                [.string("s1"), .int(25), .int(1225)],
            ])
        #expect(
            try table.value("Item | group(s; @sum.x AS total) | project(@max.total)") == .int(1275))
        #expect(try table.value("Item | group(s; s) | count") == .int(4))
        #expect(try table.value("Item x < 0 | group(s; s) | count") == .int(0))
        #expect(try table.rows("Item | group(s; s) | SKIP(1) | LIMIT(1)") == [[.string("s1")]])
    }

    @Test("A sum of a group beyond 64 bits is an error, not a wrong number")
    func overflow() throws {
        let table = try StoredTable(["x": .int], [[.int(.max)], [.int(1)]])
        #expect(throws: QueryFailure.self) {
            try table.rows("Item | group(x / 0 ; @sum.x AS total)")
        }
    }
}
