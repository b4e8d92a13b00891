import FirnCodec
import FirnValues

/// Sealed new rows with dense row ids, in the same decoded form that pages from disk have.
final class MemoryRowGroup: Sendable {
    let firstRowID: RowID
    let rowCount: Int
    let columns: [PropertyID: ColumnPage]

    init(firstRowID: RowID, rowCount: Int, columns: [PropertyID: ColumnPage]) {
        self.firstRowID = firstRowID
        self.rowCount = rowCount
        self.columns = columns
    }
}
