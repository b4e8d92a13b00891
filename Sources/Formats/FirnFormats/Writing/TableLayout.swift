import FirnValues

/// The width of each column of a table.
package struct TableLayout {
    /// The maximum width of a column; a longer cell extends beyond it.
    static let columnWidthMax = 1000
    /// The minimum width of a truncated text or header, if all columns are shown.
    static let shortenedWidthMin = 6

    /// The requested width of a column.
    package struct Request {
        /// The widest value seen, and the header.
        var valueWidth = 0
        var headerWidth = 0
        /// Whether values can be truncated; numbers cannot, because the result would be another
        /// number.
        var canShorten = false
        /// The minimum width of a truncated text or header.
        var shortenedWidth = TableLayout.shortenedWidthMin

        package init(valueWidth: Int = 0, headerWidth: Int = 0, canShorten: Bool = false) {
            self.valueWidth = valueWidth
            self.headerWidth = headerWidth
            self.canShorten = canShorten
        }

        package var natural: Int {
            min(max(valueWidth, headerWidth, 1), TableLayout.columnWidthMax)
        }
        var smallest: Int {
            let header = min(headerWidth, shortenedWidth)
            let value = canShorten ? min(valueWidth, shortenedWidth) : valueWidth
            return min(max(value, header, 1), natural)
        }
    }

    /// The columns that fit into a line, in their order on the screen, and their widths.
    package struct Part {
        package let columns: [Int]
        package let layout: TableLayout

        /// The minimum number of columns of a table that omits columns.
        static let columnsMin = 3
        /// If columns are omitted, the others are readable: a text is truncated only below this
        /// width.
        private static let readableWidth = 16

        /// Omits columns at the end until the others fit.
        ///
        /// - Parameters:
        ///   - leading: the indices of the columns that come first.
        ///   - isClosed: whether the line has a bar at both ends.
        /// - Returns: `nil` if fewer than ``columnsMin`` columns fit.
        package init?(
            of requests: [Request], leading: [Int], lineWidth: Int, isClosed: Bool = false
        ) {
            let order = leading + requests.indices.filter { !leading.contains($0) }
            for shortenedWidth in [Part.readableWidth, TableLayout.shortenedWidthMin] {
                var columns = order
                while columns.count >= Part.columnsMin {
                    let wanted = columns.map { index in
                        var request = requests[index]
                        request.shortenedWidth = shortenedWidth
                        return request
                    }
                    if let layout = TableLayout(wanted, lineWidth: lineWidth, isClosed: isClosed) {
                        self.columns = columns
                        self.layout = layout
                        return
                    }
                    columns.removeLast()
                }
            }
            return nil
        }
    }

    package let widths: [Int]

    /// Fits the columns into a line by reducing the widest columns first.
    ///
    /// - Parameter isClosed: whether the line has a bar at both ends.
    /// - Returns: `nil` if the columns do not fit.
    package init?(_ requests: [Request], lineWidth: Int?, isClosed: Bool = false) {
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
