package import FirnPlatform
package import FirnQuery
package import FirnText
import FirnValues

/// The differences between formats with one line per row.
package protocol DelimitedDialect {
    /// The separator between two fields.
    static var delimiter: UInt8 { get }
    /// Appends a text so that a reader of the format reads the same text.
    static func append(
        _ text: UnsafeBufferPointer<UInt8>, _ delimiter: UInt8, to buffer: inout TextBuffer)
}

/// One line per row, with a header; null is an empty field.
///
/// Specialised for each dialect, so that no call in the inner loop is indirect.
package final class DelimitedWriter<Dialect: DelimitedDialect>: ResultWriter {
    private let output: BufferedSink
    private let options: WriterOptions
    private let nullText: [UInt8]
    private let delimiter: UInt8
    package let linkStyle = LinkStyle.plain
    private var raw = RawBatch([])

    package init(_ sink: any ByteSink, _ options: WriterOptions = WriterOptions()) {
        output = BufferedSink(sink)
        self.options = options
        nullText = Array((options.nullText ?? "").utf8)
        delimiter =
            options.delimiter
            ?? (options.hasDecimalComma ? UInt8(ascii: ";") : Dialect.delimiter)
    }

    package func begin(_ columns: [ResultColumn]) throws(PlatformError) {
        raw = RawBatch(columns)
        if options.startsWithMark { output.buffer.append("\u{FEFF}") }
        guard options.header else { return }
        for (index, column) in columns.enumerated() {
            if index > 0 { output.buffer.append(delimiter) }
            var name = column.name
            name.withUTF8 { Dialect.append($0, delimiter, to: &output.buffer) }
        }
        output.buffer.append(UInt8(ascii: "\n"))
        try output.flushIfFull()
    }

    package func write(_ batch: ResultBatch) throws(PlatformError) {
        raw.load(batch)
        for row in 0..<raw.rowCount {
            appendRow(row, to: &output.buffer)
            try output.flushIfFull()
        }
    }

    package func finish() throws(PlatformError) { try output.flush() }

    @inline(__always)
    private func appendRow(_ row: Int, to buffer: inout TextBuffer) {
        let rawColumns = raw.columns
        for index in 0..<raw.columnCount {
            if index > 0 { buffer.append(delimiter) }
            if rawColumns[index].isNull(row) {
                if !nullText.isEmpty { buffer.append(nullText) }
            } else if rawColumns[index].isText {
                Dialect.append(rawColumns[index].text(row), delimiter, to: &buffer)
            } else {
                let start = buffer.count
                buffer.append(scalarOf: rawColumns[index], row: row)
                if options.hasDecimalComma, rawColumns[index].form.isFraction {
                    buffer.replace(UInt8(ascii: "."), by: UInt8(ascii: ","), from: start)
                }
            }
        }
        buffer.append(UInt8(ascii: "\n"))
    }
}

/// Writes RFC 4180 with LF.
package typealias CSVWriter = DelimitedWriter<CSVDialect>

/// An empty string is `""`, unlike null, and other strings are quoted only if necessary.
package enum CSVDialect: DelimitedDialect {
    package static let delimiter = UInt8(ascii: ",")

    /// Appends a text, in quotes if a reader would otherwise read a different value.
    @inline(__always)
    package static func append(
        _ text: UnsafeBufferPointer<UInt8>, _ delimiter: UInt8, to buffer: inout TextBuffer
    ) {
        guard mustQuote(text, delimiter) else {
            if let base = text.baseAddress { buffer.append(base, count: text.count) }
            return
        }
        buffer.append(UInt8(ascii: "\""))
        for byte in text {
            if byte == UInt8(ascii: "\"") { buffer.append(byte) }
            buffer.append(byte)
        }
        buffer.append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private static func mustQuote(
        _ text: UnsafeBufferPointer<UInt8>, _ delimiter: UInt8
    ) -> Bool {
        var found: UInt8 = text.isEmpty ? 1 : 0
        for byte in text {
            // Without a branch, so that the compiler can vectorize the loop.
            found |= byte == delimiter ? 1 : 0
            found |= byte == UInt8(ascii: "\"") ? 1 : 0
            found |= byte == UInt8(ascii: "\n") ? 1 : 0
            found |= byte == UInt8(ascii: "\r") ? 1 : 0
        }
        // A byte order mark at the start of a file would be dropped.
        return found != 0
            || (text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF)
    }
}

/// Writes CSV for spreadsheets.
package typealias SafeCSVWriter = DelimitedWriter<SafeCSVDialect>

/// Like ``CSVDialect``, but with an apostrophe before a text that a spreadsheet would run as a
/// formula, which makes the spreadsheet treat it as text.
package enum SafeCSVDialect: DelimitedDialect {
    package static let delimiter = CSVDialect.delimiter

    package static func append(
        _ text: UnsafeBufferPointer<UInt8>, _ delimiter: UInt8, to buffer: inout TextBuffer
    ) {
        guard let first = text.first, "=+-@\t\r\n".utf8.contains(first) else {
            return CSVDialect.append(text, delimiter, to: &buffer)
        }
        let marked = [UInt8(ascii: "'")] + text
        marked.withUnsafeBufferPointer { CSVDialect.append($0, delimiter, to: &buffer) }
    }
}

/// Writes fields separated by tabs, otherwise as ``CSVDialect`` does.
package typealias TSVWriter = DelimitedWriter<TSVDialect>

/// Quotes as in CSV, so that a text is read back whatever it contains.
package enum TSVDialect: DelimitedDialect {
    package static let delimiter = UInt8(ascii: "\t")

    package static func append(
        _ text: UnsafeBufferPointer<UInt8>, _ delimiter: UInt8, to buffer: inout TextBuffer
    ) {
        CSVDialect.append(text, delimiter, to: &buffer)
    }
}
