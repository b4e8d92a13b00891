import FirnEngine
import FirnValues

/// Sorts the rows of another stream.
///
/// With a limit, it keeps only about twice as many rows as are requested. For a whole table, it
/// then reads the groups whose zone maps promise the best values first, and never reads a group
/// whose best value comes after the last row that would be kept.
final class SortStream: RowStream {
    private let stream: any RowStream
    let keys: [BoundSortKey]
    let limit: Int
    let evaluator: ExpressionEvaluator
    private var isDone = false

    init(
        _ stream: any RowStream, _ keys: [BoundSortKey], limit: Int = .max,
        _ evaluator: ExpressionEvaluator
    ) {
        self.stream = stream
        self.keys = keys
        self.limit = limit
        self.evaluator = evaluator
    }

    /// Returns all rows at once.
    func next() throws(StoreError) -> RowBatch? {
        guard !isDone else { return nil }
        isDone = true
        let references = try sorted()
        return references.isEmpty ? nil : .scattered(references[...])
    }

    private func sorted() throws(StoreError) -> [RowReference] {
        guard limit > 0 else { return [] }
        if isBounded, let scan = stream as? ScanStream { return try firstRows(of: scan) }
        var rows = SortRows(
            keys: keys, tiesByArrival: true, progress: evaluator.reader.sortProgress,
            isStopped: evaluator.reader.isStopped)
        var fetch = ScatteredFetch(keys.map(\.expression), evaluator)
        while let batch = try stream.next() {
            switch batch {
            case .run(let run):
                try rows.append(run.rows, of: run.group, evaluator)
                try dropLast(&rows)
            case .scattered(var references):
                while !references.isEmpty {
                    let fetched = try fetch.fetch(references)
                    let count = fetched.indices.count
                    try rows.append(
                        references.prefix(count), fetched.ordered(0..<count),
                        path: evaluator.source.path)
                    references = references.dropFirst(count)
                    try dropLast(&rows)
                }
            }
        }
        return try rows.sorted(limit: limit, path: evaluator.source.path)
    }

    /// Whether rows can be dropped early.
    ///
    /// A limit near `Int.max` counts as no limit.
    private var isBounded: Bool { limit < .max / 4 }

    /// The number of rows to collect before the last ones are dropped.
    var keptCount: Int { max(2 * limit, 4096) }

    private func dropLast(_ rows: inout SortRows) throws(StoreError) {
        guard isBounded, rows.count > keptCount else { return }
        _ = try rows.keepFirst(limit, path: evaluator.source.path)
    }
}
