import FirnEngine
import FirnQuery
import FirnValues

/// The steps of a migration in the realm of its new objects.
extension RealmInstance {
    /// Shows the classes after a change in the migration block.
    func showMigratedClasses() throws(StoreError) {
        guard let migration else { return }
        try migration.writes.flush()
        show(DatabaseSnapshot(try migration.transaction.snapshot(), now: snapshot.now))
    }

    /// Writes all values after the migration block has returned.
    func finishMigration() throws(StoreError) {
        writeMigratedValues()
        if let transactionFailure { throw transactionFailure }
    }

    /// Writes the values that the migration block has set in enumerated objects.
    func writeMigratedValues() {
        do { try migration?.writes.flush() } catch {
            transactionFailure = transactionFailure ?? error
        }
    }

    /// Stops the program if the transaction of a migration would end inside its block.
    func checkNotMigrating() {
        guard migration != nil else { return }
        misuse(
            "the transaction of a migration ends after its block: throw an error to give it up")
    }
}
