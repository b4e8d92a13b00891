/// Draws numbers as bars, to an eighth of a character.
struct BarDrawing {
    /// The number with the longest bar; without one above 0 there are no bars.
    let max: Double
    /// The characters of that one.
    let width: Int

    private static let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// - Returns: nothing for numbers that are not above 0, and at least a trace of those that are.
    func bar(_ number: Double) -> String {
        guard number > 0, max > 0, number <= max else { return "" }
        let eighths = Swift.max(1, Int((number / max * Double(width * 8)).rounded()))
        return String(repeating: "█", count: eighths / 8) + BarDrawing.parts[eighths % 8]
    }
}

/// Draws numbers in their order as one line; several of them share a character if there are many.
struct LineDrawing {
    private let valueCount: Int
    private let cellCount: Int
    private var added = 0
    /// The mean of the numbers of each cell, and how many there are.
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
        // Sums may be too large for a number.
        let share = Double(cells[index].count)
        cells[index].mean += number / share - cells[index].mean / share
    }

    var text: String {
        // Of what is drawn: one number far from all others would make a flat line of the means.
        let means = cells.map(\.mean)
        guard let low = means.min(), let high = means.max() else { return "" }
        // The halves, because the whole may be too large for a number.
        let half = high / 2 - low / 2
        return cells.map { cell in
            guard half > 0 else { return LineDrawing.levels[3] }
            let place = (cell.mean / 2 - low / 2) / half
            let level = Int((place * 7).rounded())
            return LineDrawing.levels[Swift.min(7, Swift.max(0, level))]
        }.joined()
    }
}
