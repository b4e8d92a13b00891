import FirnValues

/// Adds columns at the end of each row of a table.
package struct TableColumnInsertion {
    private let format: DelimitedFormat
    /// The text to insert after the header, and the text to insert after each row.
    private let header: [UInt8]
    private let row: [UInt8]
    private var skippedLineCount: Int
    private var isHeader = true
    private var isLineEmpty = true
    private var isComment = false
    private var isFieldStart = true
    private var isInQuotes = false
    /// Whether the last byte was a quote that ends a field, unless another quote follows.
    private var isAfterQuote = false
    private var isEscaped = false
    /// Whether a carriage return waits for the line feed after it.
    private var holdsReturn = false

    /// Creates the insertion of columns; `nil` if the first row of the table does not name its columns.
    package init?(_ columns: [FolderColumn], _ format: DelimitedFormat) {
        guard case .firstRow = format.header else { return nil }
        self.format = format
        skippedLineCount = format.skippedLineCount
        var (header, row): ([UInt8], [UInt8]) = ([], [])
        for column in columns {
            header += [format.delimiter] + Self.field(column.name, format)
            row.append(format.delimiter)
            if let value = column.value {
                row += column.isInteger ? Array(value.utf8) : Self.field(value, format)
            } else if format.hasEscapes {
                row += Array("\\N".utf8)
            }
        }
        (self.header, self.row) = (header, row)
    }

    private static func field(_ text: String, _ format: DelimitedFormat) -> [UInt8] {
        if let quote = format.quote {
            return [quote] + text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
        }
        guard format.hasEscapes else { return Array(text.utf8) }
        return text.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "\n"): Array("\\n".utf8)
            case UInt8(ascii: "\r"): Array("\\r".utf8)
            case UInt8(ascii: "\\"), format.delimiter: [UInt8(ascii: "\\"), byte]
            default: [byte]
            }
        }
    }

    mutating func add(_ byte: UInt8, to text: inout [UInt8]) {
        if isEscaped || isInQuotes {
            text.append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == format.quote {
                (isInQuotes, isAfterQuote) = (false, true)
            }
            return
        }
        if isAfterQuote, byte == format.quote {
            text.append(byte)
            (isInQuotes, isAfterQuote) = (true, false)
            return
        }
        isAfterQuote = false
        if holdsReturn {
            holdsReturn = false
            if byte == UInt8(ascii: "\n") { return endLine("\r\n", &text) }
            text.append(UInt8(ascii: "\r"))
            isLineEmpty = false
        }
        switch byte {
        case UInt8(ascii: "\n"): endLine("\n", &text)
        case UInt8(ascii: "\r"): holdsReturn = true
        default: addField(byte, &text)
        }
    }

    private mutating func addField(_ byte: UInt8, _ text: inout [UInt8]) {
        if isLineEmpty, byte == format.comment { isComment = true }
        let isRow = skippedLineCount == 0 && !isComment
        if isRow, isFieldStart, byte == format.quote { isInQuotes = true }
        if isRow, format.hasEscapes, byte == UInt8(ascii: "\\") { isEscaped = true }
        isFieldStart = byte == format.delimiter
        isLineEmpty = false
        text.append(byte)
    }

    private mutating func endLine(_ ending: String, _ text: inout [UInt8]) {
        addColumns(&text)
        text += Array(ending.utf8)
        (isLineEmpty, isComment, isFieldStart) = (true, false, true)
    }

    private mutating func addColumns(_ text: inout [UInt8]) {
        if skippedLineCount > 0 {
            skippedLineCount -= 1
        } else if !isLineEmpty, !isComment {
            text += isHeader ? header : row
            isHeader = false
        }
    }

    /// Ends the last line.
    mutating func finish(_ text: inout [UInt8]) {
        addColumns(&text)
        if holdsReturn { text.append(UInt8(ascii: "\r")) }
    }
}
