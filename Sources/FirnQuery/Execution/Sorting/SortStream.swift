import FirnEngine
import FirnValues

/// Sorts the rows of another stream.
///
/// With a limit, it keeps only about twice as many rows as are requested. For a whole table, it
/// then reads the groups whose zone maps promise the best values first, and never reads a group
/// whose best value comes after the last row that would be kept.
///
/// Without a limit, rows that do not fit into memory are sorted in parts on disk.
final class SortStream: RowStream {
    /// The memory for rows before they are written to disk.
    private let memoryByteCount: Int
    /// The largest limit because of which rows are kept in memory that could be sorted on disk.
    private static let boundedLimitMax = 1 << 20
    /// The memory of the rows of a run, which the caches of a processor hold.
    ///
    /// Runs of 100 MB, whose rows are mostly not in a cache, take more than twice as long.
    private static let runByteCount = 8 << 20
    /// The greatest number of runs before they become larger.
    private static let smallRunCount = 128

    private let stream: any RowStream
    let keys: [BoundSortKey]
    let limit: Int
    let evaluator: ExpressionEvaluator
    private var isDone = false
    /// The number of threads that read rows.
    var usedThreadCount = 1
    /// The rows that are left, if they were sorted on disk.
    private var spilled: (sort: SpilledSort, count: Int)?
    /// The memory that all rows on disk took.
    private var spilledByteCount = 0

    init(
        _ stream: any RowStream, _ keys: [BoundSortKey], limit: Int = .max,
        _ evaluator: ExpressionEvaluator,
        memoryByteCount: Int? = nil
    ) {
        self.stream = stream
        self.keys = keys
        self.limit = limit
        self.evaluator = evaluator
        // Sorting a part takes as much memory again.
        self.memoryByteCount =
            memoryByteCount ?? evaluator.reader.snapshot.statementByteCount / 2
    }

    /// Returns all rows at once, unless they were sorted on disk.
    func next() throws(StoreError) -> RowBatch? {
        if spilled != nil { return try nextSpilled() }
        guard !isDone else { return nil }
        isDone = true
        let references = try sorted()
        if spilled != nil { return try nextSpilled() }
        return references.isEmpty ? nil : .scattered(references[...])
    }

    private func nextSpilled() throws(StoreError) -> RowBatch? {
        guard var (sort, count) = spilled, count > 0 else { return nil }
        try evaluator.reader.checkStopped()
        let references = try sort.next().prefix(count)
        count = references.isEmpty ? 0 : count - references.count
        spilled = (sort, count)
        return references.isEmpty ? nil : .scattered(references)
    }

    private func sorted() throws(StoreError) -> [RowReference] {
        guard limit > 0 else { return [] }
        if isBounded, let scan = stream.scan { return try firstRows(of: scan) }
        var rows = newRows()
        var fetch = ScatteredFetch(keys.map(\.expression), evaluator)
        while let batch = try stream.next() {
            switch batch {
            case .run(let run):
                try rows.append(run.rows, of: run.group, evaluator)
                try makeRoom(&rows)
            case .scattered(var references):
                while !references.isEmpty {
                    let fetched = try fetch.fetch(references)
                    let count = fetched.indices.count
                    try rows.append(
                        references.prefix(count), fetched.ordered(0..<count),
                        path: evaluator.source.path)
                    references = references.dropFirst(count)
                    try makeRoom(&rows)
                }
            }
        }
        guard spilled == nil else {
            if rows.count > 0 { try spill(&rows) }
            return []
        }
        return try rows.sorted(limit: limit, path: evaluator.source.path)
    }

    private func newRows() -> SortRows {
        SortRows(
            keys: keys, tiesByArrival: true, progress: evaluator.reader.sortProgress,
            isStopped: evaluator.reader.isStopped)
    }

    /// Whether rows can be dropped early.
    ///
    /// A limit near `Int.max` counts as no limit.
    private var isBounded: Bool { limit <= (canSpill ? Self.boundedLimitMax : .max / 4) }

    /// Whether rows can be sorted on disk.
    private var canSpill: Bool {
        keys.allSatisfy { SortKeyBytes.supports($0.expression.kind) }
    }

    /// The number of rows to collect before the last ones are dropped.
    var keptCount: Int { max(2 * limit, 4096) }

    /// Drops or writes rows that take too much memory.
    private func makeRoom(_ rows: inout SortRows) throws(StoreError) {
        if isBounded {
            guard rows.count > keptCount else { return }
            _ = try rows.keepFirst(limit, path: evaluator.source.path)
        } else if canSpill, rows.byteCount > (spilled == nil ? memoryByteCount : nextRunByteCount) {
            try spill(&rows)
        }
    }

    private var nextRunByteCount: Int {
        min(memoryByteCount, max(Self.runByteCount, spilledByteCount / Self.smallRunCount))
    }

    private func spill(_ rows: inout SortRows) throws(StoreError) {
        var sort =
            if let spilled { spilled.sort } else {
                try SpilledSort(of: evaluator.reader.snapshot)
            }
        spilledByteCount += rows.byteCount
        for part in rows.parts(of: nextRunByteCount) {
            try sort.add(part, path: evaluator.source.path)
        }
        spilled = (sort, limit)
        rows = newRows()
    }
}
