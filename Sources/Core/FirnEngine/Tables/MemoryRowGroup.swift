import FirnCodec
import FirnPlatform
import FirnValues

/// A group of sealed new rows.
///
/// A few rows are stored as values until a column is requested, which is then kept. Many rows are
/// stored as columns in the same decoded form as pages from disk.
final class MemoryRowGroup: Sendable {
    /// The columns: all of them, or those that were requested.
    struct Columns: Sendable {
        /// The ids of the rows less the first; `nil` while they are dense.
        var rowIDs: ColumnPage?
        var single: [PropertyID: ColumnPage] = [:]
        var collections: [PropertyID: CollectionColumn] = [:]
        /// The entries of indexes that were requested, ascending.
        var entries: [IndexSchema: TreeEntries] = [:]
    }

    let firstRowID: RowID
    let rowCount: Int
    /// The rows as values, if they are few.
    let block: RowBlock?
    private let isDense: Bool
    let columns: Guarded<Columns>
    /// The size of all rows in memory, as values or as columns.
    let memoryByteCount: Int
    /// The approximate size of the rows in a row group.
    let rawByteCount: Int

    /// - Parameter block: The rows, at least one.
    init(_ block: RowBlock) {
        firstRowID = block.rowIDs.first ?? RowID(0)
        rowCount = block.rowCount
        self.block = block
        isDense = block.isDense
        columns = Guarded(Columns())
        memoryByteCount = block.memoryByteCount
        rawByteCount = block.byteCount
    }

    init(firstRowID: RowID, rowCount: Int, _ columns: Columns) {
        self.firstRowID = firstRowID
        self.rowCount = rowCount
        block = nil
        isDense = columns.rowIDs == nil
        memoryByteCount =
            columns.single.values.reduce(0) { $0 + $1.memoryByteCount }
            + columns.collections.values.reduce(0) { $0 + $1.memoryByteCount }
        rawByteCount = memoryByteCount
        self.columns = Guarded(columns)
    }

    /// Returns the ids of the rows less ``firstRowID``, or `nil` while they are dense.
    func rowIDOffsets() throws(CodecError) -> ColumnPage? {
        guard !isDense else { return nil }
        return try columns.withLock { columns throws(CodecError) in
            if columns.rowIDs == nil { columns.rowIDs = try block?.offsets() }
            return columns.rowIDs
        }
    }

    /// Returns a column of single values, or `nil` if the property is newer than the group.
    func column(_ property: PropertyID) throws(CodecError) -> ColumnPage? {
        try columns.withLock { columns throws(CodecError) in
            if let page = columns.single[property] { return page }
            guard let block, let index = block.index(of: property) else { return nil }
            let page = try block.column(index)
            columns.single[property] = page
            return page
        }
    }

    /// Returns the collections of a property, or `nil` if it is newer than the group.
    func collection(_ property: PropertyID) throws(CodecError) -> CollectionColumn? {
        try columns.withLock { columns throws(CodecError) in
            if let column = columns.collections[property] { return column }
            guard let block, let index = block.index(of: property) else { return nil }
            let column = try block.collection(index)
            columns.collections[property] = column
            return column
        }
    }

    /// Returns one value of rows stored as values; `nil` if they are columns, or if the property is
    /// newer than the group.
    func value(_ property: PropertyID, at row: Int) -> Value? {
        guard let block, let index = block.index(of: property) else { return nil }
        return block.value(at: row, index)
    }
}
