/// The width of each column of a table.
struct TableLayout {
    /// A longer cell does not widen its column, but extends beyond it.
    static let columnWidthMax = 1000
    /// The minimum width of a truncated text or header.
    static let shortenedWidthMin = 6

    /// The requested width of a column.
    struct Request {
        /// The widest value seen, and the header.
        var valueWidth = 0
        var headerWidth = 0
        /// Whether values can be truncated; numbers cannot, because the result would be another
        /// number.
        var canShorten = false

        var natural: Int { min(max(valueWidth, headerWidth, 1), TableLayout.columnWidthMax) }
        var smallest: Int {
            let header = min(headerWidth, TableLayout.shortenedWidthMin)
            let value = canShorten ? min(valueWidth, TableLayout.shortenedWidthMin) : valueWidth
            return min(max(value, header, 1), natural)
        }
    }

    let widths: [Int]

    /// Fits the columns into a line by reducing the widest columns first.
    ///
    /// - Parameter isClosed: whether the line has a bar at both ends.
    /// - Returns: `nil` if the columns do not fit.
    init?(_ requests: [Request], lineWidth: Int?, isClosed: Bool = false) {
        let natural = requests.map(\.natural)
        guard let lineWidth else {
            widths = natural
            return
        }
        // A space on both sides of each column, and a bar between two columns.
        let room = lineWidth - requests.count * 3 + (isClosed ? -1 : 1)
        func total(_ cap: Int) -> Int {
            requests.reduce(0) { $0 + max($1.smallest, min($1.natural, cap)) }
        }
        guard total(0) <= room else { return nil }
        var cap = natural.max() ?? 0
        while cap > 0, total(cap) > room { cap -= 1 }
        var widths = requests.map { max($0.smallest, min($0.natural, cap)) }
        // Widening all columns by one was too much; the rest completes the columns that need least.
        var left = room - widths.reduce(0, +)
        for index in widths.indices.sorted(by: {
            (natural[$0] - widths[$0], $0) < (natural[$1] - widths[$1], $1)
        }) {
            let given = min(left, natural[index] - widths[index])
            widths[index] += given
            left -= given
        }
        self.widths = widths
    }
}
