import FirnPlatform
import FirnValues

/// The most recent change of a row of a live table.
enum RowMark {
    case inserted
    case modified
    case deleted

    var sign: StaticString {
        switch self {
        case .inserted: "+"
        case .modified: "~"
        case .deleted: "-"
        }
    }

    /// Green, yellow, red.
    var colour: StaticString {
        switch self {
        case .inserted: "\u{1B}[32m"
        case .modified: "\u{1B}[33m"
        case .deleted: "\u{1B}[31m"
        }
    }
}

/// The contents of a live table at one moment, to be drawn into a window.
///
///     Person age > 30 · 2 objects · v43
///        id │ name │ age
///       ────┼──────┼─────
///     +  11 │ Al   │  52
///         9 │ Cy   │  33
struct TableFrame {
    /// The width of the mark and the space before each row.
    static let gutterWidth = 2
    /// The lines of a frame that are not rows: the title, and the column names with their rule.
    static let headLineCount = 3

    /// The observed query.
    var title = ""
    /// The facts after the query, such as ` · 2 objects · v43`.
    var facts = ""
    var columns: [TableRows.Column] = []
    var rows: [(row: TableRows.Row, mark: RowMark?)] = []
    /// The number of objects that do not fit.
    var hiddenCount = 0

    /// The lines, none of which is wider than the window.
    func lines(_ columnCount: Int, _ options: TableOptions) -> [[UInt8]] {
        let (shown, layout) = fitted(columnCount - TableFrame.gutterWidth)
        let title = title(shown, columnCount, options)
        var lines = [line { $0.append(string: title) }]
        if shown > 0 {
            lines.append(header(shown, layout, options))
            lines.append(rule(shown, layout, options))
            for (row, mark) in rows {
                lines.append(self.row(row, mark, shown, layout, options))
            }
        }
        if hiddenCount > 0 {
            let text =
                "  \(options.drawsUnicode ? "…" : "...") \(Formatting.count(UInt64(hiddenCount))) more"
            lines.append(line { $0.append(string: cut(text, columnCount, options)) })
        }
        return lines
    }

    /// The minimum width of the query in the title before the facts are truncated.
    private static let titleColumnsMin = 10

    /// Returns the first line; a long query is truncated in favour of the facts.
    private func title(_ shownCount: Int, _ width: Int, _ options: TableOptions) -> String {
        var facts = facts
        if shownCount < columns.count {
            facts += options.drawsUnicode ? " · " : " - "
            facts += "\(shownCount) of \(columns.count) columns"
        }
        let room = max(TableFrame.titleColumnsMin, width - DisplayWidth.columns(of: facts))
        return cut(cut(title, room, options) + facts, width, options)
    }

    /// Returns the number of columns that fit, starting with the first, and their widths.
    private func fitted(_ width: Int) -> (count: Int, widths: [Int]) {
        var requests = columns.enumerated().map { index, column in
            TableLayout.Request(
                valueWidth: rows.map { DisplayWidth.columns(of: $0.row.cells[index] ?? "null") }
                    .max() ?? 0,
                headerWidth: DisplayWidth.columns(of: column.name),
                canShorten: column.canShorten)
        }
        while let last = requests.last {
            if let layout = TableLayout(requests, lineWidth: width) {
                return (requests.count, layout.widths)
            }
            // At least the beginning of a single column is shown.
            if requests.count == 1 { return (1, [min(last.natural, max(1, width - 2))]) }
            requests.removeLast()
        }
        return (0, [])
    }

    // MARK: Lines

    private func line(_ append: (inout TextBuffer) -> Void) -> [UInt8] {
        var buffer = TextBuffer(capacity: 256)
        append(&buffer)
        return Array(buffer.bytes)
    }

    private func cut(_ text: String, _ width: Int, _ options: TableOptions) -> String {
        var cell = CellText()
        cell.render(text)
        cell.shorten(to: max(1, width), mark: options.ellipsis)
        return String(decoding: cell.bytes, as: UTF8.self)
    }

    private func header(_ count: Int, _ widths: [Int], _ options: TableOptions) -> [UInt8] {
        line { buffer in
            buffer.append(UInt8(ascii: " "), repeated: TableFrame.gutterWidth)
            for index in 0..<count {
                append(columns[index].name, index, count, widths, options, to: &buffer)
            }
        }
    }

    private func rule(_ count: Int, _ widths: [Int], _ options: TableOptions) -> [UInt8] {
        line { buffer in
            buffer.append(UInt8(ascii: " "), repeated: TableFrame.gutterWidth)
            for index in 0..<count {
                if index > 0 { buffer.append(options.crossing) }
                for _ in 0..<widths[index] + 2 { buffer.append(options.rule) }
            }
        }
    }

    private func row(
        _ row: TableRows.Row, _ mark: RowMark?, _ count: Int, _ widths: [Int],
        _ options: TableOptions
    ) -> [UInt8] {
        line { buffer in
            if options.colour, let mark { buffer.append(mark.colour) }
            mark.map { buffer.append($0.sign) } ?? buffer.append(" ")
            buffer.append(" ")
            for index in 0..<count {
                append(
                    row.cells[index] ?? options.nullText, index, count, widths, options, to: &buffer
                )
            }
            if options.colour, mark != nil { buffer.append("\u{1B}[0m") }
        }
    }

    /// Appends one cell after its separator; the end of the line is not padded.
    private func append(
        _ text: String, _ index: Int, _ count: Int, _ widths: [Int], _ options: TableOptions,
        to buffer: inout TextBuffer
    ) {
        var cell = CellText()
        cell.render(text)
        cell.shorten(to: widths[index], mark: options.ellipsis)
        let padding = max(0, widths[index] - cell.width)
        let isRight = columns[index].alignsRight
        if index > 0 { buffer.append(options.bar) }
        buffer.append(UInt8(ascii: " "), repeated: 1 + (isRight ? padding : 0))
        if let base = cell.bytes.bindMemory(to: UInt8.self).baseAddress {
            buffer.append(base, count: cell.bytes.count)
        }
        guard index < count - 1 else { return }
        buffer.append(UInt8(ascii: " "), repeated: 1 + (isRight ? 0 : padding))
    }
}
