import FirnPlatform
import FirnValues

/// What happened to a row of a live table lately.
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

/// What a live table shows at one moment, to be drawn into a window.
///
///     Person age > 30 · 2 objects · v43
///        id │ name │ age
///       ────┼──────┼─────
///     +  11 │ Al   │  52
///         9 │ Cy   │  33
struct TableFrame {
    /// In front of each row stand its mark and a blank.
    static let gutterWidth = 2
    /// Lines of a frame that are no rows: the title and the names of the columns with their rule.
    static let headLineCount = 3

    /// What is looked at.
    var title = ""
    /// What there is to say of it, such as ` · 2 objects · v43`.
    var facts = ""
    var columns: [TableRows.Column] = []
    var rows: [(row: TableRows.Row, mark: RowMark?)] = []
    /// How many objects do not fit.
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

    /// What the beginning of a long query is shortened to before the facts are.
    private static let titleColumnsMin = 10

    /// The first line: a long query gives way to what it is watched for.
    private func title(_ shownCount: Int, _ width: Int, _ options: TableOptions) -> String {
        var facts = facts
        if shownCount < columns.count {
            facts += options.drawsUnicode ? " · " : " - "
            facts += "\(shownCount) of \(columns.count) columns"
        }
        let room = max(TableFrame.titleColumnsMin, width - DisplayWidth.columns(of: facts))
        return cut(cut(title, room, options) + facts, width, options)
    }

    /// How many columns there is room for, from the first on, and how wide they are.
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
            // Of the only column at least its beginning is shown.
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

    /// Appends one cell with the bar in front of it; nothing pads the end of the line.
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
