package import FirnPlatform
package import FirnQuery
import FirnText
import FirnValues

/// One JSON object per row, properties in the order of the columns.
package final class JSONWriter: ResultWriter {
    /// The arrangement of the objects.
    package enum Layout: Sendable {
        /// One object per line (NDJSON).
        case lines
        /// One array of objects.
        case array
    }

    private let output: BufferedSink
    private let layout: Layout
    /// The text before each value: `{"id":`, `,"name":` and so on.
    private var labels: [[UInt8]] = []
    private var raw = RawBatch([])
    private var isFirst = true

    private let options: WriterOptions
    package let linkStyle = LinkStyle.json

    package init(
        _ sink: any ByteSink, _ layout: Layout, _ options: WriterOptions = WriterOptions()
    ) {
        output = BufferedSink(sink)
        self.layout = layout
        self.options = options
    }

    package func begin(_ columns: [ResultColumn]) throws(PlatformError) {
        raw = RawBatch(columns, quotesInt64: options.quotesInt64)
        labels = columns.enumerated().map { index, column in
            var label = TextBuffer(capacity: 64)
            if index == 0 {
                label.append(opening)
                if opening.count > 1 { label.append(UInt8(ascii: ",")) }
            } else {
                label.append(UInt8(ascii: ","))
            }
            label.append(jsonString: column.name)
            label.append(UInt8(ascii: ":"))
            return Array(label.bytes)
        }
        if layout == .array { output.buffer.append(UInt8(ascii: "[")) }
    }

    /// The start of every object.
    private var opening: [UInt8] {
        var text = TextBuffer(capacity: 64)
        text.append(UInt8(ascii: "{"))
        if let name = options.className {
            text.append("\"$class\":")
            text.append(jsonString: name)
        }
        return Array(text.bytes)
    }

    package func write(_ batch: ResultBatch) throws(PlatformError) {
        raw.load(batch)
        for row in 0..<raw.rowCount {
            if layout == .array {
                output.buffer.append(isFirst ? "\n" : ",\n")
                isFirst = false
            }
            appendRow(row, to: &output.buffer)
            if layout == .lines { output.buffer.append(UInt8(ascii: "\n")) }
            try output.flushIfFull()
        }
    }

    package func finish() throws(PlatformError) {
        if layout == .array { output.buffer.append(isFirst ? "]\n" : "\n]\n") }
        try output.flush()
    }

    @inline(__always)
    private func appendRow(_ row: Int, to buffer: inout TextBuffer) {
        let rawColumns = raw.columns
        for index in 0..<raw.columnCount {
            buffer.append(labels[index])
            if rawColumns[index].isNull(row) {
                buffer.append("null")
            } else {
                buffer.append(jsonOf: rawColumns[index], row: row)
            }
        }
        if labels.isEmpty { buffer.append(opening) }
        buffer.append(UInt8(ascii: "}"))
    }
}
