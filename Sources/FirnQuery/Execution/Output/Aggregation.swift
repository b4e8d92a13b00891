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
                states[index].summary.merge(page.summarize(rows))
            case .rowID?:
                let builder = ColumnBuilder(kind: .int)
                var ids = ColumnVector(kind: .int)
                try scanner.gather(.rowID, of: run.group, rows: run.rows, into: &ids)
                for id in ids.ints { builder.append(int: id) }
                let page = try scanner.groups[run.group].pages.coding {
                    () throws(CodecError) in try builder.makePage()
                }
                states[index].summary.merge(
                    page.summarize(Bitmap(count: page.rowCount, isSet: true)))
            }
        }
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
            case .average: return summary.average.map { .double($0) } ?? .null
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
}
