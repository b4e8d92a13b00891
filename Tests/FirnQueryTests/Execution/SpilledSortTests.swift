import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

@Suite("Sorts that do not fit into memory")
struct SpilledSortTests {
    static let names = ["s", "b", "i", "x", "t", "u", "o", "f"]

    /// Rows in which many values are equal, or equal in the part that their codes contain.
    static func table(_ generator: inout SplitMix64) throws -> StoredTable {
        let texts = [
            "", "a", "sevenby", "sevenby\0", "sevenby\0\0", "sevenby\u{1}", "sevenbytes",
            "sevenbytes and more", "sevenbytes and more\0", "été", "zzzzzzzzzzzzzzz",
        ]
        let ints: [Int64] = [.min, .min + 1, -1, 0, 1, .max]
        let seconds: [Int64] = [.min, -9_000_000_000, 0, 9_000_000_000, 9_000_000_001, .max]
        var rows: [[Value]] = []
        for _ in 0..<Int.random(in: 0...400, using: &generator) {
            let text = texts.randomElement(using: &generator) ?? ""
            let number = UInt64.random(in: 0...2, using: &generator)
            let values: [Value] = [
                .string(text), .data(Array(text.utf8)),
                .int(ints.randomElement(using: &generator) ?? 0),
                .double([-.infinity, -0.0, 0, 1.5, .nan].randomElement(using: &generator) ?? 0),
                .date(
                    Timestamp(
                        seconds: seconds.randomElement(using: &generator) ?? 0,
                        nanoseconds: Int64.random(in: 0...1, using: &generator))),
                .uuid(UUID(high: number, low: UInt64.random(in: 0...2, using: &generator))),
                .objectID(
                    ObjectID(high: number, low: UInt32.random(in: 0...2, using: &generator))),
                .bool(number == 0),
            ]
            rows.append(values.map { generator.happens(oneIn: 8) ? .null : $0 })
        }
        return try StoredTable(
            [
                "s?": .string, "b?": .data, "i?": .int, "x?": .double, "t?": .date, "u?": .uuid,
                "o?": .objectID, "f?": .bool,
            ], rows, rowsPerGroup: 16)
    }

    private static func sorted(
        _ table: StoredTable, _ text: String, memoryByteCount: Int, onThreads: Bool = false
    ) throws -> (rows: [RowReference], batchCount: Int) {
        let snapshot = try table.snapshot()
        let query = try BoundQuery(
            text, entry: .pipeline,
            in: BindingContext(schema: snapshot.schema, now: Timestamp(seconds: 0)))
        let plan = QueryPlan(query)
        guard case .sort(let keys, _)? = plan.steps.first else { return ([], 0) }
        let reader = SnapshotReader(try table.store.snapshot())
        let scanner = try reader.scanner(of: query.classSchema)
        let stream = SortStream(
            ScanStream(
                PredicateEvaluator(plan.scan, scanner, reader),
                divisible: onThreads ? plan.scan : nil), keys,
            ExpressionEvaluator(source: scanner, reader: reader),
            memoryByteCount: memoryByteCount)
        var rows: [RowReference] = []
        var batchCount = 0
        while case .scattered(let batch)? = try stream.next() {
            rows += batch
            batchCount += 1
        }
        return (rows, batchCount)
    }

    @Test("Rows come in the same order from disk", arguments: TestScale.seeds(20))
    func sameOrder(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let table = try Self.table(&generator)
        for _ in 0..<10 {
            let keys = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                (Self.names.randomElement(using: &generator) ?? "s")
                    + (generator.happens(oneIn: 2) ? " DESC" : "")
            }
            // With a condition, it turns out during the scan that the rows do not fit.
            let condition = ["", " i != 1", " f == true"].randomElement(using: &generator) ?? ""
            let text = "Item\(condition) | SORT(\(keys.joined(separator: ", ")))"
            let inMemory = try Self.sorted(table, text, memoryByteCount: .max)
            for memory in [0, 4_000, Int.random(in: 0...20_000, using: &generator), .max] {
                for onThreads in [false, true] {
                    let spilled = try Self.sorted(
                        table, text, memoryByteCount: memory, onThreads: onThreads)
                    #expect(
                        spilled.rows == inMemory.rows,
                        "seed \(seed), \(text), \(memory) bytes, threads: \(onThreads)")
                }
            }
        }
    }

    /// Rows of slightly more than a run became a run and a tiny one, and twice as many runs took twice
    /// as long to merge.
    @Test("Rows are divided into parts of similar size")
    func parts() throws {
        let table = try StoredTable(ints: (0..<100).map { $0 }, rowsPerGroup: 1)
        let snapshot = try table.snapshot()
        let query = try BoundQuery(
            "Item | SORT(x)", entry: .pipeline,
            in: BindingContext(schema: snapshot.schema, now: Timestamp(seconds: 0)))
        guard case .sort(let keys, _)? = QueryPlan(query).steps.first else { return }
        let reader = SnapshotReader(try table.store.snapshot())
        let evaluator = ExpressionEvaluator(
            source: try reader.scanner(of: query.classSchema), reader: reader)
        var rows = SortRows(keys: keys, tiesByArrival: true)
        for group in 0..<100 { try rows.append([0], of: group, evaluator) }
        func counts(_ partCount: Double) -> [Int] {
            rows.parts(of: Int(Double(rows.byteCount) / partCount)).map(\.count)
        }
        #expect(counts(0.5) == [100])
        #expect(counts(1.05) == [100])
        #expect(counts(1.9) == [100])
        #expect(counts(2.1) == [50, 50])
        #expect(counts(4.5) == [25, 25, 25, 25])
        #expect(rows.parts(of: 0).map(\.count) == Array(repeating: 1, count: 100))
    }

    @Test("Keys on disk are divided into more parts when there are more rows")
    func keyParts() {
        #expect(KeyPartitions.partCount(forRows: 0) == 64)
        #expect(KeyPartitions.partCount(forRows: 8_000_000) == 64)
        #expect(KeyPartitions.partCount(forRows: 60_000_000) == 512)
        #expect(KeyPartitions.partCount(forRows: .max) == 1_024)
    }

    @Test(
        "A full disk ends the sort with an error, and leaves no file",
        arguments: [false, true])
    func fullDisk(onThreads: Bool) throws {
        var generator = SplitMix64(seed: 3)
        let table = try Self.table(&generator)
        let names = table.disk.fileNames
        table.disk.fill()
        do {
            _ = try Self.sorted(
                table, "Item | SORT(s)", memoryByteCount: 0, onThreads: onThreads)
            Issue.record("the sort ended without an error")
        } catch let error as StoreError {
            #expect(error.code == .diskFull)
        }
        #expect(table.disk.fileNames == names)
    }
}
