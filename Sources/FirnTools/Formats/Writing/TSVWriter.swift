package import FirnPlatform
package import FirnQuery

/// One line per row, fields separated by tabs, nothing quoted.
///
/// A tab, line feed, carriage return
/// or backslash inside of a text is written as `\t`, `\n`, `\r` or `\\`. Null is an empty field.
package final class TSVWriter: ResultWriter {
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
            if index > 0 { output.buffer.append(UInt8(ascii: "\t")) }
            var name = column.name
            name.withUTF8 { TSVWriter.append($0, to: &output.buffer) }
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
            if index > 0 { buffer.append(UInt8(ascii: "\t")) }
            if lanes[index].isNull(row) {
                if !nullText.isEmpty { buffer.append(nullText) }
            } else if case .string = lanes[index].form {
                TSVWriter.append(lanes[index].text(row), to: &buffer)
            } else {
                buffer.append(scalarOf: lanes[index], row: row)
            }
        }
        buffer.append(UInt8(ascii: "\n"))
    }

    private static func append(_ text: UnsafeBufferPointer<UInt8>, to buffer: inout TextBuffer) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "\t"): buffer.append("\\t")
            case UInt8(ascii: "\n"): buffer.append("\\n")
            case UInt8(ascii: "\r"): buffer.append("\\r")
            case UInt8(ascii: "\\"): buffer.append("\\\\")
            default: buffer.append(byte)
            }
        }
    }
}
