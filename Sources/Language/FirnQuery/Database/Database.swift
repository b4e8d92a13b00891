package import FirnEngine
package import FirnPlatform
import FirnSyntax
import FirnValues

/// A store with its schema and its query language.
///
/// The object API, the commands and the replication read snapshots of it, and change it by
/// ``beginWrite(waitNanoseconds:isReplicated:)`` or ``write(waitNanoseconds:_:)``, whose commits keep the
/// rules of subscriptions. What concerns the file as a whole, such as compaction, is with the store.
package final class Database: Sendable {
    package let store: Store
    let clock: any Clock
    /// The version that is read instead of the newest one.
    private let version: Snapshot?

    /// - Parameter version: The version that ``snapshot()`` returns; `nil` for the newest.
    package init(_ store: Store, reading version: Snapshot? = nil) {
        self.store = store
        self.version = version
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

    /// Returns a snapshot of the newest version, for several queries of the same data.
    package func snapshot() throws(StoreError) -> DatabaseSnapshot {
        DatabaseSnapshot(try newest(), now: now)
    }

    private func newest() throws(StoreError) -> Snapshot {
        if let version { return version }
        return try store.snapshot()
    }

    /// Returns a snapshot of an older version, or of the newest, by its number or name.
    ///
    /// - Throws: ``StoreError`` as `Store.snapshot(at:)` does.
    package func snapshot(at version: VersionReference) throws(StoreError) -> DatabaseSnapshot {
        DatabaseSnapshot(try store.snapshot(at: version), now: now)
    }

    /// Returns the version that follows another, with its changes, if the backlog contains its
    /// commit.
    package func step(
        _ backlog: CommitBacklog, from old: DatabaseSnapshot
    ) throws(StoreError) -> (new: DatabaseSnapshot, changes: VersionChanges)? {
        try backlog.step(from: old.snapshot).map {
            (DatabaseSnapshot($0.new, now: now), $0.changes)
        }
    }

    /// Returns a snapshot of a version that may not be on disk yet.
    package func snapshot(_ commit: PendingCommit) -> DatabaseSnapshot {
        DatabaseSnapshot(commit.snapshot, now: now)
    }

    /// Executes a statement in a transaction, without committing it.
    ///
    /// - Parameters:
    ///   - keepsRows: whether the outcome has the objects that changed, 8 bytes each.
    ///   - isStopped: returns whether to cancel. It is called only while objects are being found; a
    ///     statement cancelled then has changed nothing.
    ///   - progress: returns whether to continue. It is called while objects are being changed; the
    ///     caller must roll back the transaction of a statement cancelled then.
    /// - Throws: ``QueryFailure`` with a position in the text if a value does not fit its property;
    ///   in this case, nothing has changed. If the store rejects a change, such as a duplicate key,
    ///   some changes may have been made, and the caller must roll back the transaction.
    @discardableResult
    package func run(
        _ mutation: BoundMutation, in transaction: WriteTransaction, keepsRows: Bool = true,
        isStopped: @escaping () -> Bool = { false },
        progress: @escaping (QueryProgress) -> Bool = { _ in true }
    ) throws(QueryFailure) -> MutationOutcome {
        try MutationRun(
            mutation: mutation, transaction: transaction, keepsRows: keepsRows,
            isStopped: isStopped, progress: progress
        ).run()
    }

    /// Returns the differences between two versions.
    ///
    /// - Parameter new: the newer version, or the same as `old`.
    package func changes(
        from old: DatabaseSnapshot, to new: DatabaseSnapshot
    ) throws(StoreError) -> VersionChanges {
        try store.changes(from: old.snapshot, to: new.snapshot)
    }

    var now: Timestamp { clock.now }
}

extension Database {
    /// Parses a statement, binds it to the transaction's schema, and executes it without
    /// committing.
    ///
    /// - Parameters:
    ///   - text: a statement, such as `Person city == "Oslo" | set city = "Bergen"`.
    ///   - defaultClass: the class for a text that does not name one.
    ///   - arguments: the values of `$name`.
    /// - Throws: ``QueryFailure`` as ``run(_:in:)`` does, and with a position in the text if the
    ///   text is invalid.
    @discardableResult
    package func run(
        _ text: String, defaultClass: String? = nil, arguments: QueryArguments = [:],
        in transaction: WriteTransaction
    ) throws(QueryFailure) -> MutationOutcome {
        let context = BindingContext(
            schema: transaction.schema, defaultClass: defaultClass, arguments: arguments, now: now)
        let mutation = try QueryFailure.binding(
            BoundMutation(text, entry: .statement, in: context))
        return try run(mutation, in: transaction)
    }
}
