package import FirnPlatform
package import FirnQuery
import FirnText
import FirnValues

/// Writes the single column of a result unchanged, each value followed by a line feed, or by a NUL
/// for `xargs -0`.
package final class RawWriter: ResultWriter {
    private let output: BufferedSink
    private let terminator: UInt8
    private let nullText: [UInt8]
    package let linkStyle = LinkStyle.plain
    private var raw = RawBatch([])

    /// - Parameter endsWithNUL: whether a NUL ends each value instead of a line feed.
    package init(_ sink: any ByteSink, _ options: WriterOptions, endsWithNUL: Bool) {
        output = BufferedSink(sink)
        terminator = endsWithNUL ? 0 : UInt8(ascii: "\n")
        nullText = Array((options.nullText ?? "").utf8)
    }

    /// - Precondition: there is exactly one column, which the command has checked.
    package func begin(_ columns: [ResultColumn]) throws(PlatformError) {
        precondition(columns.count == 1, "raw output has one column")
        raw = RawBatch(columns)
    }

    package func write(_ batch: ResultBatch) throws(PlatformError) {
        raw.load(batch)
        for row in 0..<raw.rowCount {
            append(raw.columns[0], row: row, to: &output.buffer)
            try output.flushIfFull()
        }
    }

    package func finish() throws(PlatformError) { try output.flush() }

    private func append(_ column: RawColumn, row: Int, to buffer: inout TextBuffer) {
        if column.isNull(row) {
            buffer.append(nullText)
        } else if column.isText {
            let text = column.text(row)
            if let base = text.baseAddress { buffer.append(base, count: text.count) }
        } else {
            buffer.append(scalarOf: column, row: row)
        }
        buffer.append(terminator)
    }
}
