package import FirnEngine
package import FirnValues

extension Database {
    /// Begins a transaction, whose commit keeps the subscriptions of the file.
    ///
    /// - Parameters:
    ///   - waitNanoseconds: The maximum time to wait for other writers.
    ///   - isReplicated: Whether the program names a server. A file that is attached to one is
    ///     always treated so.
    /// - Throws: ``StoreError`` as `Store.beginWrite` does.
    package func beginWrite(
        waitNanoseconds: UInt64 = Store.writerWaitNanoseconds, isReplicated: Bool = false
    ) throws(StoreError) -> WriteTransaction {
        let transaction = try store.beginWrite(waitNanoseconds: waitNanoseconds)
        transaction.rule = SubscriptionRule(clock: clock, isReplicated: isReplicated)
        return transaction
    }

    /// Makes changes in a transaction, and commits it.
    ///
    /// - Parameter body: Makes the changes; an error rolls them back.
    /// - Returns: The new version, or the previous one if nothing changed.
    /// - Throws: ``StoreError`` as `WriteTransaction.commit()` does.
    @discardableResult
    package func write(
        waitNanoseconds: UInt64 = Store.writerWaitNanoseconds,
        _ body: (WriteTransaction) throws(StoreError) -> Void
    ) throws(StoreError) -> LSN {
        let transaction = try beginWrite(waitNanoseconds: waitNanoseconds)
        defer { transaction.rollback() }
        try body(transaction)
        return try transaction.commit()
    }
}
