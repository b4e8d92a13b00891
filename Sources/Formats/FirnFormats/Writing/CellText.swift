import FirnCodec
import FirnText
import FirnValues

/// Renders single values for people, and measures them.
package struct CellText: ~Copyable {
    private var buffer = TextBuffer(capacity: 256)
    /// Whether Markdown special characters are escaped.
    private let isMarkdown: Bool
    /// The width of the text in terminal columns.
    package private(set) var width = 0

    package init(isMarkdown: Bool = false) { self.isMarkdown = isMarkdown }

    /// The text of the last ``render(_:row:)``, free of control characters.
    package var bytes: UnsafeRawBufferPointer { buffer.bytes }

    /// The text as a string.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Renders a value that is not null.
    package mutating func render(_ column: borrowing RawColumn, row: Int) {
        buffer.removeAll()
        guard column.isText else {
            buffer.append(scalarOf: column, row: row)
            width = buffer.count
            return
        }
        let text = column.text(row)
        if !isMarkdown, SafeText.isPlain(text) {
            if let base = text.baseAddress { buffer.append(base, count: text.count) }
            width = text.count
        } else {
            render(String(decoding: text, as: UTF8.self))
        }
    }

    /// Renders untrusted text.
    package mutating func render(_ text: String) {
        take(isMarkdown ? MarkdownText.escaping(text) : SafeText.escaping(text))
    }

    /// Sets text that is free of control characters.
    package mutating func take(_ text: String) {
        buffer.removeAll()
        buffer.append(string: text)
        width = DisplayWidth.columns(of: text)
    }

    /// Truncates the text to a width, with a mark at the end.
    package mutating func shorten(to columns: Int, mark: StaticString) {
        guard width > columns else { return }
        let text = String(decoding: bytes.prefix(columns * 64 + 64), as: UTF8.self)
        buffer.removeAll()
        width = 1
        var kept = ""
        for character in text {
            let step = DisplayWidth.columns(of: character)
            guard width + step <= columns else { break }
            kept.append(character)
            width += step
        }
        buffer.append(string: kept)
        buffer.append(mark)
    }
}
