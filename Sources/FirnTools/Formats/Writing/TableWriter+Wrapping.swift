import FirnValues

/// Values that go on below instead of being shortened.
extension TableWriter {
    /// Appends a row in as many lines as its longest value needs.
    func appendWrapped(_ row: Int, _ layout: TableLayout, _ cell: inout CellText) {
        var pieces: [[String]] = []
        var nulls: [Bool] = []
        for index in columns.indices {
            nulls.append(render(row, index, &cell))
            pieces.append(TableWriter.pieces(of: cell.text, columns: layout.widths[index]))
        }
        let lineCount = pieces.map(\.count).max() ?? 0
        for line in 0..<lineCount {
            for index in columns.indices {
                let piece = line < pieces[index].count ? pieces[index][line] : ""
                cell.take(piece)
                append(cell, index, layout, isDim: nulls[index] && options.colour)
            }
            output.buffer.append(UInt8(ascii: "\n"))
        }
    }

    /// Breaks a text behind blanks, and words that are too long anywhere.
    ///
    /// - Parameter columns: what a line may take; a character that is wider stands alone.
    /// - Returns: at least one line.
    static func pieces(of text: String, columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var width = 0
        /// The line up to its last blank, and how wide the rest is.
        var breaking: String.Index?
        var widthBehind = 0
        for character in text {
            let step = DisplayWidth.columns(of: character)
            if width + step > columns, !line.isEmpty {
                if let place = breaking, character != " " {
                    lines.append(String(line[..<place]))
                    line = String(line[place...])
                    width = widthBehind
                } else {
                    lines.append(line)
                    line = ""
                    width = 0
                }
                breaking = nil
            }
            // A blank at which a line was broken is not seen.
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
