/// The location of a row: its row group, and its position in the group.
struct RowReference: Hashable, Comparable {
    let group: UInt32
    let row: UInt32

    /// Compares locations in table order.
    static func < (left: RowReference, right: RowReference) -> Bool {
        left.group != right.group ? left.group < right.group : left.row < right.row
    }
}
