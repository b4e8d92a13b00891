import FirnValues

/// Formats the lines of a report in aligned columns.
package enum TextColumns {
    /// - Parameters:
    ///   - rows: the same number of fields each; the first row may be a heading.
    ///   - right: the indices of the right-aligned fields.
    package static func aligned(_ rows: [[String]], right: Set<Int>) -> String {
        let widths = (rows.first ?? []).indices.map { field in
            rows.map { DisplayWidth.columns(of: $0[field]) }.max() ?? 0
        }
        var text = ""
        for row in rows {
            var line = ""
            for (field, value) in row.enumerated() {
                let space = String(
                    repeating: " ", count: widths[field] - DisplayWidth.columns(of: value))
                line += "  " + (right.contains(field) ? space + value : value + space)
            }
            while line.last == " " { line.removeLast() }
            text += line + "\n"
        }
        return text
    }
}
