import FirnEngine

/// A stream of the rows of a query, batch by batch.
protocol RowStream: AnyObject {
    /// Returns the next rows, or `nil` after the last.
    ///
    /// A batch is never empty.
    func next() throws(StoreError) -> RowBatch?
}
