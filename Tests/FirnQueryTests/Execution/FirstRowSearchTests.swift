import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

@Suite("First rows that several threads find")
struct FirstRowSearchTests {
    @Test("The first rows are the same as on one thread", arguments: TestScale.seeds(8))
    func sameRows(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let disorder = [0, 1, 20, 60, 3_000].randomElement(using: &generator) ?? 0
        let table = try ClusteredGroupTests.table(&generator, rowCount: 3_000, disorder: disorder)
        let keys = ["k", "i", "s", "k, i", "s, i", "i % 7, s", "s, k", "k / 5"]
        let conditions = ["", " i > 0", " s == \"text 3\""]
        for _ in 0..<6 {
            let key = keys.randomElement(using: &generator) ?? "k"
            let condition = conditions.randomElement(using: &generator) ?? ""
            // Rows that were sorted are read by one thread.
            let expected = try table.rows(
                "Item\(condition) | SORT(@id) | DISTINCT(\(key)) | project(@id)")
            let kept = generator.happens(oneIn: 3) ? "LIMIT(1 BY \(key))" : "DISTINCT(\(key))"
            let query = "Item\(condition) | \(kept) | project(@id)"
            let comment = Comment(rawValue: "seed \(seed), disorder \(disorder): \(query)")
            #expect(try table.rows(query) == expected, comment)
            // Combinations become marks early, or are kept on disk.
            for byteCount in [100_000, 7_000] {
                let found = try table.rows(query, statementByteCount: byteCount)
                #expect(found == expected, comment)
            }
        }
    }

    /// A combination that had gone to the disk came again in the next row group, where so few were open
    /// that they stayed in memory. It looked complete there, and had two first rows.
    @Test(
        "A combination in two row groups has one first row",
        arguments: TestScale.seeds(4), [150_000, 200_000])
    func borders(seed: UInt64, byteCount: Int) throws {
        var generator = SplitMix64(seed: seed)
        // These need more memory than there is.
        var rows = (0..<2_000).map { [Value.int(0), .int($0)] }
        var key: Int64 = 0
        while rows.count < 40_000 {
            key += 1
            for _ in 0..<Int.random(in: 20...48, using: &generator) {
                // Row groups with many and with few values take turns.
                let range: Int64 = rows.count / 64 % 2 == 0 ? 40 : 5
                rows.append([.int(key), .int(Int64.random(in: 0..<range, using: &generator))])
            }
        }
        let table = try StoredTable(["k": .int, "i": .int], rows, rowsPerGroup: 64)
        let count = Int64(Set(rows).count)
        for text in ["DISTINCT(k, i)", "LIMIT(1 BY k, i)"] {
            let found = try table.rows("Item | \(text) | count", statementByteCount: byteCount)
            #expect(found == [[.int(count)]], "seed \(seed): \(text)")
        }
    }

    /// A search for the first row of each `k`, which becomes a mark when there are a hundred.
    private struct Search {
        let table: StoredTable
        let reader: SnapshotReader
        let scanner: TableScanner
        let keys: [BoundExpression]
        let clusters: KeyClusters?

        init(disorder: Int) throws {
            var generator = SplitMix64(seed: 3)
            table = try ClusteredGroupTests.table(&generator, rowCount: 6_000, disorder: disorder)
            let query = try BoundQuery(
                "Item | DISTINCT(k)", entry: .pipeline,
                in: BindingContext(
                    schema: try table.snapshot().schema, now: Timestamp(seconds: 0)))
            guard case .distinct(let keys)? = QueryPlan(query).steps.first else {
                throw QueryFailure.store(StoreError(.corrupt, path: "", detail: "no distinct"))
            }
            self.keys = keys
            reader = SnapshotReader(try table.store.snapshot())
            scanner = try reader.scanner(of: query.classSchema)
            clusters = try KeyClusters(keys, scanner)
            #expect((clusters == nil) == (disorder > 0))
        }

        /// Returns the search of one thread in some partitions.
        func search(
            _ partitions: [Range<Int>], memory: RowMemory = RowMemory(of: 256 << 20),
            to file: SpillFile? = nil
        ) throws -> FirstRowSearch {
            let evaluator = ExpressionEvaluator(source: scanner, reader: reader)
            var search = FirstRowSearch(
                keys, clusters, evaluator, memory: memory,
                to: file ?? reader.snapshot.makeSpillFile(), partCount: 64, openCountMax: 100)
            for groups in partitions {
                search.begin(groups)
                let rows = ScanStream(
                    PredicateEvaluator(.always(true), scanner, reader), groups)
                while let batch = try rows.next() { try search.add(batch) }
            }
            try search.finish()
            return search
        }

        /// Checks the rows that were found.
        func expectAllFirstRows(_ search: consuming FirstRowSearch) throws {
            let marks = try search.found()
            let found = (0..<marks.groupCount).flatMap { group in
                (marks.run(of: group)?.rows ?? []).map {
                    [Value.int(Int64(group * 64) + Int64($0))]
                }
            }
            #expect(try found == table.rows("Item | SORT(@id) | DISTINCT(k) | project(@id)"))
        }
    }

    /// A thread takes the next partition when it is free, so that it may read the last rows before
    /// another thread has found the first ones.
    @Test("The order in which threads are merged does not matter", arguments: [0, 9_000])
    func anyOrder(disorder: Int) throws {
        let search = try Search(disorder: disorder)
        let count = search.scanner.groups.count
        var late = try search.search([20..<50, 80..<count])
        try late.merge(try search.search([0..<20, 50..<80]))
        try search.expectAllFirstRows(late)
    }

    /// The rows were once read again when the combinations were too many.
    @Test(
        "Key combinations can be spilled to disk at any time, on any thread",
        arguments: [0, 9_000], [0, 20_000, 60_000, 120_000])
    func disk(disorder: Int, byteCountMax: Int) throws {
        let search = try Search(disorder: disorder)
        let count = search.scanner.groups.count
        let memory = RowMemory(byteCountMax: byteCountMax, isExceeded: false)
        let file = search.reader.snapshot.makeSpillFile()
        // The first thread ends before the memory is exceeded, or needs all of it.
        let parts: [[Range<Int>]] = [[20..<30], [30..<50, 80..<count], [0..<20, 50..<80]]
        var found = try parts.map { try search.search($0, memory: memory, to: file) }
        if disorder > 0 || byteCountMax == 0 { #expect(memory.isExceeded) }
        var whole = found.removeFirst()
        for later in found { try whole.merge(later) }
        try search.expectAllFirstRows(whole)
    }

    /// The last combinations of a partition were never complete for a thread that read the next one, so
    /// that their number doubled with each partition: on one core, 15 million numbers went to the disk,
    /// and took 12 s instead of 1 s.
    @Test("A thread that reads many partitions keeps only a few incomplete key combinations")
    func manyPartitions() throws {
        let search = try Search(disorder: 0)
        let groups = search.scanner.groups.indices
        let partitions = stride(from: 0, to: groups.upperBound, by: 10).map {
            $0..<min(groups.upperBound, $0 + 10)
        }
        let found = try search.search(partitions)
        #expect(found.openCount < 250)
        try search.expectAllFirstRows(found)
    }

    @Test("The plan shows that all cores work, unless a limit ends the query early")
    func plan() throws {
        var generator = SplitMix64(seed: 4)
        let table = try ClusteredGroupTests.table(&generator, rowCount: 6_000, disorder: 0)
        let parts = "in 8 parts, on as many cores as there are"
        let divided = [
            "DISTINCT(k)", "DISTINCT(k) | count", "LIMIT(1 BY k)",
            "DISTINCT(k) | SORT(i) | LIMIT(3)",
            "DISTINCT(k) | SKIP(3)",
        ]
        for query in divided {
            #expect(try table.plan("Item | \(query)").contains { $0.contains(parts) }, "\(query)")
        }
        for query in ["DISTINCT(k) | LIMIT(3)", "DISTINCT(k) | exists", "LIMIT(2 BY k)"] {
            #expect(try !table.plan("Item | \(query)").contains { $0.contains(parts) }, "\(query)")
        }
        // The first values are in the first row group.
        #expect(try table.statistics("Item | DISTINCT(k) | LIMIT(3) | project(k)").pagesRead == 1)
    }
}
