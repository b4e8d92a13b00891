package import FirnValues

extension WriteTransaction {
    /// The identity that the next object of a class gets.
    package func nextRowID(in classID: ClassID) throws(StoreError) -> RowID {
        try record(classID).nextRowID
    }

    /// Whether there is an object, as the transaction has it.
    package func contains(_ row: RowID, in classID: ClassID) throws(StoreError) -> Bool {
        let record = try self.record(classID)
        guard row < record.nextRowID else { return false }
        return try table(record.schema).locate(row) != nil
    }

    /// Gives a property of all objects of a class new values, row group by row group.
    ///
    /// - Parameter values: one value per row of the group, deleted ones included.
    package func fill(
        _ property: PropertyID, of classID: ClassID,
        with values: (RowGroupView) throws(StoreError) -> [Value]
    ) throws(StoreError) { preconditionFailure("contract") }
}
