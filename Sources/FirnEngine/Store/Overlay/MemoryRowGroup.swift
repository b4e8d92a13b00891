import FirnCodec
import FirnValues

/// Sealed new rows, in the same decoded form that pages from disk have.
final class MemoryRowGroup: Sendable {
    let firstRowID: RowID
    let rowCount: Int
    /// The ids of the rows less ``firstRowID``; `nil` while they are dense.
    let rowIDs: ColumnPage?
    /// The columns of single values.
    let columns: [PropertyID: ColumnPage]
    let collections: [PropertyID: CollectionColumn]

    init(
        firstRowID: RowID, rowCount: Int, rowIDs: ColumnPage?, columns: [PropertyID: ColumnPage],
        collections: [PropertyID: CollectionColumn]
    ) {
        self.firstRowID = firstRowID
        self.rowCount = rowCount
        self.rowIDs = rowIDs
        self.columns = columns
        self.collections = collections
    }

    /// Bytes of all columns in memory.
    var memoryByteCount: Int {
        columns.values.reduce(0) { $0 + $1.memoryByteCount }
            + collections.values.reduce(0) { $0 + $1.memoryByteCount }
    }
}
