package import FirnEngine
package import FirnPlatform
package import FirnQuery
package import FirnValues

/// The replication of a file with a PostgreSQL server.
///
/// The server is the authority. The file holds the objects that its subscriptions select, and
/// changes go both ways. A cycle has three steps, each of which leaves the file in a state from
/// which the next cycle goes on, wherever it is interrupted:
///
///     capture   changes of the file since the last capture -> outgoing changes, in the file
///     push      outgoing changes -> server, each transaction exactly once
///     pull      changed rows of the server -> file, in one transaction, without the properties
///               that are still outgoing
package final class Upstream {
    let database: Database
    let isStopped: () -> Bool
    /// Receives the class, the number of rows read and the number of all rows, while a subset is
    /// read completely.
    ///
    /// The server counts the rows only if there is a closure.
    package var progress: ((String, Int, Int) -> Void)?
    /// Returns whether the next cycle is wanted at once; called while ``follow(_:)`` waits.
    package var isUrgent: () -> Bool = { false }
    /// The bytes of compressed rows that a pull keeps in memory; more are staged in the file.
    var memoryMaximum = 48 << 20
    var connection: PostgresConnection?
    /// The version that this program captured last: reading it again replays the log of commits.
    var lastCapture: Snapshot?
    /// The refusals that no report has contained yet.
    var refusals: [Refusal] = []
    /// The refusals of the last capture, whose transaction may not be committed yet.
    var refusalsOfCapture: [Refusal] = []
    /// The last pull of this program that the server knows of, and the rows that it read.
    var lastArrival: (time: Int64, fingerprint: Int)?
    /// The time of the last pruning by this program, on the monotonic clock.
    var lastPruning: UInt64?

    /// The clock of the file.
    package var clock: any Clock { store.services.clock }
    var store: Store { database.store }
    var path: String { store.path }

    /// - Parameter isStopped: Returns whether to give up; called about ten times a second.
    package init(_ database: Database, isStopped: @escaping () -> Bool = { false }) {
        self.database = database
        self.isStopped = isStopped
    }

    /// The results of a cycle.
    package struct Report: Hashable, Sendable {
        /// The transactions that were sent.
        package var pushed = 0
        /// The objects that the file had before, and whose values the server replaced.
        package var replaced: [ReplacedObject] = []
        /// The objects of the file that the server changed.
        package var pulled = 0
        /// The transactions that the server refused, with the reasons.
        package var refused: [Refusal] = []
        /// The rows of the server that the file cannot have; it gets them when they change.
        package var skipped: [SkippedRow] = []
        /// The reason why changes have not been sent yet: another program on the server holds a
        /// lock.
        package var delay: String?
        /// The objects that this file created, and that another file had created with other values.
        package var collisions: [String] = []
        /// The objects that this file created and sent, and that its subset does not contain.
        ///
        /// They are on the server, and no longer in the file. Programs and commands cannot commit
        /// such objects, but a file may have them from before it was attached.
        package var removed: [String] = []

        package init() {}

        package var isEmpty: Bool {
            pushed == 0 && pulled == 0 && refused.isEmpty && skipped.isEmpty && delay == nil
        }
    }

    /// A transaction that the server refused, or that cannot be sent to it.
    package struct Refusal: Hashable, Sendable {
        package let objects: [String]
        package let reason: String
        /// Whether the objects stay in the file, because the server never had them.
        package let isKept: Bool

        init(_ changes: [Outgoing], _ reason: String) {
            isKept = changes.allSatisfy(\.kind.isState)
            // Without a key, an object cannot be named.
            objects = changes.map { $0.key.isEmpty ? $0.className : "\($0.className) \($0.key)" }
            self.reason = reason
        }

        private init(_ collected: [Capture.Collected]) {
            self.init(collected.map(\.change), collected.lazy.compactMap(\.refusal).first ?? "")
        }

        /// Returns the refusals among captured changes, one for each transaction.
        static func all(of collected: [Capture.Collected]) -> [Refusal] {
            var refusals: [Refusal] = []
            var part: [Capture.Collected] = []
            for item in collected where item.refusal != nil {
                if let last = part.last, last.change.sequence != item.change.sequence {
                    refusals.append(Refusal(part))
                    part = []
                }
                part.append(item)
            }
            return part.isEmpty ? refusals : refusals + [Refusal(part)]
        }
    }

    /// The reason recorded for keeping objects that two files created with the same key.
    package static let collisionReason = Push.collisionReason

    /// Returns a random identity for a file.
    package func newIdentity() -> FirnValues.UUID {
        let entropy = store.services.entropy
        return FirnValues.UUID(high: entropy.random64(), low: entropy.random64())
    }

    // MARK: Attachment

    /// Attaches a file to a server, which has to be prepared.
    ///
    /// - Parameters:
    ///   - address: A connection string or URL without a password.
    ///   - client: A new random identity.
    ///   - prefersFile: Whether the objects of the file prevail over those of the server with the same
    ///     keys, and over deletions there.
    /// - Throws: ``UpstreamError`` with `state` if the file is attached already, and the errors of
    ///   connecting.
    package func attach(
        _ address: String, client: FirnValues.UUID, prefersFile: Bool = false
    ) throws(UpstreamError) {
        let connection = try PostgresConnection(address, isStopped: isStopped)
        try register(client, connection)
        let layout = try ServerLayout(connection)
        try update { transaction throws(UpstreamError) in
            let old = try UpstreamError.converting { () throws(StoreError) in
                try UpstreamRecord(transaction.base)
            }
            if let old {
                throw UpstreamError(
                    .state, "the file is attached to \(old.address)",
                    remedy: "detach it first: firn sync detach FILE")
            }
            var record = UpstreamRecord(
                address: address, client: client, captured: .zero, prefersFile: prefersFile)
            // From now on, the file may rename what the server has.
            let classes = SyncedClass.classes(of: transaction.base.schema).synced
            record.columns = ColumnMap().updated(with: classes, in: layout)
            return record
        }
    }

    func register(
        _ client: FirnValues.UUID, _ connection: PostgresConnection
    ) throws(UpstreamError) {
        _ = try ServerState(connection, client: client)
        try connection.query("SELECT firn.register($1)", [client.description])
    }

    /// Detaches the file; its objects stay, its outgoing changes are dropped.
    ///
    /// Values that the server refused or replaced stay among the rejected changes.
    package func detach() throws(UpstreamError) {
        _ = try record()
        try UpstreamError.converting { () throws(StoreError) in
            let transaction = try store.beginWrite()
            for change in try Outgoing.all(in: transaction.base) {
                try change.delete(in: transaction, path: path)
            }
            for table in [InternalTable.outgoing, .staged, .upstream] {
                try table.remove(in: transaction, path: path)
            }
            if try transaction.base.freeze(named: UpstreamRecord.freezeName) != nil {
                try transaction.dropFreeze(UpstreamRecord.freezeName)
            }
            _ = try transaction.commit()
        }
    }

    /// Creates what the server lacks for the classes of a file that can be replicated.
    ///
    /// - Parameters:
    ///   - classes: The classes; by default all that can be replicated.
    ///   - rules: The rules of conflicts of some classes.
    ///   - hasChecks: Whether constraints keep values out that files cannot have.
    /// - Returns: What was changed in tables that existed, for people.
    @discardableResult
    package static func prepareServer(
        for database: Database, at address: String, classes: [SyncedClass]? = nil,
        rules: TextMap<ConflictRules> = [:], hasChecks: Bool = false
    ) throws(UpstreamError) -> [String] {
        let snapshot = try UpstreamError.converting { () throws(StoreError) in
            try database.snapshot().snapshot
        }
        let file = try UpstreamError.converting { () throws(StoreError) in
            try PreparedFile(snapshot)
        }
        let classes = classes ?? SyncedClass.classes(of: snapshot.schema).synced
        return try ServerScript(classes, rules: rules, hasChecks: hasChecks)
            .run(on: address, for: file)
    }

    /// Closes the connection; the next cycle opens a new one.
    package func disconnect() { connection = nil }

    /// Returns whether a version has the objects of all its subscriptions.
    package static func isComplete(_ snapshot: Snapshot) throws(UpstreamError) -> Bool {
        try UpstreamError.converting { () throws(StoreError) in
            guard let record = try UpstreamRecord(snapshot), !record.token.isEmpty else {
                return false
            }
            var queries = SubscribedQueries()
            let list = try StoredSubscriptions(snapshot, path: snapshot.path).list
            for item in list.records { queries.add(item.query, of: item.className) }
            return record.queries == queries
        }
    }

    /// Returns whether the file has an identity on the server.
    package func isAttached() throws(UpstreamError) -> Bool {
        try UpstreamError.converting { () throws(StoreError) in
            try UpstreamRecord(try store.snapshot())
        } != nil
    }

    /// Sets another address of the same server, such as one after a failover.
    ///
    /// The next cycle checks that the server has the history that the file knows.
    package func move(to address: String) throws(UpstreamError) {
        guard try record().address != address else { return }
        connection = nil
        let subset = try Subset(try snapshot())
        try update { transaction throws(UpstreamError) in
            var record = try Upstream.record(in: transaction)
            // Each update begins the capture at its own version.
            try collect(&record, subset, in: transaction)
            record.address = address
            return record
        }
    }

    // MARK: State

    /// Returns the state of the attachment.
    ///
    /// - Throws: ``UpstreamError`` with `state` if the file is not attached.
    package func record() throws(UpstreamError) -> UpstreamRecord {
        let record = try UpstreamError.converting { () throws(StoreError) in
            try UpstreamRecord(try store.snapshot())
        }
        guard let record else { throw Upstream.notAttached }
        return record
    }

    static let notAttached = UpstreamError(
        .state, "the file is not attached to a server",
        remedy: "attach it with: firn sync attach FILE URL")

    /// Returns the number of changes that the server does not have.
    ///
    /// Several changes of an object since the last cycle count once.
    package func pendingCount() throws(UpstreamError) -> Int {
        try UpstreamError.converting { () throws(StoreError) in
            let newest = try store.snapshot()
            guard let record = try UpstreamRecord(newest) else { return 0 }
            return try Outgoing.all(in: newest).count { $0.sequence > record.lastAcknowledged }
                + uncapturedCount(record, in: newest)
        }
    }

    /// Returns the number of objects that changed since the last capture.
    private func uncapturedCount(
        _ record: UpstreamRecord, in newest: Snapshot
    ) throws(StoreError) -> Int {
        guard record.captured < newest.version else { return 0 }
        let captured = try store.snapshot(at: .number(record.captured))
        let changes = try store.changes(from: captured, to: newest)
        return record.queries.classes.keys.reduce(0) { sum, name in
            guard let id = newest.schema.classNamed(name)?.id, let found = changes.classes[id]
            else { return sum }
            return sum + found.created.count + found.modified.count + found.deleted.count
        }
    }

    /// Runs a transaction that changes the state, and freezes the version that it makes.
    ///
    /// - Parameter body: Returns the new state, or `nil` to change nothing.
    func update(
        _ body: (WriteTransaction) throws(UpstreamError) -> UpstreamRecord?
    ) throws(UpstreamError) {
        let transaction = try UpstreamError.converting { () throws(StoreError) in
            try store.beginWrite(waitNanoseconds: Upstream.waitNanoseconds)
        }
        var record: UpstreamRecord
        refusalsOfCapture = []
        do throws(UpstreamError) {
            // The capture opens versions that another process may have committed just now.
            try UpstreamError.converting { () throws(StoreError) in try transaction.waitForBase() }
            guard let changed = try body(transaction) else { return transaction.rollback() }
            record = changed
        } catch {
            transaction.rollback()
            throw error
        }
        // The transaction's own version: its changes come from the server or are not data, so that
        // they are not captured.
        try UpstreamError.converting { () throws(StoreError) in
            // After an error; a committed transaction is at its end already.
            defer { transaction.rollback() }
            let name = UpstreamRecord.freezeName
            if try transaction.base.freeze(named: name) != nil { try transaction.dropFreeze(name) }
            record.captured = try transaction.freezeResult(name: name).version
            try record.write(in: transaction, path: path)
            _ = try transaction.commit()
            let newest = try? store.snapshot()
            lastCapture = newest?.version == record.captured ? newest : nil
        }
        refusals += refusalsOfCapture
    }

    static let waitNanoseconds: UInt64 = 60 * 1_000_000_000
}
