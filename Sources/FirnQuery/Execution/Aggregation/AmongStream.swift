import FirnCodec
import FirnEngine
import FirnValues

/// Keeps the rows of another stream that pass a condition with values of other rows.
///
/// All rows are read before the first one is delivered.
final class AmongStream: RowStream {
    private let stream: RecordingStream
    private let rows: GroupedRows
    private let kept: ScanStream

    init(
        _ stream: any RowStream, _ columns: [BoundWindowColumn], _ condition: BoundPredicate,
        _ evaluator: ExpressionEvaluator
    ) {
        let stream = RecordingStream(stream)
        let windows = WindowColumns(columns, evaluator)
        let rows = GroupedRows(path: evaluator.source.path) { () throws(StoreError) in
            try windows.vectors(of: stream)
        }
        self.stream = stream
        self.rows = rows
        kept = ScanStream(PredicateEvaluator(condition, rows, evaluator.reader))
    }

    func next() throws(StoreError) -> RowBatch? {
        guard case .run(let run)? = try kept.next() else { return nil }
        let first = run.group * GroupedRows.rowsPerPage
        return .scattered(run.rows.map { stream.references[first + Int($0)] }[...])
    }
}

/// Delivers the rows of another stream, and keeps their references.
private final class RecordingStream: RowStream {
    private let stream: any RowStream
    private(set) var references: [RowReference] = []

    init(_ stream: any RowStream) { self.stream = stream }

    func next() throws(StoreError) -> RowBatch? {
        guard let batch = try stream.next() else { return nil }
        switch batch {
        case .run(let run):
            let group = UInt32(truncatingIfNeeded: run.group)
            references += run.rows.map { RowReference(group: group, row: $0) }
        case .scattered(let found): references += found
        }
        return batch
    }
}
