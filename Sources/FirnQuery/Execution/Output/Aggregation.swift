import FirnCodec
import FirnEngine
import FirnValues

/// Computes aggregates over the rows of a stream, one call per page.
struct Aggregation {
    private struct State {
        let aggregate: BoundAggregate
        var rowCount = 0
        var summary = ColumnSummary()
    }

    private var states: [State]
    private let scanner: TableScanner

    init(_ aggregates: [BoundAggregate], _ scanner: TableScanner) {
        states = aggregates.map { State(aggregate: $0) }
        self.scanner = scanner
    }

    mutating func add(_ run: RowRun) throws(StoreError) {
        let rows = run.bitmap(rowCount: scanner.groups[run.group].rowCount)
        for index in states.indices {
            switch states[index].aggregate.column {
            case nil: states[index].rowCount += run.count
            case .property(let property)?:
                let page = try scanner.column(property, of: run.group)
                states[index].summary.formUnion(page.summarize(rows))
            case .rowID?:
                states[index].summary.formUnion(try summarizeIDs(run))
            }
        }
    }

    private func summarizeIDs(_ run: RowRun) throws(StoreError) -> ColumnSummary {
        var ids = ColumnVector(kind: .int)
        try scanner.gather(.rowID, of: run.group, rows: run.rows, into: &ids)
        var summary = ColumnSummary()
        summary.count = ids.count
        summary.integerSum = ids.ints.reduce(0) { $0 + Int128($1) }
        summary.doubleSum = Double(summary.integerSum)
        summary.minimum = ids.ints.min().map { .int($0) }
        summary.maximum = ids.ints.max().map { .int($0) }
        return summary
    }

    /// One value per aggregate.
    ///
    /// - Throws: ``StoreError`` with `limitExceeded` if a sum of integers leaves the 64-bit range.
    func values(path: String) throws(StoreError) -> [Value] {
        try states.map { state throws(StoreError) in
            let summary = state.summary
            switch state.aggregate.function {
            case .count:
                return .int(
                    Int64(state.aggregate.column == nil ? state.rowCount : summary.count))
            case .minimum: return summary.minimum ?? .null
            case .maximum: return summary.maximum ?? .null
            case .average: return Aggregation.average(summary, of: state.aggregate)
            case .sum:
                if state.aggregate.type.base == .double { return .double(summary.doubleSum) }
                guard let sum = summary.intSum else {
                    throw StoreError(
                        .limitExceeded, path: path,
                        detail: "\(state.aggregate.name) leaves the range of a 64-bit integer",
                        remedy: "use @avg, which cannot overflow")
                }
                return .int(sum)
            }
        }
    }

    /// Of integers the exact sum is divided, so that only the quotient is rounded.
    private static func average(_ summary: ColumnSummary, of aggregate: BoundAggregate) -> Value {
        guard summary.count > 0 else { return .null }
        let sum =
            aggregate.column?.type.base == .int ? Double(summary.integerSum) : summary.doubleSum
        return .double(sum / Double(summary.count))
    }
}
