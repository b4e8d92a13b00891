import FirnCodec
import FirnEngine
import FirnValues

/// Delivers columns of the rows of a stream, read only now: late materialisation.
final class ProjectionRows: ResultRows {
    /// Rows of a batch.
    ///
    /// Large enough to make the cost per call vanish, small enough for the cache.
    static let batchRowCount = 4096
    /// Rows that a result with collections begins with: nobody knows how large they are.
    private static let nestedRowCount = 16
    /// The size of a batch beyond which the next one has fewer rows.
    private static let nestedByteCount = 1 << 20

    let columns: [ResultColumn]
    private let expressions: [BoundExpression]
    private let stream: any RowStream
    private let evaluator: ExpressionEvaluator
    private let execution: Execution
    private var fetch: ScatteredFetch
    private let isNested: Bool
    /// Rows of the next batch.
    private var rowCount: Int
    /// What is left of the rows that are being delivered.
    private var run: (rows: RowRun, position: Int)?
    private var scattered: ArraySlice<RowReference> = []
    /// Fetched scattered rows.
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

    func next() throws(QueryFailure) -> ResultBatch? {
        do throws(StoreError) {
            while true {
                if let batch = nextOfWindow() { return batch }
                if let batch = try nextOfRun() { return batch }
                if !scattered.isEmpty {
                    let fetched = try fetch.fetch(scattered)
                    scattered = scattered.dropFirst(fetched.places.count)
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

    /// The listed form of a run is made once, not once per part.
    private static func withList(_ run: RowRun) -> RowRun {
        if case .all = run.selection { return run }
        return RowRun(group: run.group, selection: .listed(run.rows))
    }

    /// The next rows of a run, straight from its pages.
    private func nextOfRun() throws(StoreError) -> ResultBatch? {
        guard let (rows, position) = run else { return nil }
        let range = position..<min(rows.count, position + rowCount)
        run = range.upperBound < rows.count ? (rows, range.upperBound) : nil
        var vectors = expressions.map { ColumnVector(of: $0.vectorType) }
        let list: [UInt32]? = if case .listed(let list) = rows.selection { list } else { nil }
        let part = list.map { Array($0[range]) } ?? range.map { UInt32($0) }
        for index in expressions.indices {
            // Consecutive rows of a column are decoded at once.
            if list == nil, case .column(let column) = expressions[index] {
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

    /// The next batch is to have more or fewer rows, so that it has about the wanted size.
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
        let count = vectors.places.count
        let range = position..<min(count, position + ProjectionRows.batchRowCount)
        window = range.upperBound < count ? (vectors, range.upperBound) : nil
        return ResultBatch(rowCount: range.count, vectors: vectors.ordered(range))
    }
}
