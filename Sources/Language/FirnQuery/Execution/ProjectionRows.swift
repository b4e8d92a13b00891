import FirnCodec
import FirnEngine
import FirnValues

/// Delivers columns of the rows of a stream.
///
/// Columns are read only at this point, which is known as late materialization.
final class ProjectionRows: ResultRows {
    /// The number of rows in a batch.
    ///
    /// The number is large enough to make the cost per call negligible, and small enough for the
    /// CPU cache.
    static let batchRowCount = 4096
    /// The initial number of rows for a result with collections, whose size is not known in
    /// advance.
    private static let nestedRowCount = 16
    /// The number of rows up to which the rows of a group are read one by one.
    private static let singleRowCount = 16
    /// The size of a batch above which the next batch has fewer rows.
    private static let nestedByteCount = 1 << 20

    let columns: [ResultColumn]
    private let expressions: [BoundExpression]
    private let stream: any RowStream
    private let evaluator: ExpressionEvaluator
    private let execution: Execution
    private var fetch: ScatteredFetch
    private let isNested: Bool
    /// The number of rows in the next batch.
    private var rowCount: Int
    /// The run that is being delivered, and the position of its next row.
    private var run: (rows: RowRun, position: Int)?
    private var scattered: ArraySlice<RowReference> = []
    /// The fetched values of scattered rows, and the position of the next row.
    private var window: (vectors: ScatteredVectors, position: Int)?

    init(
        _ projections: [BoundProjection], _ stream: any RowStream,
        _ evaluator: ExpressionEvaluator, _ execution: Execution
    ) {
        expressions = projections.map(\.expression)
        columns = projections.map { execution.resultColumn($0.name, $0.type, $0.display) }
        self.stream = stream
        self.evaluator = evaluator
        self.execution = execution
        isNested = expressions.contains { $0.kind.isCollection }
        rowCount = isNested ? Self.nestedRowCount : Self.batchRowCount
        fetch = ScatteredFetch(expressions, evaluator)
    }

    var statistics: QueryStatistics { execution.statistics }

    var progress: QueryProgress? { execution.progress }

    func next() throws(QueryFailure) -> ResultBatch? {
        do {
            while true {
                if let batch = nextOfWindow() { return batch }
                if let batch = try nextOfRun() { return batch }
                if !scattered.isEmpty {
                    let fetched = try fetch.fetch(scattered)
                    scattered = scattered.dropFirst(fetched.indices.count)
                    window = (fetched, 0)
                    continue
                }
                switch try stream.next() {
                case .run(let run)?: self.run = (Self.withList(run), 0)
                case .scattered(let references)?: scattered = references
                case nil: return nil
                }
            }
        } catch {
            throw .store(error)
        }
    }

    /// Converts the selection of a run to a list once, not once per part.
    private static func withList(_ run: RowRun) -> RowRun {
        if case .all = run.selection { return run }
        return RowRun(group: run.group, selection: .listed(run.rows))
    }

    /// Returns the next rows of a run, read directly from its pages.
    private func nextOfRun() throws(StoreError) -> ResultBatch? {
        guard let (rows, position) = run else { return nil }
        let range = position..<min(rows.count, position + rowCount)
        run = range.upperBound < rows.count ? (rows, range.upperBound) : nil
        var vectors = expressions.map { ColumnVector(of: $0.vectorType) }
        let list: [UInt32]? = if case .listed(let list) = rows.selection { list } else { nil }
        let part = list.map { Array($0[range]) } ?? range.map { UInt32($0) }
        for index in expressions.indices {
            // Consecutive rows of a column are decoded at once.
            // Few rows of a group are those of a limit or a key.
            if range.count == rows.count, range.count <= Self.singleRowCount {
                try evaluator.appendOnce(
                    expressions[index], of: rows.group, rows: part, into: &vectors[index])
            } else if list == nil, case .column(let column) = expressions[index] {
                try evaluator.source.decode(
                    column, of: rows.group, rows: range, into: &vectors[index])
            } else {
                try evaluator.append(
                    expressions[index], of: .group(rows.group, part), into: &vectors[index])
            }
        }
        adapt(to: vectors)
        return ResultBatch(rowCount: range.count, vectors: vectors)
    }

    /// Adjusts the number of rows so that the next batch has about the desired size.
    private func adapt(to vectors: [ColumnVector]) {
        guard isNested else { return }
        let byteCount = vectors.reduce(0) { $0 + $1.byteSize }
        if byteCount > Self.nestedByteCount {
            rowCount = max(1, rowCount / 4)
        } else if byteCount < Self.nestedByteCount / 4 {
            rowCount = min(Self.batchRowCount, rowCount * 2)
        }
    }

    private func nextOfWindow() -> ResultBatch? {
        guard let (vectors, position) = window else { return nil }
        let count = vectors.indices.count
        let range = position..<min(count, position + ProjectionRows.batchRowCount)
        window = range.upperBound < count ? (vectors, range.upperBound) : nil
        return ResultBatch(rowCount: range.count, vectors: vectors.ordered(range))
    }
}
