/// Draws numbers as bars, to an eighth of a character.
struct BarDrawing {
    /// The number with the longest bar.
    ///
    /// Unless it is above 0, no bars are drawn.
    let max: Double
    /// The length of the longest bar, in characters.
    let width: Int

    private static let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// Returns the bar of a number.
    ///
    /// - Returns: an empty string for a number that is not above 0, and at least an eighth of a
    ///   character for one that is.
    func bar(_ number: Double) -> String {
        guard number > 0, max > 0, number <= max else { return "" }
        let eighths = Swift.max(1, Int((number / max * Double(width * 8)).rounded()))
        return String(repeating: "█", count: eighths / 8) + BarDrawing.parts[eighths % 8]
    }
}

/// Draws numbers as one line in their given order.
///
/// If there are more numbers than characters, neighbors share a character.
struct LineDrawing {
    private let valueCount: Int
    private let cellCount: Int
    private var added = 0
    /// The mean and the count of the numbers in each cell.
    private var cells: [(mean: Double, count: Int)]

    private static let levels = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    init(valueCount: Int, width: Int) {
        self.valueCount = valueCount
        cellCount = min(width, valueCount)
        cells = Array(repeating: (0, 0), count: cellCount)
    }

    mutating func add(_ number: Double) {
        guard added < valueCount else { return }
        let (high, low) = added.multipliedFullWidth(by: cellCount)
        let index = valueCount.dividingFullWidth((high, low)).quotient
        added += 1
        cells[index].count += 1
        // A running mean, because the sum may exceed the range of a Double.
        let share = Double(cells[index].count)
        cells[index].mean += number / share - cells[index].mean / share
    }

    var text: String {
        // Scales to the range of the means: with the range of the numbers, one outlier would
        // flatten the line.
        let means = cells.map(\.mean)
        guard let low = means.min(), let high = means.max() else { return "" }
        // Half of the range, because the whole range may exceed that of a Double.
        let half = high / 2 - low / 2
        return cells.map { cell in
            guard half > 0 else { return LineDrawing.levels[3] }
            let place = (cell.mean / 2 - low / 2) / half
            let level = Int((place * 7).rounded())
            return LineDrawing.levels[Swift.min(7, Swift.max(0, level))]
        }.joined()
    }
}
