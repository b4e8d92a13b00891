import FirnCodec
import FirnValues
import HashTreeCollections

/// What changed since a root: an immutable value that shares structure with the one before it.
///
/// A snapshot is a root and an overlay; every read merges the two, and folding the overlay into
/// pages gives a root whose overlay is empty and whose answers are the same.
package struct Overlay: Sendable {
    var catalog: Catalog
    /// Only classes that have changes.
    var classes: TreeDictionary<ClassID, ClassOverlay> = [:]
    var hasSchemaChanges = false

    var isEmpty: Bool { classes.isEmpty && !hasSchemaChanges }
}

/// The changes of one class.
struct ClassOverlay: Sendable {
    /// New rows behind those of the root, in the order of their row ids.
    var appended: [AppendedRows] = []
    /// Changes to rows, by the first row id of the row group (of the root or appended).
    var patches: TreeDictionary<RowID, GroupPatch> = [:]
    /// Net change in the number of objects.
    var liveRowDelta: Int64 = 0
}

/// New rows of a transaction.
enum AppendedRows: Sendable {
    /// Created one by one and sealed.
    case memory(MemoryRowGroup)
    /// Streamed by a bulk load: the pages are on disk already, but no root leads to them.
    case stored(RowGroup)

    var firstRowID: RowID {
        switch self {
        case .memory(let group): group.firstRowID
        case .stored(let group): group.firstRowID
        }
    }

    var rowCount: Int {
        switch self {
        case .memory(let group): group.rowCount
        case .stored(let group): group.rowCount
        }
    }
}

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

/// Changes to the rows of one row group, by the index of the row in the group.
struct GroupPatch: Sendable {
    /// Rows that are deleted by the patch.
    var deleted: Set<UInt32> = []
    var values: [PropertyID: [UInt32: Value]] = [:]
}
