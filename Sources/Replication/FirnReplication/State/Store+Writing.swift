import FirnEngine

extension Store {
    /// Runs steps in a transaction and commits it; an error of a step rolls it back.
    func write(
        _ steps: (WriteTransaction) throws(StoreError) -> Void
    ) throws(StoreError) {
        let transaction = try beginWrite()
        do throws(StoreError) {
            try steps(transaction)
            _ = try transaction.commit()
        } catch {
            transaction.rollback()
            throw error
        }
    }
}
