import FirnCodec
package import FirnQuery
import FirnValues

/// The rows of a chart, with its numbers drawn as text.
package final class DrawnChart: ResultRows {
    package let columns: [ResultColumn]
    /// Whether the drawn column only repeats the values of other columns for people.
    package let isRepetition: Bool
    private let rows: any ResultRows
    private let draw: (Value) -> String

    /// The length of the longest bar, in characters.
    private static let barWidth = 24
    private static let barParts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    private static let levels = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// - Returns: `nil` if the rows are not a chart.
    package init?(_ rows: any ResultRows) {
        let name: String
        switch rows.chart {
        case nil: return nil
        case .bars:
            name = "bar"
            draw = DrawnChart.bar
            isRepetition = true
        case .line:
            name = "line"
            draw = DrawnChart.line
            isRepetition = false
        }
        self.rows = rows
        let drawn = ResultColumn(name: name, type: PropertyType(.string), display: nil)
        columns = rows.columns.dropLast() + [drawn]
    }

    package var statistics: QueryStatistics { rows.statistics }

    package var progress: QueryProgress? { rows.progress }

    package func next() throws(QueryFailure) -> ResultBatch? {
        guard let batch = try rows.next(), let numbers = batch.vectors.last else { return nil }
        var drawn = ColumnVector(kind: .string)
        for row in 0..<batch.rowCount { drawn.append(.string(draw(numbers.value(at: row)))) }
        return ResultBatch(rowCount: batch.rowCount, vectors: batch.vectors.dropLast() + [drawn])
    }

    /// Draws a share as a bar, to an eighth of a character.
    private static func bar(_ share: Value) -> String {
        guard case .double(let share) = share, share > 0 else { return "" }
        let eighths = max(1, Int((share * Double(barWidth * 8)).rounded()))
        return String(repeating: "█", count: eighths / 8) + barParts[eighths % 8]
    }

    /// Draws numbers as one line in their order, with a character for each.
    private static func line(_ numbers: Value) -> String {
        guard case .list(let values) = numbers else { return "" }
        let means = values.map { if case .double(let mean) = $0 { mean } else { 0.0 } }
        // Scales to the range of the means: with the range of the values, one outlier would flatten
        // the line.
        guard let low = means.min(), let high = means.max() else { return "" }
        // Half of the range, because the whole range may exceed that of a Double.
        let half = high / 2 - low / 2
        return means.map { mean in
            guard half > 0 else { return levels[3] }
            let height = (mean / 2 - low / 2) / half
            return levels[min(7, max(0, Int((height * 7).rounded())))]
        }.joined()
    }
}
