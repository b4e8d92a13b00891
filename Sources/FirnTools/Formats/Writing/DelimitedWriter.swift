package import FirnPlatform
package import FirnQuery

/// The differences between formats with one line per row.
package protocol DelimitedDialect {
    /// The separator between two fields.
    static var delimiter: UInt8 { get }
    /// Appends a text so that a reader of the format reads the same text.
    static func append(_ text: UnsafeBufferPointer<UInt8>, to buffer: inout TextBuffer)
}

/// One line per row, with a header; null is an empty field.
///
/// Specialised for each dialect, so that no call in the inner loop is indirect.
package final class DelimitedWriter<Dialect: DelimitedDialect>: ResultWriter {
    private let output: BufferedSink
    private let options: WriterOptions
    private let nullText: [UInt8]
    package let linkStyle = LinkStyle.plain
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
            if index > 0 { output.buffer.append(Dialect.delimiter) }
            var name = column.name
            name.withUTF8 { Dialect.append($0, to: &output.buffer) }
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
            if index > 0 { buffer.append(Dialect.delimiter) }
            if lanes[index].isNull(row) {
                if !nullText.isEmpty { buffer.append(nullText) }
            } else if lanes[index].isText {
                Dialect.append(lanes[index].text(row), to: &buffer)
            } else {
                buffer.append(scalarOf: lanes[index], row: row)
            }
        }
        buffer.append(UInt8(ascii: "\n"))
    }
}
