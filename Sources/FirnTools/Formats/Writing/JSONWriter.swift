package import FirnPlatform
package import FirnQuery

/// One JSON object per row, properties in the order of the columns.
package final class JSONWriter: ResultWriter {
    /// How objects follow each other.
    package enum Layout: Sendable {
        /// One object per line (NDJSON).
        case lines
        /// One array of objects.
        case array
    }

    private let output: BufferedSink
    private let layout: Layout
    /// What stands in front of each value: `{"id":`, `,"name":` and so on.
    private var labels: [[UInt8]] = []
    private var lanes = ColumnLanes([])
    private var isFirst = true

    package init(_ sink: any ByteSink, _ layout: Layout) {
        output = BufferedSink(sink)
        self.layout = layout
    }

    package func begin(_ columns: [ResultColumn]) throws(PlatformError) {
        lanes = ColumnLanes(columns)
        labels = columns.enumerated().map { index, column in
            var label = TextBuffer(capacity: 64)
            label.append(index == 0 ? "{" : ",")
            label.append(jsonString: column.name)
            label.append(UInt8(ascii: ":"))
            return Array(label.bytes)
        }
        if layout == .array { output.buffer.append(UInt8(ascii: "[")) }
    }

    package func write(_ batch: ResultBatch) throws(PlatformError) {
        lanes.load(batch)
        for row in 0..<lanes.rowCount {
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
        let lanes = lanes.lanes
        for index in 0..<self.lanes.columnCount {
            buffer.append(labels[index])
            if lanes[index].isNull(row) {
                buffer.append("null")
            } else {
                JSONWriter.append(lanes[index], row: row, to: &buffer)
            }
        }
        if labels.isEmpty { buffer.append(UInt8(ascii: "{")) }
        buffer.append(UInt8(ascii: "}"))
    }

    @inline(__always)
    private static func append(
        _ lane: borrowing ColumnLane, row: Int, to buffer: inout TextBuffer
    ) {
        switch lane.form {
        case .string: buffer.append(jsonString: lane.text(row))
        case .date, .dateOnly:
            buffer.append(UInt8(ascii: "\""))
            buffer.append(scalarOf: lane, row: row)
            buffer.append(UInt8(ascii: "\""))
        case .double, .fixed: appendDouble(lane, row: row, to: &buffer)
        default: buffer.append(scalarOf: lane, row: row)
        }
    }

    /// JSON has no word for NaN and the infinities: they become strings.
    @inline(__always)
    private static func appendDouble(
        _ lane: borrowing ColumnLane, row: Int, to buffer: inout TextBuffer
    ) {
        let isQuoted = !lane.double(row).isFinite
        if isQuoted { buffer.append(UInt8(ascii: "\"")) }
        buffer.append(scalarOf: lane, row: row)
        if isQuoted { buffer.append(UInt8(ascii: "\"")) }
    }
}
