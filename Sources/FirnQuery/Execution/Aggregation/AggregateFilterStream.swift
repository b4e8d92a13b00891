import FirnEngine

/// Keeps the rows of another stream that pass a condition with aggregates of the same rows.
///
/// The rows are read twice: for the aggregates, and to test the condition.
final class AggregateFilterStream: RowStream {
    private let stream: any RowStream
    private let condition: BoundPredicate
    private let evaluator: ExpressionEvaluator
    private let firstPass: () throws(StoreError) -> AggregateWindows
    /// The condition with the result of the first pass; `nil` before it.
    private var filter: AggregateFilter?

    /// - Parameters:
    ///   - stream: the rows for the second pass.
    ///   - firstPass: returns the aggregates of the same rows.
    init(
        _ stream: any RowStream, _ condition: BoundPredicate, _ evaluator: ExpressionEvaluator,
        firstPass: @escaping () throws(StoreError) -> AggregateWindows
    ) {
        self.stream = stream
        self.condition = condition
        self.evaluator = evaluator
        self.firstPass = firstPass
    }

    func next() throws(StoreError) -> RowBatch? {
        let filter = try madeFilter()
        while let batch = try stream.next() {
            if let kept = try filter.kept(batch) { return kept }
        }
        return nil
    }

    private func madeFilter() throws(StoreError) -> AggregateFilter {
        if let filter { return filter }
        let made = AggregateFilter(try firstPass().table(), condition, evaluator)
        filter = made
        return made
    }
}
