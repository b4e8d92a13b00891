import FirnCodec
import FirnEngine

/// Finds the objects of a join.
protocol JoinLookup: AnyObject {
    /// Returns the row ids of the objects, each with the position of its row, in ascending order.
    func targets(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses
    ) throws(StoreError) -> (owners: [UInt32], ids: ColumnVector)
}
