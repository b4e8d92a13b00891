import FirnQuery
import FirnValues

/// Arranges candidates in columns, with their descriptions.
struct CandidateListing {
    let columns: Int
    let rows: Int

    /// Returns the lines of the list with their line ends; the list never exceeds the screen.
    func text(_ candidates: [Candidate]) -> String {
        let cells = candidates.map { candidate in
            Cell(
                name: SafeText.escaping(candidate.shown ?? candidate.text),
                note: candidate.note.map { SafeText.escaping($0) } ?? "")
        }
        let nameWidth = min(columns, cells.map(\.nameWidth).max() ?? 0)
        let noteWidth = cells.map(\.noteWidth).max() ?? 0
        let width = nameWidth + (noteWidth > 0 ? noteWidth + 2 : 0)
        let perRow = max(1, (columns + 1) / (width + 3))
        // Reserves lines for the prompt and the number of omitted candidates.
        let rowsMax = max(1, rows - 3)
        let rowCount = (cells.count + perRow - 1) / perRow
        let shownRows = min(rowCount, rowsMax)
        var text = ""
        for row in 0..<shownRows {
            // Candidates are listed by column, as in readline, unless the list is truncated.
            let line = (0..<perRow).compactMap { column -> String? in
                let index =
                    rowCount > rowsMax ? row * perRow + column : column * rowCount + row
                guard index < cells.count else { return nil }
                return cells[index].padded(nameWidth, noteWidth)
            }.joined(separator: "   ")
            text += CandidateListing.trimmed(line) + "\n"
        }
        let left = cells.count - shownRows * perRow
        if left > 0 { text += "\u{2026} \(left) more\n" }
        return text
    }

    private static func trimmed(_ line: String) -> Substring {
        var line = line[...]
        while line.last == " " { line.removeLast() }
        return line
    }

    private struct Cell {
        let name: String
        let note: String
        let nameWidth: Int
        let noteWidth: Int

        init(name: String, note: String) {
            self.name = name
            self.note = note
            nameWidth = DisplayWidth.columns(of: name)
            noteWidth = DisplayWidth.columns(of: note)
        }

        func padded(_ nameColumns: Int, _ noteColumns: Int) -> String {
            var text = name + String(repeating: " ", count: max(0, nameColumns - nameWidth))
            guard noteColumns > 0 else { return text }
            text += "  " + note + String(repeating: " ", count: max(0, noteColumns - noteWidth))
            return text
        }
    }
}
