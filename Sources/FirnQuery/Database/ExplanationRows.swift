import FirnCodec
import FirnEngine
import FirnValues

/// Delivers the plan of a query, one line per row.
final class ExplanationRows: ResultRows {
    let isPlan = true
    let columns = [ResultColumn(name: "plan", type: PropertyType(.string), display: nil)]
    let statistics: QueryStatistics
    private var lines: [String]?

    init(_ execution: Execution) throws(StoreError) {
        lines = try Explanation(execution: execution).lines()
        statistics = execution.statistics
    }

    func next() throws(QueryFailure) -> ResultBatch? {
        guard let lines else { return nil }
        self.lines = nil
        var vector = ColumnVector(kind: .string)
        for line in lines { vector.append(.string(line)) }
        return ResultBatch(rowCount: lines.count, vectors: [vector])
    }
}
