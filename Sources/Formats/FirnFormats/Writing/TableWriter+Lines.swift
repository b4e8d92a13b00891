import FirnQuery
import FirnText
import FirnValues

extension TableWriter {
    /// Appends an object as one line per property, with an empty line between objects.
    ///
    ///       id │ 11
    ///     name │ Al
    func appendLines(_ row: Int, _ cell: inout CellText) {
        if rowsWritten > 0 { output.buffer.append(UInt8(ascii: "\n")) }
        let names = columns.map { SafeText.escaping($0.name) }
        let widths = names.map { DisplayWidth.columns(of: $0) }
        let widest = widths.max() ?? 0
        for index in columns.indices {
            output.buffer.append(UInt8(ascii: " "), repeated: widest - widths[index] + 1)
            output.buffer.append(string: names[index])
            output.buffer.append(UInt8(ascii: " "))
            output.buffer.append(options.bar)
            output.buffer.append(UInt8(ascii: " "))
            appendValue(row, index, &cell)
            output.buffer.append(UInt8(ascii: "\n"))
        }
    }

    private func appendValue(_ row: Int, _ index: Int, _ cell: inout CellText) {
        guard raw.columns[index].isNull(row) else {
            cell.render(raw.columns[index], row: row)
            return append(cell)
        }
        if options.colour { output.buffer.append("\u{1B}[2m") }
        output.buffer.append(string: SafeText.escaping(options.nullText))
        if options.colour { output.buffer.append("\u{1B}[0m") }
    }
}
