import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

@Suite("Sorts on several threads")
struct ParallelSortTests {
    private static let names = ["s", "b", "u", "d", "a", "i", "c"]

    /// Rows in which many values are equal, or equal in their first codes, or in all of them.
    private static func table(_ generator: inout SplitMix64) throws -> StoredTable {
        let long = String(repeating: "beginning ", count: 7)
        let texts = [
            "", "sevenby", "sevenby\0", "sevenbytes", "sevenbytes and seven",
            "sevenbytes and seven\0",
            "sevenbytes and more", long, long + "a", long + "b", String(long.dropLast()) + "\0",
        ]
        var rows: [[Value]] = []
        for _ in 0..<Int.random(in: 1...600, using: &generator) {
            let text = texts.randomElement(using: &generator) ?? ""
            let number = Int64.random(in: 0...2, using: &generator)
            let bits = UInt64.random(in: 0...2, using: &generator)
            let values: [Value] = [
                .string(text), .data(Array(text.utf8)), .uuid(UUID(high: bits, low: bits ^ 1)),
                .decimal128(Decimal128(number)),
                generator.happens(oneIn: 2) ? .int(number) : .string(text),
                .int(
                    Int64(bitPattern: generator.next())
                        >> Int64.random(in: 0...63, using: &generator)),
            ]
            rows.append(values.map { generator.happens(oneIn: 8) ? .null : $0 } + [.int(7)])
        }
        return try StoredTable(
            [
                "s?": .string, "b?": .data, "u?": .uuid, "d?": .decimal128, "a?": .any, "i?": .int,
                "c": .int,
            ], rows, rowsPerGroup: 16)
    }

    /// Returns the rows to be sorted, whose groups arrive in a random order.
    private static func rows(
        _ table: StoredTable, _ text: String, tiesByArrival: Bool, _ reader: SnapshotReader,
        _ generator: inout SplitMix64
    ) throws -> SortRows {
        let snapshot = try table.snapshot()
        let query = try BoundQuery(
            text, entry: .pipeline,
            in: BindingContext(schema: snapshot.schema, now: Timestamp(seconds: 0)))
        guard case .sort(let keys, _)? = QueryPlan(query).steps.first else {
            throw StoreError(.corrupt, path: "", detail: "no sort")
        }
        let scanner = try reader.scanner(of: query.classSchema)
        let evaluator = ExpressionEvaluator(source: scanner, reader: reader)
        var rows = SortRows(keys: keys, tiesByArrival: tiesByArrival)
        for group in scanner.groups.indices.shuffled(using: &generator) {
            let indices = [UInt32](rows: 0..<scanner.rowCount(of: group))
            try rows.append(indices, of: group, evaluator)
        }
        return rows
    }

    /// Returns the order of rows by their values.
    private static func order(_ rows: SortRows, _ values: [[Value]], _ keys: [(Int, Bool)])
        -> [UInt32]
    {
        rows.references.indices.sorted { left, right in
            let (leftRow, rightRow) = (rows.references[left], rows.references[right])
            for (key, isDescending) in keys {
                let order = values[Int(leftRow.group) * 16 + Int(leftRow.row)][key].order(
                    relativeTo: values[Int(rightRow.group) * 16 + Int(rightRow.row)][key])
                if order != .equal { return (order == .less) != isDescending }
            }
            return rows.tiesByArrival ? left < right : leftRow < rightRow
        }.map { UInt32($0) }
    }

    @Test(
        "Buckets of any size are sorted by value, on any number of threads",
        arguments: TestScale.seeds(30))
    func sameOrder(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let table = try Self.table(&generator)
        let values = try table.rows("Item | project(\(Self.names.joined(separator: ", ")))")
        let reader = SnapshotReader(try table.store.snapshot())
        for _ in 0..<10 {
            let keys = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                (
                    Int.random(in: 0..<Self.names.count, using: &generator),
                    generator.happens(oneIn: 2)
                )
            }
            let list = keys.map { Self.names[$0.0] + ($0.1 ? " DESC" : "") }
            let text = "Item | SORT(\(list.joined(separator: ", ")))"
            let rows = try Self.rows(
                table, text, tiesByArrival: generator.happens(oneIn: 2), reader, &generator)
            let expected = Self.order(rows, values, keys)
            let comment = Comment(rawValue: "seed \(seed): \(text)")
            #expect(try rows.order(path: "") == expected, comment)
            for bucketRowCount in [1, 10, 200] {
                let threadCount = Int.random(in: 1...4, using: &generator)
                let found = try rows.withView { view throws(StoreError) in
                    try ParallelSort(
                        view, nil, reader, threadCount: threadCount,
                        bucketRowCount: bucketRowCount
                    ).order()
                }
                #expect(found == expected, comment)
            }
        }
    }

    @Test("A code is put into the bucket between its two splitters")
    func splitters() {
        var generator = SplitMix64(seed: 9)
        for round in 0..<300 {
            let shift = UInt64.random(in: 0...63, using: &generator)
            var codes = (0..<100).map { _ in generator.next() >> shift }
            if generator.happens(oneIn: 2) { codes += [0, 0, .max, .max, .max, 1, .max - 1] }
            if generator.happens(oneIn: 3) { codes += Array(repeating: codes[0], count: 80) }
            let count = Int.random(in: 2...128, using: &generator)
            let splitters = SortSplitters(codes, bucketCount: count)
            var entries = codes.map { SortEntry(code: $0, index: 0) }
            var numbers = [UInt8](repeating: 0, count: codes.count)
            let counts = entries.withUnsafeMutableBufferPointer { entries in
                numbers.withUnsafeMutableBufferPointer { splitters.number(entries, into: $0) }
            }
            #expect(splitters.bucketCount <= 128)
            #expect(counts.count == splitters.bucketCount)
            var seen = [Set<UInt64>](repeating: [], count: counts.count)
            for (code, number) in zip(codes, numbers) { seen[Int(number)].insert(code) }
            for number in counts.indices {
                #expect(counts[number] == numbers.count { Int($0) == number })
                if splitters.hasOneCode(number) { #expect(seen[number].count <= 1, "\(round)") }
            }
            let ranges = seen.compactMap { codes in
                codes.min().flatMap { min in codes.max().map { (min, $0) } }
            }
            #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.1 < $1.0 }, "\(round)")
        }
        // A code that fills several buckets is alone in one.
        let one = SortSplitters(Array(repeating: 5, count: 100), bucketCount: 8)
        #expect((0..<one.bucketCount).filter { one.hasOneCode($0) } == [1])
    }

    /// Rows that worker threads had read were sorted without progress, and could not be cancelled.
    @Test(
        "The caller sees that rows are being sorted, and can cancel the sort of many or few rows",
        arguments: [80_000, 20_000], [false, true])
    func caller(rowCount: Int, cancels: Bool) throws {
        var generator = SplitMix64(seed: 1)
        let table = try StoredTable(
            ["x": .int], (0..<rowCount).map { _ in [.int(Int64(bitPattern: generator.next()))] },
            rowsPerGroup: 2_048)
        let snapshot = try table.store.snapshot()
        var seen: Set<Int> = []
        var progress: SortProgress?
        let reader = SnapshotReader(snapshot) {
            if let progress { seen.insert(progress.rowCount) }
            return cancels && progress?.rowCount == rowCount
        }
        // They were read by another thread.
        let rows = try Self.rows(
            table, "Item | SORT(x)", tiesByArrival: true, SnapshotReader(snapshot), &generator)
        progress = reader.sortProgress
        do throws(StoreError) {
            #expect(try rows.sorted(path: "", on: reader).count == rowCount)
            #expect(!cancels)
        } catch {
            #expect(cancels && error.code == .cancelled)
        }
        #expect(seen.contains(rowCount))
        #expect(reader.sortProgress.rowCount == 0)
    }

    @Test("A sort that is cancelled ends with an error")
    func cancelled() throws {
        var generator = SplitMix64(seed: 1)
        let table = try StoredTable(
            ["x": .int], (0..<80_000).map { _ in [.int(Int64(bitPattern: generator.next()))] },
            rowsPerGroup: 8_192)
        let snapshot = try table.store.snapshot()
        // Each number of calls ends the sort at another point.
        for calls in 0..<40 {
            var callCount = 0
            let reader = SnapshotReader(snapshot) {
                callCount += 1
                return callCount > calls
            }
            var generator = SplitMix64(seed: 2)
            let rows = try Self.rows(
                table, "Item | SORT(x)", tiesByArrival: true,
                SnapshotReader(snapshot), &generator)
            do throws(StoreError) {
                let found = try rows.withView { view throws(StoreError) in
                    try ParallelSort(view, nil, reader, threadCount: 2, bucketRowCount: 30_000)
                        .order()
                }
                #expect(callCount <= calls)
                #expect(found.count == 80_000)
            } catch {
                #expect(error.code == .cancelled)
                #expect(callCount > calls)
            }
        }
    }
}
