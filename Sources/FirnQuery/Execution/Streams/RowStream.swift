import FirnEngine

/// Rows of a query in their order, batch by batch.
protocol RowStream: AnyObject {
    /// The next rows, never none, or `nil` after the last.
    func next() throws(StoreError) -> RowBatch?
}
