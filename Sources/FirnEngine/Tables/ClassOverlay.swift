import FirnValues
import HashTreeCollections

/// The changes of one class.
struct ClassOverlay: Sendable {
    /// The rows added after those of the root, in the order of their row ids.
    var appended: [AppendedRows] = []
    /// The changes to rows, by the first row id of their row group (of the root or appended).
    var patches: TreeDictionary<RowID, GroupPatch> = [:]
    /// The net change in the number of objects.
    var liveRowDelta: Int64 = 0
    /// The identity of the next object, once there are new ones.
    ///
    /// The catalog has the value of the root, so that a commit does not copy the list of classes.
    var nextRowID: RowID?
    var keys = KeyChanges.ascending
    /// The changes to the link indexes.
    var links: [PropertyID: LinkChanges] = [:]
}

/// The changes to the primary keys, as far as the overlay lists them.
enum KeyChanges: Sendable {
    /// Every new row has a key above all others, so rows are found by bisection as in the root.
    case ascending
    /// The keys of created rows, and `nil` for keys that no longer exist.
    ///
    /// All other keys are as in the root. Rows of bulk loads are not included.
    case listed(TreeDictionary<Value, RowID?>)
    /// The keys are not listed, because of a bulk load or a new key property.
    ///
    /// The index is rebuilt when the overlay is folded.
    case unlisted
}

/// The changes to the links of one property, as far as the overlay lists them.
enum LinkChanges: Sendable {
    /// The difference of the number of links from the root's index, per target and source.
    case listed(TreeDictionary<ObjectReference, TreeDictionary<RowID, Int>>)
    /// The links are not listed; the index is rebuilt when the overlay is folded.
    case unlisted
}
