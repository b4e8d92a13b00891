import FirnCodec
import FirnEngine
import FirnValues

/// Delivers one row that is computed from all rows of a stream: counts and aggregates.
final class SingleRow: ResultRows {
    let columns: [ResultColumn]
    private let execution: Execution
    private let compute: () throws(StoreError) -> [Value]
    private var isDone = false

    init(
        _ columns: [ResultColumn], _ execution: Execution,
        _ compute: @escaping () throws(StoreError) -> [Value]
    ) {
        self.columns = columns
        self.execution = execution
        self.compute = compute
    }

    var statistics: QueryStatistics { execution.statistics }

    var progress: QueryProgress? { execution.progress }

    func next() throws(QueryFailure) -> ResultBatch? {
        guard !isDone else { return nil }
        isDone = true
        let values: [Value]
        do {
            values = try compute()
        } catch {
            throw .store(error)
        }
        let vectors = zip(columns, values).map { column, value in
            var vector = ColumnVector(kind: column.type.columnKind)
            vector.append(value)
            return vector
        }
        return ResultBatch(rowCount: 1, vectors: vectors)
    }
}
