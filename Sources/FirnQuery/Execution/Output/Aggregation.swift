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

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        switch batch {
        case .run(let run):
            try add(run.bitmap(rowCount: scanner.groups[run.group].rowCount), run.count, run.group)
        case .scattered(let references):
            // No aggregate depends on the order of rows.
            let ordered = references.sorted()
            var start = 0
            while start < ordered.count {
                var end = start
                while end < ordered.count, ordered[end].group == ordered[start].group { end += 1 }
                let group = Int(ordered[start].group)
                let rows = Bitmap(
                    ordered[start..<end].map(\.row), count: scanner.groups[group].rowCount)
                try add(rows, end - start, group)
                start = end
            }
        }
    }

    private mutating func add(
        _ rows: Bitmap, _ count: Int, _ group: Int
    ) throws(StoreError) {
        for index in states.indices {
            switch states[index].aggregate.column {
            case nil: states[index].rowCount += count
            case .property(let property)?:
                let page = try scanner.column(property, of: group)
                states[index].summary.formUnion(page.summarize(rows))
            case .output?: preconditionFailure("contract")
            case .rowID?:
                states[index].summary.formUnion(try summarizeIDs(rows, group))
            }
        }
    }

    private func summarizeIDs(_ rows: Bitmap, _ group: Int) throws(StoreError) -> ColumnSummary {
        var list: [UInt32] = []
        rows.appendRows(to: &list)
        var ids = ColumnVector(kind: .int)
        try scanner.gather(.rowID, of: group, rows: list, into: &ids)
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

    private static func average(_ summary: ColumnSummary, of aggregate: BoundAggregate) -> Value {
        guard summary.count > 0 else { return .null }
        guard aggregate.column?.type.base == .int else {
            return .double(summary.doubleSum / Double(summary.count))
        }
        return .double(quotient(summary.integerSum, summary.count))
    }

    /// The double nearest to the exact quotient: nothing is rounded before.
    static func quotient(_ sum: Int128, _ count: Int) -> Double {
        let magnitude = sum.magnitude
        // Both are exact as doubles, and a division rounds once.
        if magnitude <= 1 << 53, count <= 1 << 53 { return Double(sum) / Double(count) }
        // At least 64 bits of the quotient, the last of which says whether anything is left.
        let shift = magnitude.leadingZeroBitCount
        let (quotient, rest) = (magnitude << UInt128(shift)).quotientAndRemainder(
            dividingBy: UInt128(count))
        let whole = Double(rest == 0 ? quotient : quotient | 1)
        let scaled = whole * Double(sign: .plus, exponent: -shift, significand: 1)
        return sum < 0 ? -scaled : scaled
    }
}
