import FirnCodec
import FirnPlatform
import FirnValues

/// Sealed new rows.
///
/// Few rows stay values until somebody asks for a column, which is then kept; many are columns in
/// the same decoded form that pages from disk have.
final class MemoryRowGroup: Sendable {
    /// Columns, all of them or those that were asked for.
    struct Columns: Sendable {
        /// The ids of the rows less the first; `nil` while they are dense.
        var rowIDs: ColumnPage?
        var single: [PropertyID: ColumnPage] = [:]
        var collections: [PropertyID: CollectionColumn] = [:]
    }

    let firstRowID: RowID
    let rowCount: Int
    /// The rows as values, if they are few.
    let block: RowBlock?
    private let isDense: Bool
    private let columns: Guarded<Columns>
    /// Bytes of all rows, in whatever form they are.
    let memoryByteCount: Int
    /// Bytes of the rows in a row group, about.
    let rawByteCount: Int

    /// - Parameter block: not empty.
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

    /// The ids of the rows less ``firstRowID``; `nil` while they are dense.
    func rowIDOffsets() throws(CodecError) -> ColumnPage? {
        guard !isDense else { return nil }
        return try columns.withLock { columns throws(CodecError) in
            if columns.rowIDs == nil { columns.rowIDs = try block?.offsets() }
            return columns.rowIDs
        }
    }

    /// A column of single values; `nil` if the property is younger than the group.
    func column(_ property: PropertyID) throws(CodecError) -> ColumnPage? {
        try columns.withLock { columns throws(CodecError) in
            if let page = columns.single[property] { return page }
            guard let block, let place = block.place(of: property) else { return nil }
            let page = try block.column(place)
            columns.single[property] = page
            return page
        }
    }

    /// The collections of a property; `nil` if it is younger than the group.
    func collection(_ property: PropertyID) throws(CodecError) -> CollectionColumn? {
        try columns.withLock { columns throws(CodecError) in
            if let column = columns.collections[property] { return column }
            guard let block, let place = block.place(of: property) else { return nil }
            let column = try block.collection(place)
            columns.collections[property] = column
            return column
        }
    }

    /// One value of rows that are values; `nil` if they are columns, or the property is younger.
    func value(_ property: PropertyID, at row: Int) -> Value? {
        guard let block, let place = block.place(of: property) else { return nil }
        return block.value(at: row, place)
    }
}
