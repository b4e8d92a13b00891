import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Windows of scattered rows")
struct ScatteredFetchTests {
    private func evaluator(
        _ table: StoredTable
    ) throws -> (ExpressionEvaluator, BoundColumn) {
        let snapshot = try table.store.snapshot()
        let schema = try #require(snapshot.schema.classNamed("Item"))
        let reader = SnapshotReader(snapshot)
        let evaluator = ExpressionEvaluator(source: try reader.scanner(of: schema), reader: reader)
        return (evaluator, .property(schema.properties[0]))
    }

    @Test(
        "Windows are smaller where values are large, and no row is lost",
        arguments: [1, 1_000, 5_000, 1 << 20])
    func bytes(byteCountMax: Int) throws {
        let texts = (0..<64).map { String(repeating: "a", count: $0 * 30) + String($0) }
        let table = try StoredTable(["x": .string], texts.map { [.string($0)] })
        let (evaluator, column) = try evaluator(table)
        var fetch = ScatteredFetch(
            [.column(column), .column(.rowID)], evaluator, byteCountMax: byteCountMax)
        var generator = SplitMix64(seed: 3)
        let numbers = (0..<64).shuffled(using: &generator)
        let references = numbers.map {
            RowReference(group: UInt32($0 / 8), row: UInt32($0 % 8))
        }
        var rest = references[...]
        var found: [String] = []
        while !rest.isEmpty {
            let fetched = try fetch.fetch(rest)
            let count = fetched.indices.count
            #expect(count >= 1)
            let vectors = fetched.ordered(0..<count)
            #expect(count == 1 || vectors[0].bytes.count <= byteCountMax)
            for row in 0..<count {
                #expect(vectors[1].value(at: row) == .int(Int64(numbers[found.count])))
                found.append("\(vectors[0].value(at: row))")
            }
            rest = rest.dropFirst(count)
        }
        #expect(found == numbers.map { texts[$0] })
    }

    @Test("The retained rows of a long sort keep their values")
    func keptRows() throws {
        let texts = (0..<64).map { number -> Value in
            .string("the same beginning " + String(1_000 + number * 37 % 64))
        }
        let table = try StoredTable(["x": .string], texts.map { [$0] })
        let (evaluator, column) = try evaluator(table)
        let keys = [BoundSortKey(column: column, descending: true)]
        var rows = SortRows(keys: keys, tiesByArrival: true)
        for group in 0..<8 {
            try rows.append(Array(0..<8), of: group, evaluator)
            if group % 3 == 2 { #expect(try rows.keepFirst(20, path: "x") != nil) }
        }
        let found = try rows.sorted(limit: 20, path: "x").map { texts[Int($0.group * 8 + $0.row)] }
        let expected = texts.sorted { $0.order(relativeTo: $1) == .greater }.prefix(20)
        #expect(found == Array(expected))
    }

    /// A sort of six million texts with a common prefix continued for half a minute after Ctrl-C.
    @Test("A long sort ends when it is cancelled", arguments: [ValueTag.string, .any])
    func interruptedSort(kind: ValueTag) throws {
        let texts = (0..<600).map { number -> Value in
            .string("the same beginning " + String(10_000 + number * 371 % 600))
        }
        let table = try StoredTable(["x": kind], texts.map { [$0] })
        let (evaluator, column) = try evaluator(table)
        var askedCount = 0
        var rows = SortRows(
            keys: [BoundSortKey(column: column, descending: false)], tiesByArrival: true
        ) {
            askedCount += 1
            return true
        }
        let groupCount = try evaluator.source.groupCount()
        for _ in 0..<30 {
            for group in 0..<groupCount {
                let count = evaluator.source.rowCount(of: group)
                try rows.append((0..<UInt32(count)).map { $0 }, of: group, evaluator)
            }
        }
        let error = #expect(throws: StoreError.self) { _ = try rows.sorted(path: "x") }
        #expect(error?.code == .cancelled)
        #expect(askedCount == 1)
    }
}
