import FirnCodec
import FirnEngine
import FirnValues

/// Keeps the rows of another stream that pass a condition with values of other rows.
///
/// All rows are read before the first one is delivered.
final class AmongStream: RowStream {
    private let rows: GroupedRows
    private let kept: ScanStream
    /// The column with the numbers of the rows in their source.
    private let numbers: BoundColumn

    init(
        _ stream: any RowStream, _ columns: [BoundWindowColumn], _ condition: BoundPredicate,
        _ evaluator: ExpressionEvaluator
    ) {
        let windows = WindowOperator(columns, keepsRows: true)
        let rows = GroupedRows(path: evaluator.source.path) { () throws(StoreError) in
            .pages(try windows.rows(of: stream, evaluator))
        }
        self.rows = rows
        kept = ScanStream(PredicateEvaluator(condition, rows, evaluator.reader))
        numbers = .output(columns.count, name: "", type: PropertyType(.int), display: nil)
    }

    func next() throws(StoreError) -> RowBatch? {
        guard case .run(let run)? = try kept.next() else { return nil }
        let found = try rows.values(numbers, of: .group(run.group, run.rows))
        return .scattered(found.ints.map { RowReference(number: $0) }[...])
    }
}
