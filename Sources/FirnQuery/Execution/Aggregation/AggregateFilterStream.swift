import FirnCodec
import FirnEngine
import FirnValues

/// Keeps the rows of another stream that pass a condition with aggregates of the same rows.
///
/// The rows are read twice: for the aggregates, and to test the condition.
final class AggregateFilterStream: RowStream {
    private let stream: any RowStream
    private let condition: BoundPredicate
    private let evaluator: ExpressionEvaluator
    private let firstPass: () throws(StoreError) -> AggregateWindows
    /// The result of the first pass; `nil` before it.
    private var windows: AggregateWindows?

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
        let windows = try aggregates()
        while let batch = try stream.next() {
            switch batch {
            case .run(let run):
                let rows = run.rows
                let kept = try passing(.group(run.group, rows), windows).map { rows[Int($0)] }
                if !kept.isEmpty {
                    return .run(RowRun(group: run.group, selection: .listed(kept)))
                }
            case .scattered(let references):
                let start = references.startIndex
                let kept = try passing(BatchRows(references), windows)
                    .map { references[start + Int($0)] }
                if !kept.isEmpty { return .scattered(kept[...]) }
            }
        }
        return nil
    }

    private func aggregates() throws(StoreError) -> AggregateWindows {
        if let windows { return windows }
        var made = try firstPass()
        try made.finish()
        windows = made
        return made
    }

    /// Returns the positions of the rows that pass.
    private func passing(
        _ rows: BatchRows, _ windows: AggregateWindows
    ) throws(StoreError) -> [UInt32] {
        let vectors = try windows.vectors(of: rows, evaluator)
        let values = GroupedRows(path: evaluator.source.path) { vectors }
        let kept = ScanStream(PredicateEvaluator(condition, values, evaluator.reader))
        var positions: [UInt32] = []
        while case .run(let run)? = try kept.next() {
            let first = UInt32(truncatingIfNeeded: run.group * GroupedRows.rowsPerPage)
            positions += run.rows.map { first + $0 }
        }
        return positions
    }
}
