import FirnCodec
import FirnEngine
import FirnValues

/// Computes aggregates over the rows of a stream.
///
/// Column aggregates take one call per page. All other expressions are computed batch by batch.
struct Aggregation: ScanConsumer {
    private enum State {
        case rowCount(Int)
        /// An aggregate over a column whose pages can be summarized.
        case summary(BoundColumn, ColumnSummary)
        /// A single running value, stored for owner 0.
        case accumulators(BoundExpression, Accumulators)
    }

    private let aggregates: [BoundAggregate]
    private var states: [State]
    private let evaluator: ExpressionEvaluator

    init(_ aggregates: [BoundAggregate], _ evaluator: ExpressionEvaluator) {
        self.aggregates = aggregates
        self.evaluator = evaluator
        let spill = AggregateSpill(
            of: evaluator.reader.snapshot, for: aggregates.map(\.function))
        states = aggregates.map { aggregate in
            guard let expression = aggregate.expression else { return .rowCount(0) }
            // Page summaries do not add up decimals, nor the numbers of an Any.
            if let column = expression.column, column != .rowID,
                ![.decimal128, .any].contains(column.type.base),
                aggregate.isSummarized
            {
                return .summary(column, ColumnSummary())
            }
            return .accumulators(
                expression,
                Accumulators(aggregate, count: 1, spill: spill))
        }
    }

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        switch batch {
        case .run(let run):
            try add(
                run.bitmap(rowCount: evaluator.source.rowCount(of: run.group)), run.count,
                run.group)
        case .scattered(let references):
            // The order of rows does not affect an aggregate.
            let ordered = references.sorted()
            var start = 0
            while start < ordered.count {
                var end = start
                while end < ordered.count, ordered[end].group == ordered[start].group { end += 1 }
                let group = Int(ordered[start].group)
                try add(ordered[start..<end].map(\.row), of: group)
                start = end
            }
        }
    }

    /// Returns whether the aggregates of two parts of the rows determine the aggregates of all
    /// rows.
    static func canMerge(_ aggregates: [BoundAggregate]) -> Bool {
        aggregates.allSatisfy { Accumulators.canMerge($0.function) }
    }

    mutating func merge(_ later: Aggregation) throws(StoreError) {
        for index in states.indices {
            switch (states[index], later.states[index]) {
            case (.rowCount(let count), .rowCount(let added)):
                states[index] = .rowCount(count + added)
            case (.summary(let column, var summary), .summary(_, let added)):
                summary.formUnion(added)
                states[index] = .summary(column, summary)
            case (.accumulators(let expression, var values), .accumulators(_, let added)):
                try values.merge(added, owners: [0])
                states[index] = .accumulators(expression, values)
            default: preconditionFailure("parts of other aggregates")
            }
        }
    }

    /// Adds rows of a group in ascending order.
    ///
    /// A row that is listed several times counts each time.
    private mutating func add(_ rows: [UInt32], of group: Int) throws(StoreError) {
        var distinct: [UInt32] = []
        var repeated: [UInt32] = []
        distinct.reserveCapacity(rows.count)
        for row in rows {
            if distinct.last == row { repeated.append(row) } else { distinct.append(row) }
        }
        let bitmap = Bitmap(distinct, count: evaluator.source.rowCount(of: group))
        try add(bitmap, distinct.count, group)
        if !repeated.isEmpty { try addRepeated(repeated, group) }
    }

    /// Adds further occurrences of rows that were already added.
    private mutating func addRepeated(_ rows: [UInt32], _ group: Int) throws(StoreError) {
        for index in states.indices {
            switch states[index] {
            case .rowCount(let counted): states[index] = .rowCount(counted + rows.count)
            case .summary(let column, var summary):
                let values = try evaluator.values(.column(column), of: .group(group, rows))
                summary.formUnion(ColumnSummary(ofRepeated: values))
                states[index] = .summary(column, summary)
            case .accumulators(let expression, var accumulators):
                try accumulate(expression, rows, group, &accumulators)
                states[index] = .accumulators(expression, accumulators)
            }
        }
    }

    private mutating func add(
        _ rows: Bitmap, _ count: Int, _ group: Int
    ) throws(StoreError) {
        for index in states.indices {
            switch states[index] {
            case .rowCount(let counted): states[index] = .rowCount(counted + count)
            case .summary(let column, var summary):
                guard let page = try evaluator.source.page(column, of: group) else { continue }
                summary.formUnion(page.summarize(rows))
                states[index] = .summary(column, summary)
            case .accumulators(let expression, var accumulators):
                var list: [UInt32] = []
                rows.appendRows(to: &list)
                try accumulate(expression, list, group, &accumulators)
                states[index] = .accumulators(expression, accumulators)
            }
        }
    }

    private func accumulate(
        _ expression: BoundExpression, _ list: [UInt32], _ group: Int,
        _ accumulators: inout Accumulators
    ) throws(StoreError) {
        var start = 0
        while start < list.count {
            let end = min(list.count, start + ExpressionEvaluator.batchRowCountMax)
            let values = try evaluator.values(
                expression, of: .group(group, Array(list[start..<end])))
            accumulators.add(values, owners: [UInt32](repeating: 0, count: values.count))
            try accumulators.makeRoom()
            start = end
        }
    }

    /// Returns one value per aggregate.
    ///
    /// - Throws: ``StoreError`` with `limitExceeded` if a sum of integers leaves the 64-bit range.
    func values() throws(StoreError) -> [Value] {
        var values: [Value] = []
        for (aggregate, state) in zip(aggregates, states) {
            switch state {
            case .rowCount(let count): values.append(.int(Int64(count)))
            case .summary(_, let summary):
                values.append(try value(of: aggregate, summary))
            case .accumulators(_, var accumulators):
                try accumulators.finish { () throws(StoreError) in
                    try evaluator.reader.checkStopped()
                }
                guard !accumulators.overflows(0) else { throw overflow(of: aggregate) }
                values.append(accumulators.value(0))
            }
        }
        return values
    }

    private func value(
        of aggregate: BoundAggregate, _ summary: ColumnSummary
    ) throws(StoreError) -> Value {
        switch aggregate.function {
        case .count: return .int(Int64(summary.count))
        case .minimum: return summary.minimum ?? .null
        case .maximum: return summary.maximum ?? .null
        case .average:
            guard summary.count > 0 else { return .null }
            guard aggregate.valueType?.base == .int else {
                return .double(summary.doubleSum / Double(summary.count))
            }
            return .double(ExactQuotient.double(summary.integerSum, summary.count))
        case .sum:
            if aggregate.type.base == .double { return .double(summary.doubleSum) }
            guard let sum = summary.intSum else { throw overflow(of: aggregate) }
            return .int(sum)
        case .distinct, .median, .quantile, .deviation, .variance, .first, .last:
            preconditionFailure("an aggregate that page summaries do not have")
        }
    }

    private func overflow(of aggregate: BoundAggregate) -> StoreError {
        aggregate.overflow(path: evaluator.source.path)
    }
}

extension ColumnSummary {
    /// Counts and sums repeated values.
    ///
    /// They cannot change the minimum or the maximum.
    fileprivate init(ofRepeated values: ColumnVector) {
        self.init()
        for row in 0..<values.count where !values.isNull(row) {
            count += 1
            switch values.kind {
            case .int:
                integerSum += Int128(values.ints[row])
                doubleSum += Double(values.ints[row])
            case .double, .float: doubleSum += values.doubles[row]
            default: break
            }
        }
    }
}

extension BoundAggregate {
    /// Whether the summaries of pages determine the result.
    fileprivate var isSummarized: Bool {
        switch function {
        case .count, .sum, .average, .minimum, .maximum: true
        case .distinct, .median, .quantile, .deviation, .variance, .first, .last: false
        }
    }

    /// Returns the error for a sum of integers that leaves the 64-bit range.
    func overflow(path: String) -> StoreError {
        StoreError(
            .limitExceeded, path: path,
            detail: "\(name) leaves the range of a 64-bit integer",
            remedy: "use @avg, which cannot overflow")
    }
}
