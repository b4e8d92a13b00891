import FirnValues

/// Writes an Arrow stream, or an Arrow file; see ``ArrowReader``.
package final class ArrowWriter: ColumnarWriter {
    /// The two Arrow formats; the second contains the first.
    package enum Form: Sendable {
        case stream
        case file
    }

    private static let mark = Array("ARROW1".utf8)

    private let sink: any ColumnarSink
    private let fields: [ColumnarField]
    private let metadata: [(key: String, value: String)]
    private let form: Form
    private let output = ByteOutput(capacity: 1 << 20)
    private var offset: Int64 = 0
    /// The offset, the metadata size and the body size of each record batch, in bytes.
    private var blocks: [Int64] = []

    package init(
        _ sink: any ColumnarSink, _ fields: [ColumnarField], _ form: Form,
        metadata: [(key: String, value: String)] = []
    ) throws(ColumnarError) {
        self.sink = sink
        self.fields = fields
        self.form = form
        self.metadata = metadata
        if form == .file {
            output.append(Self.mark)
            output.append(zeros: 2)
        }
        appendMetadata(ArrowSchemaWriting.message(fields, metadata))
        try flush()
    }

    /// Appends the metadata of a message.
    ///
    /// - Returns: the number of bytes.
    @discardableResult
    private func appendMetadata(_ metadata: [UInt8]) -> Int64 {
        output.append(UInt32.max)
        output.append(UInt32(metadata.count))
        output.append(metadata)
        return Int64(metadata.count) + 8
    }

    private func flush() throws(ColumnarError) {
        do { try sink.write(output.bytes) } catch { throw ColumnarError(error) }
        offset += Int64(output.count)
        output.removeAll()
    }

    package func write(_ batch: ColumnarBatch) throws(ColumnarError) {
        precondition(batch.columns.count == fields.count, "one column per field")
        guard batch.rowCount > 0 else { return }
        let content = ByteOutput(capacity: 1 << 16)
        var body = ArrowBody(content)
        for column in batch.columns { body.append(column) }
        var builder = FlatBuilder()
        let buffers = builder.vector(body.buffers, perElement: 2)
        let nodes = builder.vector(body.nodes, perElement: 2)
        let header = builder.table([
            (0, .int64(Int64(batch.rowCount))), (1, .part(nodes)), (2, .part(buffers)),
        ])
        let bodyBytes = Int64(content.count)
        let start = offset
        let metadataBytes = appendMetadata(
            ArrowSchemaWriting.finish(header, .batch, bodyBytes: bodyBytes, &builder))
        // A block of the footer: an int64, an int32 with padding, and an int64.
        blocks += [start, metadataBytes, bodyBytes]
        try flush()
        output.append(content.bytes)
        try flush()
    }

    package func finish() throws(ColumnarError) {
        output.append(UInt32.max)
        output.append(UInt32(0))
        if form == .file {
            var builder = FlatBuilder()
            let batches = builder.vector(blocks, perElement: 3)
            let dictionaries = builder.vector([], perElement: 3)
            let schema = ArrowSchemaWriting.schema(fields, metadata, &builder)
            let footer = builder.table([
                (1, .part(schema)), (2, .part(dictionaries)), (3, .part(batches)),
                (0, .int16(ArrowSchemaWriting.version)),
            ])
            let bytes = builder.finish(footer)
            output.append(bytes)
            output.append(UInt32(bytes.count))
            output.append(Self.mark)
        }
        try flush()
    }
}
