import FirnCodec
import FirnPlatform
import FirnQuery
import FirnValues

/// The plan of a query, one line per row, followed by the cost of running the query.
final class AnalyzedRows: ResultRows {
    let columns: [ResultColumn]
    let isPlan = true
    private let plan: any ResultRows
    private let run: any ResultRows
    private let environment: CommandEnvironment
    private var isDone = false

    /// - Parameters:
    ///   - plan: the rows of the plan.
    ///   - run: the rows of the query, which are counted and not delivered.
    init(plan: any ResultRows, run: any ResultRows, _ environment: CommandEnvironment) {
        columns = plan.columns
        self.plan = plan
        self.run = run
        self.environment = environment
    }

    var statistics: QueryStatistics { run.statistics }

    var progress: QueryProgress? { run.progress }

    func next() throws(QueryFailure) -> ResultBatch? {
        if let lines = try plan.next() { return lines }
        guard !isDone else { return nil }
        isDone = true
        let clock = environment.services.clock
        let start = clock.monotonicNanoseconds()
        var rowCount: UInt64 = 0
        while let batch = try run.next() { rowCount += UInt64(batch.rowCount) }
        let elapsed = clock.monotonicNanoseconds() &- start
        let cost = run.statistics
        var line = "took: " + cost.text(rowCount: rowCount, nanoseconds: elapsed)
        if cost.pagesTotal > 0 {
            let skipped = cost.pagesTotal - min(cost.pagesTotal, cost.pagesRead)
            line += " (\(100 * skipped / cost.pagesTotal)% skipped)"
        }
        line += " · \(Formatting.bytes(cost.bytesDecoded)) decompressed"
        var vector = ColumnVector(kind: .string)
        vector.append(.string(environment.plain(line)))
        return ResultBatch(rowCount: 1, vectors: [vector])
    }
}
