import FirnValues

/// Changes to the rows of one row group, by the index of the row in the group.
struct GroupPatch: Sendable {
    /// Rows that are deleted by the patch.
    var deleted: Set<UInt32> = []
    var values: [PropertyID: [UInt32: Value]] = [:]
}
