import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

@Suite("Scans on several threads")
struct PartitionedScanTests {
    /// 200 row groups of three rows, in which every group of keys occurs.
    private static func table(seed: UInt64) throws -> StoredTable {
        var generator = SplitMix64(seed: seed)
        let rows: [[Value]] = (0..<600).map { row in
            [
                .string(["UA", "AA", "DL", "B6"][Int.random(in: 0...3, using: &generator)]),
                row % 7 == 0 ? .null : .int(Int64.random(in: -50...500, using: &generator)),
                .double(Double.random(in: -1e9...1e9, using: &generator)),
                .decimal128(Decimal128(Int64.random(in: -9...9, using: &generator))),
            ]
        }
        return try StoredTable(
            ["carrier": .string, "delay?": .int, "x": .double, "d": .decimal128], rows,
            rowsPerGroup: 3)
    }

    private static let group =
        "Item | group(carrier, late = delay > 100; n = @count, @count.delay, s = @sum.delay, "
        + "t = @sum.x, m = @avg.delay, @min.x, @max.delay, a = @first.delay, z = @last.x, "
        + "q = @median.delay, p = @quantile(x, 0.9), v = @stddev.x, e = @sum.d)"

    @Test("Any number of threads gives the same groups to the last bit", arguments: [1, 2, 5, 20])
    func sameGroups(threadCount: Int) throws {
        let table = try Self.table(seed: 5)
        let snapshot = try table.snapshot()
        let query = try BoundQuery(
            Self.group, entry: .pipeline,
            in: BindingContext(schema: snapshot.schema, now: Timestamp(seconds: 0)))
        guard case .group(let keys, let items)? = QueryPlan(query).steps.first else {
            Issue.record("no group")
            return
        }
        let reader = SnapshotReader(try table.store.snapshot())
        let scanner = try reader.scanner(of: query.classSchema)
        let scan = try #require(PartitionedScan(.always(true), scanner, reader, .rows))
        let grouping = try scan.consume(threadCount: threadCount) {
            Grouping(keys: keys.map(\.expression), items: items, $0)
        }
        let columns = try grouping.columns()
        let rows = (0..<(columns.first?.count ?? 0)).map { row in
            columns.map { $0.value(at: row) }
        }
        #expect(try rows == table.rows(Self.group))
        #expect(scanner.pagesRead == 4 * 200)
        #expect(scan.rowCountOfWorkers == 0)
    }

    @Test("Groups come in the order of their first rows, with the values of all of their rows")
    func groups() throws {
        let table = try Self.table(seed: 6)
        let rows = try table.rows("Item")
        var order: [Value] = []
        var members: [Value: [[Value]]] = [:]
        for row in rows {
            if members[row[0]] == nil { order.append(row[0]) }
            members[row[0], default: []].append(row)
        }
        let expected: [[Value]] = order.map { carrier in
            let rows = members[carrier] ?? []
            let delays = rows.map { $0[1] }.filter { !$0.isNull }
            let sum = delays.reduce(Int64(0)) { sum, value in
                if case .int(let number) = value { sum + number } else { sum }
            }
            return [
                carrier, .int(Int64(rows.count)), .int(sum), delays.first ?? .null,
                rows.last?[2] ?? .null,
            ]
        }
        #expect(
            try table.rows(
                "Item | group(carrier; n = @count, s = @sum.delay, a = @first.delay, z = @last.x)")
                == expected)
    }

    /// A group that first occurs in the second part was merged with one of no values, by a formula
    /// that squares the mean: its deviation was nan.
    @Test("The deviation of huge values is the same however the rows are divided")
    func hugeValues() throws {
        let rows = (0..<600).map { (row: Int) -> [Value] in
            let number: Double = row / 2 == 299 ? 1e300 : Double(row)
            return [.int(Int64(row / 2)), .double(number)]
        }
        let table = try StoredTable(["k": .int, "x": .double], rows, rowsPerGroup: 3)
        let deviations = try table.rows("Item | group(k; s = @stddev.x)")
        #expect(deviations.last == [.int(299), .double(0)])
        #expect(deviations.first == [.int(0), .double(0.5.squareRoot())])
    }

    @Test("Rows are counted and aggregated in parts")
    func aggregates() throws {
        let table = try Self.table(seed: 7)
        let rows = try table.rows("Item")
        let late = rows.filter { row in
            if case .int(let delay) = row[1] { delay > 100 } else { false }
        }
        #expect(
            try table.rows("Item delay > 100 | count") == [[.int(Int64(late.count))]])
        let extremes = late.map { $0[2] }.sorted { $0.order(relativeTo: $1) == .less }
        #expect(
            try table.rows("Item delay > 100 | select(@min.x, @max.x, @count, @first.carrier)")
                == [
                    [
                        extremes.first ?? .null, extremes.last ?? .null, .int(Int64(late.count)),
                        late.first?[0] ?? .null,
                    ]
                ])
    }

    @Test("Rows that are joined with few objects are grouped and counted in parts")
    func joined() throws {
        let table = try Self.table(seed: 9)
        let join = "Item | join(other = Item; delay == other.delay)"
        let few = "Item | join(few = Few; carrier == few.code)"
        let transaction = try table.store.beginWrite()
        let schema = try transaction.addClass(
            ClassDefinition(
                name: "Few",
                properties: [
                    ClassDefinition.Property(name: "code", type: PropertyType(.string)),
                    ClassDefinition.Property(name: "rank", type: PropertyType(.int)),
                ], keyName: nil))
        let loader = try transaction.bulkLoader(for: schema.id)
        for (rank, code) in ["UA", "DL", "B6"].enumerated() {
            try loader.columns[0].append(.string(code))
            try loader.columns[1].append(.int(Int64(rank)))
            try loader.endRow()
        }
        try loader.finish()
        _ = try transaction.commit()
        let parts = "in 8 parts, on as many cores as there are"
        #expect(try table.plan(few + " | few.rank > 0 | count").contains { $0.contains(parts) })
        #expect(try !table.plan(join + " | count").contains { $0.contains(parts) })
        let codes = try table.rows("Item").map { $0[0] }
        let later = codes.filter { [.string("DL"), .string("B6")].contains($0) }.count
        #expect(try table.value(few + " | few.rank > 0 | count") == .int(Int64(later)))
        let groups = try table.rows(few + " | group(few.rank; n = @count)")
        #expect(Set(groups.map { $0[0] }) == [.null, .int(0), .int(1), .int(2)])
        let total = groups.reduce(Int64(0)) { sum, group in
            if case .int(let count) = group[1] { sum + count } else { sum }
        }
        #expect(total == Int64(codes.count))
    }

    @Test("A cancelled query ends on all threads", arguments: [1, 3, 50, 130])
    func cancelled(after calls: Int) throws {
        let table = try Self.table(seed: 8)
        let snapshot = try table.snapshot()
        let query = try BoundQuery(
            Self.group, entry: .pipeline,
            in: BindingContext(schema: snapshot.schema, now: Timestamp(seconds: 0)))
        guard case .group(let keys, let items)? = QueryPlan(query).steps.first else {
            Issue.record("no group")
            return
        }
        var count = 0
        let reader = SnapshotReader(try table.store.snapshot()) {
            count += 1
            return count >= calls
        }
        let scanner = try reader.scanner(of: query.classSchema)
        let scan = try #require(PartitionedScan(.always(true), scanner, reader, .rows))
        do {
            let grouping = try scan.consume(threadCount: 1) {
                Grouping(keys: keys.map(\.expression), items: items, $0)
            }
            Issue.record("not cancelled, with \(try grouping.columns().count) columns")
        } catch {
            #expect(error.code == .cancelled)
        }
    }
}
