import FirnEngine
import FirnQuery
import FirnTools

/// The open transaction.
final class ShellTransaction {
    let transaction: WriteTransaction
    /// The version on which it is based.
    let base: Snapshot
    /// The number of changes to objects.
    var changeCount: UInt64 = 0
    /// Whether a change failed halfway, so that the transaction can only be cancelled.
    var hasFailed = false

    init(_ transaction: WriteTransaction) throws(StoreError) {
        self.transaction = transaction
        base = try transaction.snapshot()
    }
}
