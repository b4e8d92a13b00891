import FirnEngine

/// Keeps the rows of another stream that pass a condition with aggregates of the same rows.
///
/// The rows are read twice: for the aggregates, and to test the condition. If the aggregates need more
/// memory than a statement may use, another stream keeps the rows on disk.
final class AggregateFilterStream: RowStream {
    private let stream: any RowStream
    private let condition: BoundPredicate
    private let evaluator: ExpressionEvaluator
    private let memory: RowMemory
    private let firstPass: () throws(StoreError) -> AggregateWindows
    private let onDisk: () -> any RowStream
    /// The condition with the result of the first pass; `nil` before that pass.
    private var filter: AggregateFilter?
    /// The stream that delivers the rows if their aggregates did not fit into memory.
    private var replacement: (any RowStream)?

    /// - Parameters:
    ///   - stream: the rows for the second pass.
    ///   - memory: the memory of the aggregates, which is exceeded if they are known to need more.
    ///   - firstPass: returns the aggregates of the same rows.
    ///   - onDisk: returns the rows that pass, with the help of the disk.
    init(
        _ stream: any RowStream, _ condition: BoundPredicate, _ evaluator: ExpressionEvaluator,
        memory: RowMemory, firstPass: @escaping () throws(StoreError) -> AggregateWindows,
        onDisk: @escaping () -> any RowStream
    ) {
        self.memory = memory
        self.onDisk = onDisk
        self.stream = stream
        self.condition = condition
        self.evaluator = evaluator
        self.firstPass = firstPass
    }

    func next() throws(StoreError) -> RowBatch? {
        if let replacement { return try replacement.next() }
        guard let filter = try madeFilter() else {
            let stream = onDisk()
            replacement = stream
            return try stream.next()
        }
        while let batch = try stream.next() {
            if let kept = try filter.kept(batch) { return kept }
        }
        return nil
    }

    /// Returns `nil` if the aggregates do not fit into memory.
    private func madeFilter() throws(StoreError) -> AggregateFilter? {
        if let filter { return filter }
        guard !memory.isExceeded else { return nil }
        let windows = try firstPass()
        guard !memory.isExceeded else { return nil }
        let made = AggregateFilter(try windows.table(), condition, evaluator)
        filter = made
        return made
    }
}
