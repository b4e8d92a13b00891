/// A row in a result that is not in the order of the table.
struct RowReference: Hashable, Comparable {
    let group: UInt32
    let row: UInt32

    /// The order of the table.
    static func < (left: RowReference, right: RowReference) -> Bool {
        left.group != right.group ? left.group < right.group : left.row < right.row
    }
}
