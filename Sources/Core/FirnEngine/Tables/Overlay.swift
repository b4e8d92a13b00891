import FirnCodec
import FirnValues
import HashTreeCollections

/// The changes since a root, as an immutable value that shares structure with the previous one.
///
/// A snapshot is a root and an overlay. Every read merges the two. Folding the overlay into pages
/// yields a root that gives the same results with an empty overlay.
package struct Overlay: Sendable {
    var catalog: Catalog { didSet { catalogState &+= 1 } }
    /// A counter that every change to the catalog increments.
    private(set) var catalogState: UInt64 = 0
    /// The classes that have changes.
    var classes: TreeDictionary<ClassID, ClassOverlay> = [:]
    var hasSchemaChanges = false
    var freezes = FreezeEdits()

    init(catalog: Catalog) { self.catalog = catalog }

    /// Returns the identity of the next object of a class.
    func nextRowID(of record: ClassRecord) -> RowID {
        classes[record.schema.id]?.nextRowID ?? record.nextRowID
    }

    /// Discards what was derived from the changes, because classes have changed.
    mutating func forgetDerived() {
        for id in classes.keys { classes[id]?.forgetDerived() }
    }

    /// Returns the changes in the form for a snapshot, which no longer change.
    func sealed() -> Overlay {
        var sealed = self
        for (id, changes) in classes where changes.derived == nil {
            sealed.classes[id]?.beginDeriving()
        }
        return sealed
    }

    /// Edits the changes to a class.
    mutating func change(_ classID: ClassID, _ change: (inout ClassOverlay) -> Void) {
        change(&classes[classID, default: ClassOverlay()])
    }

    /// Edits the changes to a row group.
    mutating func patch<Failure>(
        _ classID: ClassID, _ group: RowID, _ change: (inout GroupPatch) throws(Failure) -> Void
    ) throws(Failure) {
        try change(
            &classes[classID, default: ClassOverlay()].patches[group, default: GroupPatch()])
    }
}

/// The changes to one class.
struct ClassOverlay: Sendable {
    /// The rows added after the rows of the root, in the order of their row ids.
    var appended: [AppendedRows] = [] { didSet { derived = nil } }
    /// The changes to rows, by the first row id of their row group (of the root or appended).
    var patches: TreeDictionary<RowID, GroupPatch> = [:] { didSet { derived = nil } }
    /// The entries of indexes that follow from these changes, once a snapshot has derived them.
    private(set) var derived: DerivedIndexes?
    /// The net change in the number of objects.
    var liveRowDelta: Int64 = 0
    /// The identity of the next object, once there are new ones.
    ///
    /// The catalog has the value of the root, so that a commit does not copy the list of classes.
    var nextRowID: RowID?
    var keys = KeyChanges.ascending
    /// Whether the listed keys lack those of deleted rows, so that folding the overlay rebuilds the
    /// index from the rows.
    var rebuildsKeyIndex = false
    /// The changes to the link indexes.
    var links: [PropertyID: LinkChanges] = [:]

    mutating func forgetDerived() { derived = nil }

    /// Lets the readers of a snapshot share what they derive from the changes.
    mutating func beginDeriving() { derived = derived ?? DerivedIndexes() }
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
    /// The difference from the number of links in the root's index, per target and source.
    case listed(TreeDictionary<ObjectReference, TreeDictionary<RowID, Int>>)
    /// The links are not listed; the index is rebuilt when the overlay is folded.
    case unlisted
}

/// The new rows of a transaction.
enum AppendedRows: Sendable {
    /// Rows that were created one by one and sealed.
    case memory(MemoryRowGroup)
    /// Rows of a bulk load, whose pages are on disk already but referenced by no root.
    case stored(RowGroup)

    var firstRowID: RowID {
        switch self {
        case .memory(let group): group.firstRowID
        case .stored(let group): group.firstRowID
        }
    }

    /// The rows as the source of a view.
    var source: RowGroupView.Source {
        switch self {
        case .memory(let group): .memory(group)
        case .stored(let group): .stored(group)
        }
    }
}

/// A column of single values that replaces the column of a row group.
enum PatchColumn: Sendable {
    case memory(ColumnPage)
    /// A column on disk, which no root references yet.
    case stored(StoredColumn)

    var stored: StoredColumn? {
        guard case .stored(let column) = self else { return nil }
        return column
    }
}

/// The changes to the rows of one row group, by the index of the row in the group.
struct GroupPatch: Sendable {
    /// The rows that the patch deletes.
    var deleted = RowSet()
    /// Whole columns of single values that replace the columns of the group; ``values`` take
    /// precedence.
    var columns: [PropertyID: PatchColumn] = [:]
    /// Single values and whole collections.
    var values: [PropertyID: RowMap<Value>] = [:]
    /// The changes to collections that were large; such a row is never in ``values`` too.
    var edited: [PropertyID: RowMap<EditedCollection>] = [:]

    /// Sets the values of a property in some rows.
    ///
    /// - Parameter entries: The new values, ascending by row, each row once.
    mutating func merge(_ entries: ArraySlice<RowMap<Value>.Entry>, of property: PropertyID) {
        if !edited.isEmpty {
            for entry in entries { edited[property]?[entry.row] = nil }
        }
        values[property, default: RowMap()].merge(entries)
    }

    /// Whether the patch changes a column of the group.
    func changes(_ property: PropertyID) -> Bool {
        values[property] != nil || edited[property] != nil || columns[property] != nil
    }
}
