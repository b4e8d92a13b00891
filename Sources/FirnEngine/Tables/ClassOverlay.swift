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
    /// The identity of the next object, once there are new ones; the catalog says that of the root,
    /// so that a commit does not copy the list of classes.
    var nextRowID: RowID?
    var keys = KeyChanges.ascending
    /// What changed in the link indexes.
    var links: [PropertyID: LinkChanges] = [:]
}

/// What the overlay knows of primary keys.
enum KeyChanges: Sendable {
    /// Every new row has a key above all others: rows are found by bisection, as in the root.
    case ascending
    /// Keys of created rows, and `nil` for keys that are not there any more; others are as in the
    /// root. Rows of bulk loads are not in it.
    case listed(TreeDictionary<Value, RowID?>)
    /// Only the rows themselves know: a bulk load, or another key property. The index is built anew
    /// when the overlay is folded.
    case unlisted
}

/// What the overlay knows of the links of one property.
enum LinkChanges: Sendable {
    /// Per target and source, how many links more or less there are than in the root's index.
    case listed(TreeDictionary<ObjectReference, TreeDictionary<RowID, Int>>)
    /// Only the rows themselves know; the index is built anew when the overlay is folded.
    case unlisted
}
