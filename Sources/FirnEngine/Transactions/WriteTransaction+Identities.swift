package import FirnValues

extension WriteTransaction {
    /// Returns the identity of the next object of a class.
    package func nextRowID(in classID: ClassID) throws(StoreError) -> RowID {
        let record = try record(classID)
        return created[classID]?.nextRowID ?? overlay.nextRowID(of: record)
    }
}
