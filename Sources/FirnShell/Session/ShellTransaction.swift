import FirnEngine
import FirnQuery
import FirnTools

/// The transaction that is open.
final class ShellTransaction {
    let transaction: WriteTransaction
    /// What it began with.
    let base: Snapshot
    /// How many changes were made to objects.
    var changeCount: UInt64 = 0
    /// Whether something went wrong in the middle of a change, so that it can only be cancelled.
    var hasFailed = false

    init(_ transaction: WriteTransaction) throws(StoreError) {
        self.transaction = transaction
        base = try transaction.snapshot()
    }
}
