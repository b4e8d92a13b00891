/// A table that also reads well as plain text.
struct MarkdownTable {
    private var lines: [[String]]

    init(_ header: [String]) { lines = [header] }

    /// Adds a line with as many cells as the header.
    mutating func add(_ cells: [String]) { lines.append(cells) }

    /// The first column is aligned to the left, the others to the right.
    var text: String {
        let columns = lines.first?.indices ?? 0..<0
        let widths = columns.map { column in lines.map { $0[column].count }.max() ?? 0 }
        var text = ""
        for (index, cells) in lines.enumerated() {
            let padded = columns.map { column in
                let space = String(repeating: " ", count: widths[column] - cells[column].count)
                return column == 0 ? cells[column] + space : space + cells[column]
            }
            text += "| " + padded.joined(separator: " | ") + " |\n"
            if index == 0 {
                let rules = columns.map { column in
                    String(repeating: "-", count: max(2, widths[column]) - (column == 0 ? 0 : 1))
                        + (column == 0 ? "" : ":")
                }
                text += "| " + rules.joined(separator: " | ") + " |\n"
            }
        }
        return text
    }
}
