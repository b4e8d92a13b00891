package import FirnEngine
package import FirnPlatform
import FirnValues

/// A store with its schema and its query language: the one thing that the object API and the
/// commands speak to.
package final class Database: Sendable {
    package let store: Store
    private let clock: any Clock

    package init(_ store: Store) {
        self.store = store
        clock = store.services.clock
    }

    /// Opens an existing database.
    ///
    /// - Throws: ``StoreError`` as `Store.open` does.
    package static func open(
        _ path: String, readOnly: Bool, services: SystemServices = .real,
        options: StoreOptions = StoreOptions()
    ) throws(StoreError) -> Database {
        Database(
            try Store.open(path, readOnly: readOnly, services: services, options: options))
    }

    /// The newest version, to ask several questions of the same data.
    package func snapshot() throws(StoreError) -> DatabaseSnapshot {
        DatabaseSnapshot(try store.snapshot(), now: now)
    }

    /// An older version, or the newest under its number or name.
    ///
    /// - Throws: ``StoreError`` as `Store.snapshot(at:)` does.
    package func snapshot(at version: VersionReference) throws(StoreError) -> DatabaseSnapshot {
        DatabaseSnapshot(try store.snapshot(at: version), now: now)
    }

    /// The version that follows another, and what it changed, if a backlog has its commit.
    package func step(
        _ backlog: CommitBacklog, from old: DatabaseSnapshot
    ) throws(StoreError) -> (new: DatabaseSnapshot, changes: VersionChanges)? {
        try backlog.step(from: old.snapshot).map {
            (DatabaseSnapshot($0.new, now: now), $0.changes)
        }
    }

    /// A version that is not on disk yet.
    package func snapshot(_ expected: PendingCommit) -> DatabaseSnapshot {
        DatabaseSnapshot(expected.snapshot, now: now)
    }

    /// Carries out a statement on a transaction, which is not committed.
    ///
    /// - Parameter isStopped: asked while the objects are found, whether to give up; nothing was
    ///   changed then.
    /// - Throws: ``QueryFailure`` with a position in the text if a value does not fit its property;
    ///   nothing was changed then. If the store refuses a change, such as a key that is there
    ///   already, some changes may have been made: the transaction is to be rolled back.
    @discardableResult
    package func run(
        _ mutation: BoundMutation, in transaction: WriteTransaction,
        isStopped: @escaping () -> Bool = { false }
    ) throws(QueryFailure) -> MutationOutcome {
        try MutationRun(mutation: mutation, transaction: transaction, isStopped: isStopped).run()
    }

    /// What differs between two versions.
    ///
    /// - Parameter new: not older than `old`.
    package func changes(
        from old: DatabaseSnapshot, to new: DatabaseSnapshot
    ) throws(StoreError) -> VersionChanges {
        try store.changes(from: old.snapshot, to: new.snapshot)
    }

    var now: Timestamp {
        let time = clock.wallTime()
        return Timestamp(seconds: time.seconds, nanoseconds: Int64(time.nanoseconds))
    }
}
