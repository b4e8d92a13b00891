import FirnValues
import HashTreeCollections

/// The changes of one class.
struct ClassOverlay: Sendable {
    /// New rows behind those of the root, in the order of their row ids.
    var appended: [AppendedRows] = []
    /// Changes to rows, by the first row id of the row group (of the root or appended).
    var patches: TreeDictionary<RowID, GroupPatch> = [:]
    /// Net change in the number of objects.
    var liveRowDelta: Int64 = 0
}
