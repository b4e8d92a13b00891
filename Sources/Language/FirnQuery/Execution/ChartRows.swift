import FirnCodec
import FirnEngine
import FirnValues

/// Delivers the numbers of a chart.
///
/// All rows are read twice: once to find the range of the values, and once to relate them to it.
/// Memory does not grow with the number of rows.
final class ChartRows: ResultRows {
    let columns: [ResultColumn]
    private let bound: BoundChart
    private let execution: Execution
    /// Starts a pass over the rows.
    ///
    /// The charted values are the last column.
    private let pass: () -> any ResultRows
    /// The second pass over rows that are themselves part of the result.
    private var bars: (rows: any ResultRows, greatest: Double)?
    private var isDone = false

    /// The maximum number of parts for which means are delivered.
    private static let partCountMax = 60

    init(_ chart: BoundChart, _ execution: Execution, _ pass: @escaping () -> any ResultRows) {
        bound = chart
        self.execution = execution
        self.pass = pass
        let share = ResultColumn(name: "share", type: PropertyType(.double), display: nil)
        let value = chart.value
        switch chart {
        case .histogram:
            let isExact = [.int, .date].contains(value.type.base)
            let type = PropertyType(isExact ? value.type.base : .double, isOptional: true)
            columns = [
                ResultColumn(name: "from", type: type, display: value.display),
                ResultColumn(name: "to", type: type, display: value.display),
                ResultColumn(name: "count", type: PropertyType(.int), display: nil), share,
            ]
        case .bar: columns = pass().columns.dropLast() + [share]
        case .spark:
            columns =
                ["min", "max"].map {
                    ResultColumn(
                        name: $0, type: PropertyType(value.type.base), display: value.display)
                } + [
                    ResultColumn(
                        name: "means", type: PropertyType(.double, container: .list), display: nil)
                ]
        }
    }

    var statistics: QueryStatistics { execution.statistics }

    var progress: QueryProgress? { execution.progress }

    var chart: ResultChart? { if case .spark = bound { .line } else { .bars } }

    func next() throws(QueryFailure) -> ResultBatch? {
        if isDone { return nil }
        switch bound {
        case .histogram(_, let count):
            isDone = true
            return try histogram(count)
        case .spark:
            isDone = true
            return try line()
        case .bar: return try nextBars()
        }
    }

    /// Calls `body` with the charted values of all rows.
    private func visit(_ body: (ColumnVector) -> Void) throws(QueryFailure) {
        let rows = pass()
        while let batch = try rows.next() {
            if let values = batch.vectors.last { body(values) }
        }
    }

    private func batch(_ rows: [[Value]]) -> ResultBatch? {
        guard !rows.isEmpty else { return nil }
        var vectors = columns.map { ColumnVector(of: $0.type) }
        for row in rows {
            for (index, value) in row.enumerated() { vectors[index].append(value) }
        }
        return ResultBatch(rowCount: rows.count, vectors: vectors)
    }

    private static func share(_ number: Double, of greatest: Double) -> Value {
        guard number > 0, greatest > 0, number <= greatest else { return .double(0) }
        // The quotient of the least and the greatest number is rounded to 0.
        return .double(max(.leastNonzeroMagnitude, number / greatest))
    }

    // MARK: Histogram

    private func histogram(_ bucketCount: Int) throws(QueryFailure) -> ResultBatch? {
        var histogram = Histogram(
            bucketCount: bucketCount, of: bound.value.type.base,
            isDateOnly: bound.value.display == .dateOnly)
        try visit { histogram.widen(to: $0) }
        histogram.divide()
        try visit { histogram.add($0) }
        let greatest = Double(histogram.counts.max() ?? 0)
        var rows = zip(histogram.bounds, histogram.counts).map {
            bounds, count -> [Value] in
            [bounds.from, bounds.to, .int(count), ChartRows.share(Double(count), of: greatest)]
        }
        if histogram.otherCount > 0 {
            // The counts must add up to the number of all rows.
            rows.append([.null, .null, .int(histogram.otherCount), .double(0)])
        }
        return batch(rows)
    }

    // MARK: Bars

    private func nextBars() throws(QueryFailure) -> ResultBatch? {
        if bars == nil {
            var greatest = 0.0
            try visit { values in
                for row in 0..<values.count {
                    greatest = max(greatest, values.real(at: row) ?? 0)
                }
            }
            bars = (pass(), greatest)
        }
        guard let bars, let batch = try bars.rows.next(), let values = batch.vectors.last else {
            isDone = true
            return nil
        }
        var shares = ColumnVector(kind: .double)
        for row in 0..<batch.rowCount {
            shares.append(ChartRows.share(values.real(at: row) ?? 0, of: bars.greatest))
        }
        return ResultBatch(rowCount: batch.rowCount, vectors: batch.vectors.dropLast() + [shares])
    }

    // MARK: Line

    private func line() throws(QueryFailure) -> ResultBatch? {
        var least: (real: Double, value: Value)?
        var greatest: (real: Double, value: Value)?
        var count = 0
        // Distinct integers may convert to the same Double.
        func isFurther(
            _ ordering: Ordering, _ real: Double, _ vector: ColumnVector, _ row: Int,
            than known: (real: Double, value: Value)?
        ) -> Bool {
            guard let known else { return true }
            if real != known.real { return (real < known.real) == (ordering == .less) }
            return vector.value(at: row).order(relativeTo: known.value) == ordering
        }
        try visit { values in
            for row in 0..<values.count {
                guard let real = values.real(at: row) else { continue }
                if isFurther(.less, real, values, row, than: least) {
                    least = (real, values.value(at: row))
                }
                if isFurther(.greater, real, values, row, than: greatest) {
                    greatest = (real, values.value(at: row))
                }
                count += 1
            }
        }
        guard let least, let greatest else { return nil }
        var parts = PartMeans(valueCount: count, partCountMax: ChartRows.partCountMax)
        try visit { values in
            for row in 0..<values.count { if let value = values.real(at: row) { parts.add(value) } }
        }
        return batch([[least.value, greatest.value, .list(parts.means.map { .double($0) })]])
    }
}

/// The means of consecutive parts of numbers, in their given order.
///
/// Each number is a part of its own unless there are more numbers than parts.
private struct PartMeans {
    private let valueCount: Int
    private var added = 0
    private var parts: [(mean: Double, count: Int)]

    init(valueCount: Int, partCountMax: Int) {
        self.valueCount = valueCount
        parts = Array(repeating: (0, 0), count: min(partCountMax, valueCount))
    }

    mutating func add(_ number: Double) {
        guard added < valueCount else { return }
        let (high, low) = added.multipliedFullWidth(by: parts.count)
        let index = valueCount.dividingFullWidth((high, low)).quotient
        added += 1
        parts[index].count += 1
        // A running mean, because the sum may exceed the range of a Double.
        let share = Double(parts[index].count)
        parts[index].mean += number / share - parts[index].mean / share
    }

    var means: [Double] { parts.map(\.mean) }
}
