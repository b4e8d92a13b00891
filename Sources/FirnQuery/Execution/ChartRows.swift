import FirnCodec
import FirnEngine
import FirnValues

/// Delivers a chart.
///
/// All rows are read twice: once to find the range of the values, and once to draw them. Memory
/// does not grow with the number of rows.
final class ChartRows: ResultRows {
    let columns: [ResultColumn]
    private let chart: BoundChart
    private let execution: Execution
    /// Starts a pass over the rows.
    ///
    /// The charted values are the last column.
    private let pass: () -> any ResultRows
    /// The second pass over rows that are themselves part of the result.
    private var bars: (rows: any ResultRows, drawing: BarDrawing)?
    private var isDone = false

    /// The length of the longest bar, in characters.
    private static let barWidth = 24
    /// The length of the longest line, in characters.
    private static let lineWidth = 60

    init(_ chart: BoundChart, _ execution: Execution, _ pass: @escaping () -> any ResultRows) {
        self.chart = chart
        self.execution = execution
        self.pass = pass
        let bar = ResultColumn(
            name: "bar", type: PropertyType(.string), display: nil, isDrawing: true)
        let value = chart.value
        switch chart {
        case .histogram:
            let isExact = [.int, .date].contains(value.type.base)
            let type = PropertyType(isExact ? value.type.base : .double, isOptional: true)
            columns = [
                ResultColumn(name: "from", type: type, display: value.display),
                ResultColumn(name: "to", type: type, display: value.display),
                ResultColumn(name: "count", type: PropertyType(.int), display: nil), bar,
            ]
        case .bar: columns = pass().columns.dropLast() + [bar]
        case .spark:
            columns =
                ["min", "max"].map {
                    ResultColumn(
                        name: $0, type: PropertyType(value.type.base), display: value.display)
                } + [ResultColumn(name: "line", type: PropertyType(.string), display: nil)]
        }
    }

    var statistics: QueryStatistics { execution.statistics }

    func next() throws(QueryFailure) -> ResultBatch? {
        if isDone { return nil }
        switch chart {
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
        var vectors = columns.map { ColumnVector(kind: $0.type.columnKind) }
        for row in rows {
            for (index, value) in row.enumerated() { vectors[index].append(value) }
        }
        return ResultBatch(rowCount: rows.count, vectors: vectors)
    }

    // MARK: Histogram

    private func histogram(_ bucketCount: Int) throws(QueryFailure) -> ResultBatch? {
        var histogram = Histogram(
            bucketCount: bucketCount, of: chart.value.type.base,
            isDateOnly: chart.value.display == .dateOnly)
        try visit { histogram.widen(to: $0) }
        histogram.divide()
        try visit { histogram.add($0) }
        let drawing = BarDrawing(
            max: Double(histogram.counts.max() ?? 0), width: ChartRows.barWidth)
        var rows = zip(histogram.bounds, histogram.counts).map {
            bounds, count -> [Value] in
            [bounds.from, bounds.to, .int(count), .string(drawing.bar(Double(count)))]
        }
        if histogram.otherCount > 0 {
            // The counts must add up to the number of all rows.
            rows.append([.null, .null, .int(histogram.otherCount), .string("")])
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
            bars = (pass(), BarDrawing(max: greatest, width: ChartRows.barWidth))
        }
        guard let bars, let batch = try bars.rows.next(), let values = batch.vectors.last else {
            isDone = true
            return nil
        }
        var drawn = ColumnVector(kind: .string)
        for row in 0..<batch.rowCount {
            drawn.append(.string(bars.drawing.bar(values.real(at: row) ?? 0)))
        }
        return ResultBatch(rowCount: batch.rowCount, vectors: batch.vectors.dropLast() + [drawn])
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
        var line = LineDrawing(valueCount: count, width: ChartRows.lineWidth)
        try visit { values in
            for row in 0..<values.count { if let value = values.real(at: row) { line.add(value) } }
        }
        return batch([[least.value, greatest.value, .string(line.text)]])
    }
}
