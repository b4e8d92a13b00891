import FirnFormats
import FirnPlatform
import FirnText
import FirnValues

/// The most recent change to a row of a live table.
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
    /// The names of the columns that come first if not all columns fit.
    var leadingColumns: [String] = []
    var rows: [(row: TableRows.Row, mark: RowMark?)] = []
    /// Whether keys scroll the rows.
    var scrolls = false
    /// The position of the first row, the number of shown rows and of all rows, if not all fit.
    var extent: (first: Int, shown: Int, all: Int)?

    /// Returns the lines, none of which is wider than the window.
    func lines(_ columnCount: Int, _ options: TableOptions) -> [[UInt8]] {
        let (shown, layout) = fitted(columnCount - TableFrame.gutterWidth)
        let title = title(shown.count, columnCount, options)
        var lines = [line { $0.append(string: title) }]
        if !shown.isEmpty {
            lines.append(header(shown, layout, options))
            lines.append(rule(shown, layout, options))
            for (row, mark) in rows {
                lines.append(self.row(row, mark, shown, layout, options))
            }
        }
        if let extent, extent.shown < extent.all {
            let text = text(extent, options)
            lines.append(line { $0.append(string: cut(text, columnCount, options)) })
        }
        return lines
    }

    /// Returns the line below the rows.
    private func text(
        _ extent: (first: Int, shown: Int, all: Int), _ options: TableOptions
    ) -> String {
        func number(_ count: Int) -> String { Formatting.count(UInt64(clamping: count)) }
        if extent.first == 0 {
            let mark = options.drawsUnicode ? "…" : "..."
            let hint = scrolls ? "; arrow keys scroll" : ""
            return "  \(mark) \(number(extent.all - extent.shown)) more\(hint)"
        }
        let last = extent.first + extent.shown
        return "  rows \(number(extent.first + 1)) to \(number(last)) of \(number(extent.all))"
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

    /// Returns the columns that fit, and their widths.
    private func fitted(_ width: Int) -> (shown: [Int], widths: [Int]) {
        let requests = columns.enumerated().map { index, column in
            TableLayout.Request(
                valueWidth: rows.map { DisplayWidth.columns(of: $0.row.cells[index] ?? "null") }
                    .max() ?? 0,
                headerWidth: DisplayWidth.columns(of: column.name),
                canShorten: column.canShorten)
        }
        let all = Array(columns.indices)
        if let layout = TableLayout(requests, lineWidth: width) { return (all, layout.widths) }
        let leading = leadingColumns.compactMap { name in
            columns.firstIndex { $0.name == name }
        }
        if let part = TableLayout.Part(of: requests, leading: leading, lineWidth: width) {
            return (part.columns, part.layout.widths)
        }
        for count in stride(from: columns.count, to: 0, by: -1) {
            if let layout = TableLayout(Array(requests.prefix(count)), lineWidth: width) {
                return (Array(all.prefix(count)), layout.widths)
            }
        }
        // At least the beginning of a single column is shown.
        guard let first = requests.first else { return ([], []) }
        return (Array(all.prefix(1)), [min(first.natural, max(1, width - 2))])
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

    private func header(_ shown: [Int], _ widths: [Int], _ options: TableOptions) -> [UInt8] {
        line { buffer in
            buffer.append(UInt8(ascii: " "), repeated: TableFrame.gutterWidth)
            for (position, index) in shown.enumerated() {
                append(columns[index].name, at: position, shown, widths, options, to: &buffer)
            }
        }
    }

    private func rule(_ shown: [Int], _ widths: [Int], _ options: TableOptions) -> [UInt8] {
        line { buffer in
            buffer.append(UInt8(ascii: " "), repeated: TableFrame.gutterWidth)
            for position in shown.indices {
                if position > 0 { buffer.append(options.crossing) }
                for _ in 0..<widths[position] + 2 { buffer.append(options.rule) }
            }
        }
    }

    private func row(
        _ row: TableRows.Row, _ mark: RowMark?, _ shown: [Int], _ widths: [Int],
        _ options: TableOptions
    ) -> [UInt8] {
        line { buffer in
            if options.colour, let mark { buffer.append(mark.colour) }
            mark.map { buffer.append($0.sign) } ?? buffer.append(" ")
            buffer.append(" ")
            for (position, index) in shown.enumerated() {
                append(
                    row.cells[index] ?? options.nullText, at: position, shown, widths, options,
                    to: &buffer)
            }
            if options.colour, mark != nil { buffer.append("\u{1B}[0m") }
        }
    }

    /// Appends one cell after its separator; the end of the line is not padded.
    private func append(
        _ text: String, at position: Int, _ shown: [Int], _ widths: [Int], _ options: TableOptions,
        to buffer: inout TextBuffer
    ) {
        var cell = CellText()
        cell.render(text)
        cell.shorten(to: widths[position], mark: options.ellipsis)
        let padding = max(0, widths[position] - cell.width)
        let isRight = columns[shown[position]].alignsRight
        if position > 0 { buffer.append(options.bar) }
        buffer.append(UInt8(ascii: " "), repeated: 1 + (isRight ? padding : 0))
        if let base = cell.bytes.bindMemory(to: UInt8.self).baseAddress {
            buffer.append(base, count: cell.bytes.count)
        }
        guard position < shown.count - 1 else { return }
        buffer.append(UInt8(ascii: " "), repeated: 1 + (isRight ? 0 : padding))
    }
}
