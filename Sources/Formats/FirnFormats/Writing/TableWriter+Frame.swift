import FirnQuery
import FirnText
import FirnValues

/// The parts of a table around its rows.
extension TableWriter {
    /// A horizontal line: its ends, and the crossing with the bar between two columns.
    fileprivate struct Rule {
        let left: StaticString
        let crossing: StaticString
        let right: StaticString
    }

    /// Appends the lines before the first row.
    func appendBeginning(_ layout: TableLayout) {
        switch options.style {
        case .plain:
            guard options.header else { return }
            appendNames(layout)
            append(Rule(left: "", crossing: options.crossing, right: ""), layout)
        case .box:
            append(options.drawsUnicode ? .top : .ascii, layout)
            guard options.header else { return }
            appendNames(layout)
            append(options.drawsUnicode ? .middle : .ascii, layout)
        case .markdown:
            // Markdown has no tables without a header.
            appendNames(layout)
            appendAlignment(layout)
        case .lines: break
        }
    }

    /// Appends the lines after the last row.
    func appendEnd(_ layout: TableLayout) {
        if options.style == .box { append(options.drawsUnicode ? .bottom : .ascii, layout) }
    }

    private func appendNames(_ layout: TableLayout) {
        var cell = CellText(isMarkdown: options.style == .markdown)
        for (position, index) in shownColumns.enumerated() {
            cell.render(options.heading(columns[index].name))
            cell.shorten(to: layout.widths[position], mark: options.ellipsis)
            append(cell, at: position, layout)
        }
        output.buffer.append(UInt8(ascii: "\n"))
    }

    private func append(_ rule: Rule, _ layout: TableLayout) {
        output.buffer.append(rule.left)
        for (index, width) in layout.widths.enumerated() {
            if index > 0 { output.buffer.append(rule.crossing) }
            for _ in 0..<width + 2 { output.buffer.append(options.rule) }
        }
        output.buffer.append(rule.right)
        output.buffer.append(UInt8(ascii: "\n"))
    }

    /// Appends the Markdown line that separates the names from the rows: `|---:|------|`.
    private func appendAlignment(_ layout: TableLayout) {
        for (index, width) in layout.widths.enumerated() {
            let isRight = alignsRight(shownColumns[index])
            output.buffer.append(UInt8(ascii: "|"))
            output.buffer.append(UInt8(ascii: "-"), repeated: width + (isRight ? 1 : 2))
            if isRight { output.buffer.append(UInt8(ascii: ":")) }
        }
        output.buffer.append("|\n")
    }
}

extension TableWriter.Rule {
    fileprivate static let top = TableWriter.Rule(left: "┌", crossing: "┬", right: "┐")
    fileprivate static let middle = TableWriter.Rule(left: "├", crossing: "┼", right: "┤")
    fileprivate static let bottom = TableWriter.Rule(left: "└", crossing: "┴", right: "┘")
    fileprivate static let ascii = TableWriter.Rule(left: "+", crossing: "+", right: "+")
}
