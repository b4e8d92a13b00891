import FirnCodec
import FirnEngine

/// Finds the objects of a join.
protocol JoinLookup: AnyObject {
    /// Returns the row ids of the objects, each with the position of its row, in ascending order.
    func targets(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses
    ) throws(StoreError) -> (owners: [UInt32], ids: ColumnVector)

    /// Returns the number of objects of each row.
    func counts(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses
    ) throws(StoreError) -> [UInt32]

    /// Returns the value of each row's object, null without one; `nil` if the objects are too many
    /// to read their values at once.
    func values(
        _ column: BoundColumn, _ source: any RowSource, _ rows: BatchRows,
        _ classes: OpenedClasses
    ) throws(StoreError) -> ColumnVector?
}
