import FirnCodec
import FirnEngine
import FirnValues

/// Delivers columns of the rows of a stream, read only now: late materialisation.
final class ProjectionRows: ResultRows {
    /// Rows of a batch.
    ///
    /// Large enough to make the cost per call vanish, small enough for the cache.
    static let batchRowCount = 4096

    let columns: [ResultColumn]
    private let sources: [BoundColumn]
    private let stream: any RowStream
    private let execution: Execution
    private var fetch: ScatteredFetch
    /// What is left of the rows that are being delivered.
    private var run: (rows: RowRun, position: Int)?
    private var scattered: ArraySlice<RowReference> = []
    /// Fetched scattered rows.
    private var window: (vectors: ScatteredVectors, position: Int)?

    init(_ projections: [BoundProjection], _ stream: any RowStream, _ execution: Execution) {
        sources = projections.map(\.column)
        columns = projections.map {
            ResultColumn(name: $0.name, type: $0.column.type, display: $0.column.display)
        }
        self.stream = stream
        self.execution = execution
        fetch = ScatteredFetch(sources, execution.scanner)
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
        let range = position..<min(rows.count, position + ProjectionRows.batchRowCount)
        run = range.upperBound < rows.count ? (rows, range.upperBound) : nil
        var vectors = sources.map { ColumnVector(kind: $0.type.base) }
        if case .listed(let list) = rows.selection {
            let part = Array(list[range])
            for index in sources.indices {
                try execution.scanner.gather(
                    sources[index], of: rows.group, rows: part, into: &vectors[index])
            }
        } else {
            for index in sources.indices {
                try execution.scanner.decode(
                    sources[index], of: rows.group, rows: range, into: &vectors[index])
            }
        }
        return ResultBatch(rowCount: range.count, vectors: vectors)
    }

    private func nextOfWindow() -> ResultBatch? {
        guard let (vectors, position) = window else { return nil }
        let count = vectors.places.count
        let range = position..<min(count, position + ProjectionRows.batchRowCount)
        window = range.upperBound < count ? (vectors, range.upperBound) : nil
        return ResultBatch(rowCount: range.count, vectors: vectors.ordered(range))
    }
}
