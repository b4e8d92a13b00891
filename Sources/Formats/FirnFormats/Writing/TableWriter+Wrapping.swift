import FirnText
import FirnValues

/// Wrapping of long values.
extension TableWriter {
    /// Appends a row in as many lines as its longest value needs.
    func appendWrapped(_ row: Int, _ layout: TableLayout, _ cell: inout CellText) {
        var pieces: [[String]] = []
        var nulls: [Bool] = []
        for (position, index) in shownColumns.enumerated() {
            nulls.append(render(row, index, &cell))
            pieces.append(TableWriter.pieces(of: cell.text, columns: layout.widths[position]))
        }
        let lineCount = pieces.map(\.count).max() ?? 0
        for line in 0..<lineCount {
            for position in shownColumns.indices {
                let piece = line < pieces[position].count ? pieces[position][line] : ""
                cell.take(piece)
                append(cell, at: position, layout, isDim: nulls[position] && options.colour)
            }
            output.buffer.append(UInt8(ascii: "\n"))
        }
    }

    /// Breaks a text after spaces, and long words anywhere.
    ///
    /// - Parameter columns: the width of a line; a wider character has its own line.
    /// - Returns: the lines, at least one.
    static func pieces(of text: String, columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var width = 0
        /// The position after the last space of the line, and the width of the rest.
        var breaking: String.Index?
        var widthBehind = 0
        for character in text {
            let step = DisplayWidth.columns(of: character)
            if width + step > columns, !line.isEmpty {
                if let end = breaking, character != " " {
                    lines.append(String(line[..<end]))
                    line = String(line[end...])
                    width = widthBehind
                } else {
                    lines.append(line)
                    line = ""
                    width = 0
                }
                breaking = nil
            }
            // The space at a line break is dropped.
            if character == " ", line.isEmpty, !lines.isEmpty { continue }
            line.append(character)
            width += step
            widthBehind += step
            if character == " " {
                breaking = line.endIndex
                widthBehind = 0
            }
        }
        if !line.isEmpty || lines.isEmpty { lines.append(line) }
        return lines.map { line in
            var line = line
            while line.count > 1, line.last == " " { line.removeLast() }
            return line
        }
    }
}
