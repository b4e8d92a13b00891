import FirnCodec
import FirnValues

/// The changes to the rows of one row group, by the index of the row in the group.
struct GroupPatch: Sendable {
    /// The rows that the patch deletes.
    var deleted = RowSet()
    /// Whole columns of single values that replace those of the group; ``values`` take precedence.
    var columns: [PropertyID: ColumnPage] = [:]
    /// Single values and whole collections.
    var values: [PropertyID: RowMap<Value>] = [:]
    /// The changes to collections that were large; such a row is never in ``values`` as well.
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
