import FirnCodec
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnValues

/// The plan of a query, one line per row, followed by the cost of each operator and of the query.
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
        for line in operatorLines(cost.operators, rowCount, elapsed) + [line] {
            vector.append(.string(environment.plain(line)))
        }
        return ResultBatch(rowCount: vector.count, vectors: [vector])
    }

    /// Describes the cost of each operator, and of what delivers their rows.
    private func operatorLines(
        _ costs: [OperatorCost], _ rowCount: UInt64, _ nanoseconds: UInt64
    ) -> [String] {
        let before = costs.reduce(UInt64(0)) { $0 &+ $1.nanoseconds }
        let output = OperatorCost(
            name: "output", rowCount: rowCount, pagesRead: 0, bytesDecoded: 0,
            nanoseconds: nanoseconds - min(before, nanoseconds), threadCount: 1)
        let all = costs + [output]
        let names = all.map(\.name.count).max() ?? 0
        let counts = all.map { Formatting.count($0.rowCount) }
        let width = counts.map(\.count).max() ?? 0
        return ["cost of each operator:"]
            + zip(all, counts).map { cost, count in
                let name = cost.name + String(repeating: " ", count: names - cost.name.count)
                let rows = String(repeating: " ", count: width - count.count) + count
                var line = "  \(name)  \(rows) \(cost.rowCount == 1 ? "row " : "rows")"
                line += " · " + Formatting.time(cost.nanoseconds)
                if cost.pagesRead > 0 {
                    line += " · " + Formatting.count(UInt64(cost.pagesRead), "page")
                }
                if cost.bytesDecoded > 0 {
                    line += " · \(Formatting.bytes(cost.bytesDecoded)) decompressed"
                }
                if cost.threadCount > 1 { line += " · \(cost.threadCount) threads" }
                return line
            }
    }
}
