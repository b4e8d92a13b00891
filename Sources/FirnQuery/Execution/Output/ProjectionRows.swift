import FirnCodec
import FirnEngine
import FirnValues

/// Delivers columns of the rows of a stream, read only now: late materialisation.
final class ProjectionRows: ResultRows {
    /// Rows of a batch.
    ///
    /// Large enough to make the cost per call vanish, small enough for the cache.
    static let batchRowCount = 4096
    /// Rows out of table order that are fetched together, so that a page is decoded once for many.
    private static let windowRowCount = 65_536

    let columns: [ResultColumn]
    private let sources: [BoundColumn]
    private let stream: any RowStream
    private let execution: Execution
    private let isInTableOrder: Bool
    /// The run that is being delivered, and how much of it was.
    private var run: RowRun?
    private var runPosition = 0
    /// Fetched rows in the order of the result.
    private var window: (vectors: [ColumnVector], order: [UInt32], position: Int)?

    /// - Parameter isInTableOrder: whether runs come group by group; otherwise a group may come
    ///   back again and again, and rows are fetched in windows.
    init(
        _ projections: [BoundProjection], _ stream: any RowStream, isInTableOrder: Bool,
        _ execution: Execution
    ) {
        self.isInTableOrder = isInTableOrder
        sources = projections.map(\.column)
        columns = projections.map {
            ResultColumn(name: $0.name, type: $0.column.type, display: $0.column.display)
        }
        self.stream = stream
        self.execution = execution
    }

    var statistics: QueryStatistics { execution.statistics }

    func next() throws(QueryFailure) -> ResultBatch? {
        do throws(StoreError) {
            if let batch = nextOfWindow() { return batch }
            guard let run = try currentRun() else { return nil }
            if isInTableOrder { return try part(of: run) }
            window = try fetchWindow()
            return nextOfWindow()
        } catch {
            throw .store(error)
        }
    }

    private func currentRun() throws(StoreError) -> RowRun? {
        if let run, runPosition < run.count { return run }
        run = try stream.next()
        runPosition = 0
        return run
    }

    /// The next rows of a run in table order, straight from its pages.
    private func part(of run: RowRun) throws(StoreError) -> ResultBatch {
        let end = min(run.count, runPosition + ProjectionRows.batchRowCount)
        let range = runPosition..<end
        runPosition = end
        var vectors: [ColumnVector] = []
        if case .all = run.selection {
            for source in sources {
                var vector = ColumnVector(kind: source.type.base)
                try execution.scanner.decode(source, of: run.group, rows: range, into: &vector)
                vectors.append(vector)
            }
        } else {
            let rows = listedRows(of: run, range)
            for source in sources {
                var vector = ColumnVector(kind: source.type.base)
                try execution.scanner.gather(source, of: run.group, rows: rows, into: &vector)
                vectors.append(vector)
            }
        }
        return ResultBatch(rowCount: range.count, vectors: vectors)
    }

    /// The listed form of a run is made once, not once per part.
    private func listedRows(of run: RowRun, _ range: Range<Int>) -> [UInt32] {
        if case .listed(let rows) = run.selection { return Array(rows[range]) }
        let listed = RowRun(group: run.group, selection: .listed(run.rows))
        self.run = listed
        return Array(listed.rows[range])
    }

    /// Fetches the next rows group by group, whatever their order in the result.
    private func fetchWindow() throws(StoreError) -> (
        vectors: [ColumnVector], order: [UInt32], position: Int
    ) {
        var rowsOfGroup: [Int: (rows: [UInt32], places: [UInt32])] = [:]
        var count = 0
        while count < ProjectionRows.windowRowCount, let run = try currentRun() {
            let taken = min(run.count - runPosition, ProjectionRows.windowRowCount - count)
            let rows = listedRows(of: run, runPosition..<(runPosition + taken))
            rowsOfGroup[run.group, default: ([], [])].rows += rows
            rowsOfGroup[run.group, default: ([], [])].places += (0..<taken).map {
                UInt32(truncatingIfNeeded: count + $0)
            }
            runPosition += taken
            count += taken
        }
        var vectors = sources.map { ColumnVector(kind: $0.type.base) }
        var order = [UInt32](repeating: 0, count: count)
        var fetched: UInt32 = 0
        for (group, wanted) in rowsOfGroup.sorted(by: { $0.key < $1.key }) {
            for index in sources.indices {
                try execution.scanner.gather(
                    sources[index], of: group, rows: wanted.rows, into: &vectors[index])
            }
            for place in wanted.places {
                order[Int(place)] = fetched
                fetched += 1
            }
        }
        return (vectors, order, 0)
    }

    private func nextOfWindow() -> ResultBatch? {
        guard let window, window.position < window.order.count else {
            self.window = nil
            return nil
        }
        let end = min(window.order.count, window.position + ProjectionRows.batchRowCount)
        let rows = window.order[window.position..<end]
        self.window?.position = end
        let vectors = window.vectors.map { source in
            var vector = ColumnVector(kind: source.kind)
            vector.append(source, rows: rows)
            return vector
        }
        return ResultBatch(rowCount: rows.count, vectors: vectors)
    }
}
