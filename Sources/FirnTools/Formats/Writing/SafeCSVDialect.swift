/// Writes CSV for spreadsheets.
package typealias SafeCSVWriter = DelimitedWriter<SafeCSVDialect>

/// Like ``CSVDialect``, but with an apostrophe before a text that a spreadsheet would run as a
/// formula, which makes the spreadsheet treat it as text.
package enum SafeCSVDialect: DelimitedDialect {
    package static let delimiter = CSVDialect.delimiter

    package static func append(_ text: UnsafeBufferPointer<UInt8>, to buffer: inout TextBuffer) {
        guard let first = text.first, "=+-@\t\r\n".utf8.contains(first) else {
            return CSVDialect.append(text, to: &buffer)
        }
        let marked = [UInt8(ascii: "'")] + text
        marked.withUnsafeBufferPointer { CSVDialect.append($0, to: &buffer) }
    }
}
