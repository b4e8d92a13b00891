package import FirnValues

extension WriteTransaction {
    /// The identity that the next object of a class gets.
    package func nextRowID(in classID: ClassID) throws(StoreError) -> RowID {
        let record = try record(classID)
        return created[classID]?.nextRowID ?? overlay.nextRowID(of: record)
    }
}
