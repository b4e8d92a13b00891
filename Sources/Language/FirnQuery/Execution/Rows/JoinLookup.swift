import FirnCodec
import FirnEngine

/// Finds the objects of a join.
protocol JoinLookup: AnyObject {
    /// Visits the row ids of the objects, each with the position of its row, in ascending order.
    ///
    /// Many rows can have many objects, so only some of them are visited at a time. If a row has at
    /// most one object, all are visited together.
    func visitTargets(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses,
        _ body: (_ owners: [UInt32], _ ids: ColumnVector) throws(StoreError) -> Void
    ) throws(StoreError)

    /// Returns the number of objects of each row.
    func counts(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses
    ) throws(StoreError) -> [UInt32]

    /// Returns an aggregate over the objects of each row; `nil` if the objects have to be visited.
    func aggregates(
        _ aggregate: JoinedAggregate, _ source: any RowSource, _ rows: BatchRows,
        _ classes: OpenedClasses
    ) throws(StoreError) -> ColumnVector?

    /// Returns the value of each row's object, or null if there is none; `nil` if there are too
    /// many objects to read all values at once.
    func values(
        _ column: BoundColumn, _ source: any RowSource, _ rows: BatchRows,
        _ classes: OpenedClasses
    ) throws(StoreError) -> ColumnVector?
}
