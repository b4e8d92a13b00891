package import FirnPlatform
package import FirnValues

/// Reads a Parquet file batch by batch.
///
///     file     "PAR1" pages... metadata size(metadata) "PAR1"
package final class ParquetReader: ColumnarReader {
    private static let magic = Array("PAR1".utf8)

    package let fields: [ColumnarField]
    package let metadata: TextMap<String>
    package let rowCount: Int64?

    private let file: any File
    private let fileSize: UInt64
    private let limits: ColumnarLimits
    private let budget: MemoryBudget
    private let leaves: [ParquetLeaf]
    private let roots: [ParquetNode]
    private let groups: [ParquetRowGroup]
    private var nextGroup = 0
    private var readers: [LeafReader] = []
    private var remainingRows = 0

    package init(
        _ file: any File, _ limits: ColumnarLimits = ColumnarLimits()
    ) throws(ColumnarError) {
        self.file = file
        self.limits = limits
        budget = MemoryBudget(limits.memoryBytesMax)
        do { fileSize = try file.status().size } catch { throw ColumnarError(error) }
        let footer = try Self.footer(of: file, fileSize, limits)
        let metadata = try ParquetMetadata(ByteCursor(footer), limits)
        let tree = try ParquetTree(metadata.elements, limits)
        leaves = tree.leaves
        roots = tree.roots
        fields = roots.map(\.field)
        groups = metadata.rowGroups
        self.metadata = metadata.texts
        rowCount = metadata.rowCount
        for (index, group) in groups.enumerated() {
            guard group.chunks.count == leaves.count, group.rowCount >= 0 else {
                throw ColumnarError.damaged(
                    "the row group has \(group.chunks.count) columns and \(group.rowCount) rows; "
                        + "the schema has \(leaves.count) columns"
                ).located(group: index)
            }
        }
    }

    private static func footer(
        of file: any File, _ fileSize: UInt64, _ limits: ColumnarLimits
    ) throws(ColumnarError) -> ByteBlock {
        guard fileSize >= 12 else { throw .damaged("the file is too short for Parquet") }
        let end = try read(file, at: fileSize - 8, 8)
        var cursor = ByteCursor(end)
        let size = UInt64(try cursor.uint32())
        guard Array(cursor.buffer) == magic else {
            if Array(cursor.buffer) == Array("PARE".utf8) {
                throw ColumnarError(.unsupported, "the metadata is encrypted")
            }
            throw .damaged("the file does not end with PAR1; it may be incomplete")
        }
        guard size <= fileSize - 12 else {
            throw .damaged("the metadata has \(size) bytes, and the file \(fileSize)")
        }
        guard size <= UInt64(limits.metadataBytesMax) else {
            throw ColumnarError(
                .tooLarge,
                "the metadata has \(size) bytes; at most \(limits.metadataBytesMax) are read")
        }
        return try read(file, at: fileSize - 8 - size, Int(size))
    }

    private static func read(
        _ file: any File, at offset: UInt64, _ byteCount: Int
    ) throws(ColumnarError) -> ByteBlock {
        let block = ByteBlock(capacity: byteCount)
        let count: Int
        do { count = try file.read(at: offset, into: block.writable) } catch {
            throw ColumnarError(error)
        }
        guard count == byteCount else { throw .damaged("the file is shorter than before") }
        return block
    }

    package func next() throws(ColumnarError) -> ColumnarBatch? {
        while remainingRows == 0 {
            for reader in readers { reader.close() }
            readers = []
            guard nextGroup < groups.count else { return nil }
            let group = groups[nextGroup]
            nextGroup += 1
            // The columns of an empty group may have no place in the file.
            guard group.rowCount > 0, let rows = Int(exactly: group.rowCount) else { continue }
            do {
                for leaf in leaves {
                    readers.append(
                        try LeafReader(
                            file, fileSize: fileSize, group.chunks[leaf.index], leaf, limits,
                            budget))
                }
            } catch { throw error.located(group: nextGroup - 1) }
            remainingRows = rows
        }
        let rows = min(remainingRows, limits.batchRowsMax)
        do {
            var values: [LeafValues] = []
            for reader in readers { values.append(try reader.read(rows: rows)) }
            let assembly = ParquetAssembly(values, rowCount: rows)
            var columns: [ColumnarColumn] = []
            for root in roots { columns.append(try assembly.column(root)) }
            remainingRows -= rows
            return ColumnarBatch(rowCount: rows, columns: columns)
        } catch { throw error.located(group: nextGroup - 1) }
    }
}
