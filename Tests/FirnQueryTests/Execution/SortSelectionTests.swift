import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

@Suite("Rows at positions of a sort")
struct SortSelectionTests {
    /// Returns the rows at some positions of a sort.
    private static func rows(
        _ table: StoredTable, _ text: String, _ positions: Range<Int>, memoryByteCount: Int = .max,
        _ thresholds: SortSelection.Thresholds
    ) throws -> [RowReference] {
        let snapshot = try table.snapshot()
        let query = try BoundQuery(
            text, entry: .pipeline,
            in: BindingContext(schema: snapshot.schema, now: Timestamp(seconds: 0)))
        let plan = QueryPlan(query)
        guard case .sort(let keys, _)? = plan.steps.first else { return [] }
        let reader = SnapshotReader(try table.store.snapshot())
        let scanner = try reader.scanner(of: query.classSchema)
        let sort = SortStream(
            ScanStream(PredicateEvaluator(plan.scan, scanner, reader), divisible: plan.scan), keys,
            limit: positions.upperBound, ExpressionEvaluator(source: scanner, reader: reader),
            memoryByteCount: memoryByteCount, thresholds: thresholds)
        let stream = SliceStream(sort, skipping: positions.lowerBound, taking: positions.count)
        var rows: [RowReference] = []
        while let batch = try stream.next() {
            switch batch {
            case .run(let run): rows += BatchRows.group(run.group, run.rows).references
            case .scattered(let references): rows += references
            }
        }
        return rows
    }

    /// Thresholds with which no search is made.
    private static let never = SortSelection.Thresholds(firstRowCount: .max)

    @Test(
        "The rows at any positions equal those positions in a full sort",
        arguments: TestScale.seeds(20))
    func sameRows(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let table = try SpilledSortTests.table(&generator)
        for _ in 0..<20 {
            let keys = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                (SpilledSortTests.names.randomElement(using: &generator) ?? "s")
                    + (generator.happens(oneIn: 2) ? " DESC" : "")
            }
            let condition = generator.happens(oneIn: 3) ? " x != 1.5" : ""
            let text = "Item\(condition) | SORT(\(keys.joined(separator: ", ")))"
            let start = Int.random(in: 0...420, using: &generator)
            let positions = start..<start + Int.random(in: 0...60, using: &generator)
            let thresholds = SortSelection.Thresholds(
                firstRowCount: 0, otherRowCount: Int.random(in: 0...20, using: &generator),
                collectedRowCount: generator.happens(oneIn: 2) ? 0 : 400)
            let expected = try Self.rows(table, text, positions, Self.never)
            for memory in [0, 4_000, .max] {
                let found = try Self.rows(
                    table, text, positions, memoryByteCount: memory, thresholds)
                #expect(found == expected, "seed \(seed), \(text), \(positions), \(memory) bytes")
            }
        }
    }

    @Test(
        "Zone maps identify the rows before and after the positions, and their pages are not read")
    func zoneMaps() throws {
        var generator = SplitMix64(seed: 8)
        let numbers = (0..<100).flatMap { group in
            // 1,000 numbers that overlap with those of neighbouring row groups.
            (0..<1_000).map { _ in Int64(group * 10 + Int.random(in: 0..<25, using: &generator)) }
        }
        let table = try StoredTable(ints: numbers, rowsPerGroup: 1_000)
        let deleted = Set(
            (0..<9_000).map { _ in UInt64.random(in: 0..<100_000, using: &generator) })
        try table.change(deleting: deleted.sorted())
        let kept = numbers.enumerated().filter { !deleted.contains(UInt64($0.offset)) }
        let ascending = kept.map(\.element).sorted()
        for position in [70_000, 80_000, ascending.count - 3] {
            let query = "Item | SORT(x) | SKIP(\(position)) | LIMIT(3)"
            #expect(try table.ints(query) == ascending[position..<position + 3].map { $0 })
            let reversed = "Item | SORT(x DESC) | SKIP(\(position)) | LIMIT(3)"
            let expected = ascending.reversed().dropFirst(position).prefix(3).map { $0 }
            #expect(try table.ints(reversed) == expected)
            for query in [query, reversed] {
                #expect(try table.statistics(query).pagesRead <= 25, "\(query)")
            }
        }
    }

    @Test("Rows of a whole class are found by counting, and explain says so")
    func wholeClass() throws {
        // 100,000 rows in the order of a key; the second one is 0 in half of them.
        let rows = (0..<100_000).map { number -> [Value] in
            [.int(Int64(number)), .int(Int64(number % 2) * Int64(number))]
        }
        let table = try StoredTable(["x": .int, "y": .int], rows, rowsPerGroup: 1_000)
        let query = "Item | SORT(x DESC) | SKIP(70000) | LIMIT(3)"
        #expect(try table.ints(query) == [29_999, 29_998, 29_997])
        let plan = try table.plan(query)
        #expect(
            plan[1] == "sort by x DESC, only rows 70001 to 70003, which are found by counting")
        let byTwoKeys = "Item | SORT(y, x DESC) | SKIP(69999) | LIMIT(2)"
        #expect(try table.ints(byTwoKeys) == [39_999, 40_001])
    }

    @Test("Deleted objects have no positions")
    func deleted() throws {
        let table = try StoredTable(ints: (0..<70_100).map { Int64($0) }, rowsPerGroup: 1_000)
        try table.change(deleting: (0..<100).map { $0 * 10 + 1 })
        let all = try table.ints("Item | SORT(x)")
        #expect(all.count == 70_000)
        for skip in [66_000, 69_998, 69_999, 70_000, 70_050, 70_100, 80_000] {
            let found = try table.ints("Item | SORT(x) | SKIP(\(skip)) | LIMIT(5)")
            #expect(found == Array(all.dropFirst(skip).prefix(5)))
            #expect(
                try table.ints("Item | SORT(x) | SKIP(\(skip))") == Array(all.dropFirst(skip)))
        }
    }

    @Test("Rows with equal keys are delivered in table order without a sort")
    func equalRows() throws {
        let table = try StoredTable(
            ["x": .string], (0..<150_000).map { [.string($0 % 3 == 0 ? "a" : "b")] },
            rowsPerGroup: 4_000)
        let found = try table.rows("Item | SORT(x) | SKIP(100000) | LIMIT(3) | project(@id)")
        // 50,000 objects with "a" come first, and two of three have "b".
        #expect(found == [[.int(75_001)], [.int(75_002)], [.int(75_004)]])
    }
}
