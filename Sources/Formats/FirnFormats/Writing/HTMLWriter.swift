package import FirnPlatform
package import FirnQuery
import FirnText
import FirnValues

/// An HTML table: one table row per line; null is an empty cell.
package final class HTMLWriter: ResultWriter {
    private let output: BufferedSink
    private let options: WriterOptions
    package let linkStyle = LinkStyle.plain
    private var raw = RawBatch([])
    private var isRight: [Bool] = []

    package init(_ sink: any ByteSink, _ options: WriterOptions = WriterOptions()) {
        output = BufferedSink(sink)
        self.options = options
    }

    package func begin(_ columns: [ResultColumn]) throws(PlatformError) {
        raw = RawBatch(columns)
        isRight = columns.map { ColumnForm(of: $0).isNumeric }
        output.buffer.append("<table>\n")
        guard options.header else { return }
        output.buffer.append("<tr>")
        for column in columns {
            output.buffer.append("<th>")
            output.buffer.append(html: column.name)
            output.buffer.append("</th>")
        }
        output.buffer.append("</tr>\n")
    }

    package func write(_ batch: ResultBatch) throws(PlatformError) {
        raw.load(batch)
        for row in 0..<raw.rowCount {
            appendRow(row)
            try output.flushIfFull()
        }
    }

    package func finish() throws(PlatformError) {
        output.buffer.append("</table>\n")
        try output.flush()
    }

    private func appendRow(_ row: Int) {
        output.buffer.append("<tr>")
        for index in 0..<raw.columnCount {
            output.buffer.append(
                isRight[index] ? "<td style=\"text-align: right\">" : "<td>")
            let column = raw.columns[index]
            if column.isNull(row) {
                if let text = options.nullText { output.buffer.append(html: text) }
            } else if column.isText {
                output.buffer.append(html: String(decoding: column.text(row), as: UTF8.self))
            } else {
                output.buffer.append(scalarOf: column, row: row)
            }
            output.buffer.append("</td>")
        }
        output.buffer.append("</tr>\n")
    }
}

extension TextBuffer {
    /// Appends untrusted text so that a browser shows it as text without tags: line ends become
    /// `<br>`, and other control characters are made visible.
    fileprivate mutating func append(html text: String) {
        var last: Unicode.Scalar?
        // By code points: a sign with a combining accent is still one for a browser.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\"": append("&quot;")
            case "'": append("&#39;")
            case "\n" where last == "\r": break
            case "\n", "\r": append("<br>")
            case "\t": append("\t")
            default: append(string: SafeText.escaping(String(scalar)))
            }
            last = scalar
        }
    }
}
