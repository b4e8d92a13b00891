import FirnCodec
import FirnValues

/// Changes to the rows of one row group, by the index of the row in the group.
struct GroupPatch: Sendable {
    /// Rows that are deleted by the patch.
    var deleted = RowSet()
    /// Whole columns of single values that take the place of what the group has; what stands in
    /// ``values`` is newer.
    var columns: [PropertyID: ColumnPage] = [:]
    /// Single values and whole collections.
    var values: [PropertyID: RowMap<Value>] = [:]
    /// Collections that were large when they were changed; never also in ``values``.
    var edited: [PropertyID: RowMap<EditedCollection>] = [:]

    /// Gives rows other values of a property.
    ///
    /// - Parameter entries: ascending, each row once.
    mutating func merge(_ entries: ArraySlice<RowMap<Value>.Entry>, of property: PropertyID) {
        if !edited.isEmpty {
            for entry in entries { edited[property]?[entry.row] = nil }
        }
        values[property, default: RowMap()].merge(entries)
    }

    /// Whether a column is not as the group has it.
    func changes(_ property: PropertyID) -> Bool {
        values[property] != nil || edited[property] != nil || columns[property] != nil
    }
}
