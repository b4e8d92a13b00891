package import FirnEngine
package import FirnPlatform
package import FirnValues

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
    package func snapshot(_ expected: ExpectedVersion) -> DatabaseSnapshot {
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

/// One version of a database, to be queried.
package struct DatabaseSnapshot: Sendable {
    package let snapshot: Snapshot
    package let now: Timestamp
    /// What the file has of it, if ``snapshot`` has more classes; see ``imagining(_:)``.
    private let stored: Snapshot?

    package init(_ snapshot: Snapshot, now: Timestamp) {
        self.init(snapshot, now: now, stored: nil)
    }

    private init(_ snapshot: Snapshot, now: Timestamp, stored: Snapshot?) {
        self.snapshot = snapshot
        self.now = now
        self.stored = stored
    }

    /// The version as the file has it.
    package var inFile: Snapshot { stored ?? snapshot }

    /// This version as if changes of its classes had been made.
    package func imagining(
        _ change: (WriteTransaction) throws(StoreError) -> Void
    ) throws(StoreError) -> DatabaseSnapshot {
        DatabaseSnapshot(try inFile.imagining(change), now: now, stored: inFile)
    }

    package var schema: Schema { snapshot.schema }
    package var version: LSN { snapshot.version }

    /// Reads, binds and plans a query; rows are computed as they are asked for.
    ///
    /// - Parameters:
    ///   - text: a pipeline, such as `Flight dep_delay > 60 SORT(dep_delay DESC) LIMIT(10)`.
    ///   - defaultClass: the class of a text that names none.
    ///   - arguments: the values of `$name`.
    ///   - positional: the values of `%@` and `%K` in their order, which `$0`, `$1` name, too.
    ///   - explaining: whether the plan is wanted instead of the rows, as `| explain` asks.
    ///   - isStopped: asked before each page that is read, whether to give up.
    /// - Throws: ``QueryFailure`` with a position in the text, or if the store cannot be read.
    package func query(
        _ text: String, defaultClass: String? = nil, arguments: [String: Value] = [:],
        positional: [Value] = [], explaining: Bool = false,
        isStopped: @escaping () -> Bool = { false }
    ) throws(QueryFailure) -> any ResultRows {
        let context = BindingContext(
            schema: schema, defaultClass: defaultClass, arguments: arguments,
            positional: positional, now: now)
        let bound: BoundQuery
        do throws(QueryError) {
            bound = try BoundQuery(text, entry: .pipeline, in: context)
        } catch {
            throw .query(error)
        }
        return try rows(bound, explaining: explaining, isStopped: isStopped)
    }

    /// Plans a bound query; rows are computed as they are asked for.
    ///
    /// - Throws: ``QueryFailure`` if the store cannot be read.
    package func rows(
        _ query: BoundQuery, explaining: Bool = false,
        isStopped: @escaping () -> Bool = { false }
    ) throws(QueryFailure) -> any ResultRows {
        try QueryFailure.storing { () throws(StoreError) in
            let execution = try Execution(query, on: snapshot, isStopped: isStopped)
            return explaining || query.explain ? try ExplanationRows(execution) : execution.rows()
        }
    }
}
