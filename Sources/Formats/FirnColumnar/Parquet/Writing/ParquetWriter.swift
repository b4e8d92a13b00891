import FirnValues

/// Writes a Parquet file row group by row group; see ``ParquetReader``.
package final class ParquetWriter: ColumnarWriter {
    private static let magic = Array("PAR1".utf8)

    private let sink: any ColumnarSink
    private let options: ParquetOptions
    private let fields: [ColumnarField]
    private let flattening: SchemaFlattening
    private let leaves: [(root: Int, writer: LeafWriter)]
    private let output = ByteOutput(capacity: 1 << 20)
    private var offset: Int64 = 0
    private var groupRows: Int64 = 0
    private var groups: [WrittenRowGroup] = []

    package init(
        _ sink: any ColumnarSink, _ fields: [ColumnarField],
        _ options: ParquetOptions = ParquetOptions()
    ) throws(ColumnarError) {
        self.sink = sink
        self.options = options
        self.fields = fields
        flattening = try SchemaFlattening(fields)
        var leaves: [(root: Int, writer: LeafWriter)] = []
        var root = -1
        var position = 0
        for (index, field) in fields.enumerated() {
            root = index
            for _ in 0..<field.leafCount {
                leaves.append((root, LeafWriter(flattening.leaves[position], options)))
                position += 1
            }
        }
        self.leaves = leaves
        output.append(Self.magic)
    }

    package func write(_ batch: ColumnarBatch) throws(ColumnarError) {
        precondition(batch.columns.count == fields.count, "one column per field")
        guard batch.rowCount > 0 else { return }
        var byteCount = 0
        for (root, writer) in leaves {
            do { try writer.append(batch.columns[root], rowCount: batch.rowCount) } catch {
                throw error.located(column: writer.path.names.joined(separator: "."))
            }
            byteCount += writer.byteCount
        }
        groupRows += Int64(batch.rowCount)
        if groupRows >= Int64(options.rowGroupRows) || byteCount >= options.rowGroupBytes {
            try finishGroup()
        }
    }

    private func finishGroup() throws(ColumnarError) {
        guard groupRows > 0 else { return }
        try flush()
        let start = offset
        var chunks: [WrittenChunk] = []
        for (_, writer) in leaves {
            chunks.append(try writer.finishGroup(to: output, at: offset))
            try flush()
        }
        groups.append(WrittenRowGroup(rowCount: groupRows, offset: start, chunks: chunks))
        groupRows = 0
    }

    private func flush() throws(ColumnarError) {
        do { try sink.write(output.bytes) } catch { throw ColumnarError(error) }
        offset += Int64(output.count)
        output.removeAll()
    }

    package func finish() throws(ColumnarError) {
        try finishGroup()
        try flush()
        ParquetFooter(
            elements: flattening.elements, leafCount: leaves.count, groups: groups,
            metadata: options.metadata
        ).write(to: output)
        let size = output.count
        output.append(UInt32(truncatingIfNeeded: size))
        output.append(Self.magic)
        try flush()
    }
}

extension ColumnarField {
    /// The number of columns without parts.
    fileprivate var leafCount: Int {
        switch type {
        case .list(let element): element.leafCount
        case .map(let key, let value): key.leafCount + value.leafCount
        case .structure(let parts): parts.reduce(0) { $0 + $1.leafCount }
        default: 1
        }
    }
}
