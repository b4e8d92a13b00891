/// A rule of a layer above the engine that every commit of a transaction must satisfy.
package protocol CommitRule: Sendable {
    /// Checks a transaction before it is committed, and completes it.
    ///
    /// - Throws: ``StoreError`` if the transaction breaks the rule.
    func apply(to transaction: WriteTransaction) throws(StoreError)
}

extension WriteTransaction {
    /// Checks the rule and unique values as a commit does, for a transaction that will be rolled back.
    package func applyRule() throws(StoreError) {
        try checkOpen()
        try checkUniqueValues()
        try rule?.apply(to: self)
    }
}
