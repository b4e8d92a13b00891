package import FirnPlatform
package import FirnQuery

/// RFC 4180 with a header and LF: null is an empty field, an empty string is `""`, and a string
/// is quoted only when it must be.
package final class CSVWriter: ResultWriter {
    private let output: BufferedSink
    private let options: WriterOptions
    private let nullText: [UInt8]
    private var lanes = ColumnLanes([])

    package init(_ sink: any ByteSink, _ options: WriterOptions = WriterOptions()) {
        output = BufferedSink(sink)
        self.options = options
        nullText = Array((options.nullText ?? "").utf8)
    }

    package func begin(_ columns: [ResultColumn]) throws(PlatformError) {
        lanes = ColumnLanes(columns)
        guard options.header else { return }
        for (index, column) in columns.enumerated() {
            if index > 0 { output.buffer.append(UInt8(ascii: ",")) }
            var name = column.name
            name.withUTF8 { CSVWriter.append($0, to: &output.buffer) }
        }
        output.buffer.append(UInt8(ascii: "\n"))
        try output.flushIfFull()
    }

    package func write(_ batch: ResultBatch) throws(PlatformError) {
        lanes.load(batch)
        for row in 0..<lanes.rowCount {
            appendRow(row, to: &output.buffer)
            try output.flushIfFull()
        }
    }

    package func finish() throws(PlatformError) { try output.flush() }

    @inline(__always)
    private func appendRow(_ row: Int, to buffer: inout TextBuffer) {
        let lanes = lanes.lanes
        for index in 0..<self.lanes.columnCount {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            if lanes[index].isNull(row) {
                if !nullText.isEmpty { buffer.append(nullText) }
            } else if case .string = lanes[index].form {
                CSVWriter.append(lanes[index].text(row), to: &buffer)
            } else {
                buffer.append(scalarOf: lanes[index], row: row)
            }
        }
        buffer.append(UInt8(ascii: "\n"))
    }

    /// Appends a text, in quotes if a reader would otherwise see something else.
    private static func append(_ text: UnsafeBufferPointer<UInt8>, to buffer: inout TextBuffer) {
        guard mustQuote(text) else {
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

    private static func mustQuote(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var found: UInt8 = text.isEmpty ? 1 : 0
        for byte in text {
            // Without a branch, so that the compiler can look at many bytes at once.
            found |= byte == UInt8(ascii: ",") ? 1 : 0
            found |= byte == UInt8(ascii: "\"") ? 1 : 0
            found |= byte == UInt8(ascii: "\n") ? 1 : 0
            found |= byte == UInt8(ascii: "\r") ? 1 : 0
        }
        // A byte order mark would disappear at the beginning of a file.
        return found != 0
            || (text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF)
    }
}
