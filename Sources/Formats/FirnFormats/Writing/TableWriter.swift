package import FirnPlatform
package import FirnQuery
import FirnText
import FirnValues

/// A table for people.
///
///      id │ name │ age
///     ────┼──────┼─────
///      11 │ Al   │  52
///
/// The widths are computed from the first thousand rows; the other rows are streamed. If a row does
/// not fit the terminal even when truncated, columns are omitted. If fewer than three columns fit,
/// rows are written with one line per property instead.
package final class TableWriter: ResultWriter {
    private static let sampleRows = 1000

    let output: BufferedSink
    let options: TableOptions
    package private(set) var columns: [ResultColumn] = []
    private(set) var raw = RawBatch([])
    package let linkStyle = LinkStyle.plain
    private var pending: [ResultBatch] = []
    private var pendingRows = 0
    private var layout: TableLayout?
    /// The indices of the shown columns, in their order on the screen.
    package private(set) var shownColumns: [Int] = []
    private var hasBegun = false
    package private(set) var rowsWritten = 0
    /// Whether the columns did not fit, so that each property has its own line.
    package private(set) var isTooWide = false
    /// Whether the end of a text was omitted.
    package private(set) var isShortened = false
    /// The number of columns that did not fit.
    package var omittedColumnCount: Int { layout == nil ? 0 : columns.count - shownColumns.count }
    /// Whether rows were omitted because of ``TableOptions/rowsMax``.
    package private(set) var isCut = false

    package init(_ sink: any ByteSink, _ options: TableOptions) {
        output = BufferedSink(sink)
        self.options = options
    }

    package func begin(_ columns: [ResultColumn]) throws(PlatformError) {
        self.columns = columns
        raw = RawBatch(columns)
    }

    package func write(_ batch: ResultBatch) throws(PlatformError) {
        guard !hasBegun else { return try writeRows(batch) }
        pending.append(batch)
        pendingRows += batch.rowCount
        if pendingRows >= TableWriter.sampleRows || options.style == .lines { try writePending() }
    }

    package func finish() throws(PlatformError) {
        if !hasBegun { try writePending() }
        if let layout { appendEnd(layout) }
        try output.flush()
    }

    private func writePending() throws(PlatformError) {
        hasBegun = true
        if options.style != .lines {
            // Cells of Markdown are never truncated, because Markdown has no width.
            let width = options.style == .markdown ? nil : options.width
            arrange(measure(), lineWidth: width)
            isTooWide = layout == nil
        }
        if let layout { appendBeginning(layout) }
        for batch in pending { try writeRows(batch) }
        pending = []
    }

    private func arrange(_ requests: [TableLayout.Request], lineWidth: Int?) {
        shownColumns = Array(columns.indices)
        layout = TableLayout(requests, lineWidth: lineWidth, isClosed: options.isClosed)
        guard layout == nil, let lineWidth else { return }
        let leading = options.leadingColumns.compactMap { name in
            columns.firstIndex { $0.name == name }
        }
        let part = TableLayout.Part(
            of: requests, leading: leading, lineWidth: lineWidth, isClosed: options.isClosed)
        guard let part else { return }
        shownColumns = part.columns
        layout = part.layout
    }

    private func measure() -> [TableLayout.Request] {
        var cell = CellText(isMarkdown: options.style == .markdown)
        var requests = columns.map { column in
            cell.render(options.heading(column.name))
            return TableLayout.Request(
                headerWidth: cell.width, canShorten: ColumnForm(of: column).isText)
        }
        var rest = TableWriter.sampleRows
        for batch in pending where rest > 0 {
            raw.load(batch)
            for row in 0..<min(rest, batch.rowCount) {
                for index in columns.indices {
                    let width = width(row, index, &cell)
                    requests[index].valueWidth = max(requests[index].valueWidth, width)
                }
            }
            rest -= batch.rowCount
        }
        return requests
    }

    private func width(_ row: Int, _ index: Int, _ cell: inout CellText) -> Int {
        _ = render(row, index, &cell)
        return cell.width
    }

    private func writeRows(_ batch: ResultBatch) throws(PlatformError) {
        raw.load(batch)
        var cell = CellText(isMarkdown: options.style == .markdown)
        for row in 0..<raw.rowCount {
            if let rowsMax = options.rowsMax, rowsWritten >= rowsMax {
                isCut = true
                return
            }
            if let layout {
                if options.wraps, options.width != nil {
                    appendWrapped(row, layout, &cell)
                } else {
                    appendRow(row, layout, &cell)
                }
            } else {
                appendLines(row, &cell)
            }
            rowsWritten += 1
            try output.flushIfFull()
        }
    }
}

extension TableWriter {
    private func appendRow(_ row: Int, _ layout: TableLayout, _ cell: inout CellText) {
        for (position, index) in shownColumns.enumerated() {
            let isNull = render(row, index, &cell)
            // Without a terminal, nothing is truncated: a long value extends beyond its column. So
            // does a number that is longer than the measured ones, because without its last digits
            // it would be another number.
            if options.width != nil, options.style != .markdown,
                ColumnForm(of: columns[index]).isText
            {
                isShortened = isShortened || cell.width > layout.widths[position]
                cell.shorten(to: layout.widths[position], mark: options.ellipsis)
            }
            append(cell, at: position, layout, isDim: isNull && options.colour)
        }
        output.buffer.append(UInt8(ascii: "\n"))
    }

    /// Renders a value; returns whether it is null.
    func render(_ row: Int, _ index: Int, _ cell: inout CellText) -> Bool {
        let isNull = raw.columns[index].isNull(row)
        if isNull {
            cell.render(options.nullText)
        } else {
            cell.render(raw.columns[index], row: row)
            if !options.drawsUnicode, ColumnForm(of: columns[index]).isText,
                let drawing = ASCIIText.drawing(cell.text)
            {
                cell.take(drawing)
            }
        }
        return isNull
    }

    func alignsRight(_ index: Int) -> Bool {
        ColumnForm(of: columns[index]).isNumeric
    }

    /// Appends one cell after its bar; the end of an open line is not padded.
    ///
    /// - Parameter position: the position of the column on the screen.
    func append(
        _ cell: borrowing CellText, at position: Int, _ layout: TableLayout, isDim: Bool = false
    ) {
        if position > 0 || options.isClosed { output.buffer.append(options.bar) }
        let padding = max(0, layout.widths[position] - cell.width)
        let alignsRight = alignsRight(shownColumns[position])
        let isLast = position == shownColumns.count - 1
        if cell.width == 0, isLast, !options.isClosed { return }
        output.buffer.append(UInt8(ascii: " "), repeated: 1 + (alignsRight ? padding : 0))
        if isDim { output.buffer.append("\u{1B}[2m") }
        append(cell)
        if isDim { output.buffer.append("\u{1B}[0m") }
        if !isLast || options.isClosed {
            output.buffer.append(UInt8(ascii: " "), repeated: 1 + (alignsRight ? 0 : padding))
        }
        if isLast, options.isClosed { output.buffer.append(options.bar) }
    }

    func append(_ cell: borrowing CellText) {
        if let base = cell.bytes.bindMemory(to: UInt8.self).baseAddress {
            output.buffer.append(base, count: cell.bytes.count)
        }
    }
}
