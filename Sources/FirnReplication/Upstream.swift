import FirnEngine
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
    /// Receives the class and the number of rows while a subset is read completely.
    package var progress: (String, Int) -> Void = { _, _ in }
    var connection: PostgresConnection?
    /// The time of the last pruning by this program, on the monotonic clock.
    var lastPruning: UInt64?

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
        package var pushed: Int64 = 0
        /// The objects of the file that the server changed.
        package var pulled = 0
        /// The transactions that the server refused, with the reasons.
        package var refused: [Refusal] = []

        package init() {}

        package var isEmpty: Bool { pushed == 0 && pulled == 0 && refused.isEmpty }
    }

    /// A transaction that the server refused.
    package struct Refusal: Hashable, Sendable {
        package let objects: [String]
        package let reason: String
    }

    // MARK: Attachment

    /// Attaches a file to a server, which has to be prepared.
    ///
    /// - Parameters:
    ///   - address: A connection string or URL without a password.
    ///   - client: A new random identity.
    /// - Throws: ``UpstreamError`` with `state` if the file is attached already, and the errors of
    ///   connecting.
    package func attach(_ address: String, client: FirnValues.UUID) throws(UpstreamError) {
        let connection = try PostgresConnection(address, isStopped: isStopped)
        try register(client, connection)
        try update { transaction throws(UpstreamError) in
            let old = try UpstreamError.converting { () throws(StoreError) in
                try UpstreamRecord(transaction.base)
            }
            if let old {
                throw UpstreamError(
                    .state, "the file is attached to \(old.address)",
                    remedy: "detach it first: firn sync detach FILE")
            }
            return UpstreamRecord(address: address, client: client, captured: .zero)
        }
    }

    private func register(
        _ client: FirnValues.UUID, _ connection: PostgresConnection
    ) throws(UpstreamError) {
        _ = try ServerState(connection, client: client)
        try connection.query(
            "INSERT INTO firn.client (client_id) VALUES ($1) ON CONFLICT DO NOTHING",
            [client.description])
    }

    /// Detaches the file; its objects stay, its outgoing changes are dropped.
    package func detach() throws(UpstreamError) {
        _ = try record()
        try UpstreamError.converting { () throws(StoreError) in
            let transaction = try store.beginWrite()
            for table in [InternalTable.outgoing, .rejected, .staged, .upstream] {
                try table.remove(in: transaction, path: path)
            }
            if try transaction.base.freeze(named: UpstreamRecord.freezeName) != nil {
                try transaction.dropFreeze(UpstreamRecord.freezeName)
            }
            _ = try transaction.commit()
        }
    }

    /// The ways to go on after the server has lost or forgotten what the file knows.
    package enum ResetMode: Hashable, Sendable {
        /// Uploads all objects of the file again, as if they had just changed.
        case recover
        /// Takes the objects of the server, and drops the changes that it does not have.
        case discard
    }

    /// Begins again under a new identity; the next cycle reads the subset completely.
    package func reset(_ mode: ResetMode, client: FirnValues.UUID) throws(UpstreamError) {
        if mode == .recover { try captureIfPossible() }
        let old = try record()
        let connection = try PostgresConnection(old.address, isStopped: isStopped)
        try register(client, connection)
        self.connection = nil
        try update { transaction throws(UpstreamError) in
            var record = old
            record.client = client
            record.epoch = ""
            record.token = ""
            let known = record.queries
            record.queries = SubscribedQueries()
            var kept: [Outgoing] = []
            try UpstreamError.converting { () throws(StoreError) in
                for change in try Outgoing.all(in: transaction.base) {
                    try change.delete(in: transaction, path: path)
                    if change.kind == .delete, change.sequence > old.lastAcknowledged {
                        kept.append(change)
                    }
                }
            }
            record.lastSequence = 0
            record.lastAcknowledged = 0
            switch mode {
            case .discard: for name in known.classes.keys { record.queries.beginCapture(of: name) }
            case .recover where !kept.isEmpty:
                // Deletions cannot be seen from the objects of the file.
                record.lastSequence = 1
                try UpstreamError.converting { () throws(StoreError) in
                    for var change in kept {
                        change.sequence = 1
                        try change.write(in: transaction, path: path)
                    }
                }
            case .recover: break
            }
            return record
        }
    }

    /// Collects the deletions since the last capture, which the objects of the file do not show.
    private func captureIfPossible() throws(UpstreamError) {
        do throws(UpstreamError) {
            try capture(try Subset(try snapshot()))
        } catch {
            // The captured version is not kept: that may be why the file is reset.
            guard error.code == .resetNeeded else { throw error }
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

    /// The number of changes that the server does not have, without those not captured yet.
    package func pendingCount() throws(UpstreamError) -> Int {
        let record = try record()
        return try UpstreamError.converting { () throws(StoreError) in
            try Outgoing.all(in: try store.snapshot())
        }.count { $0.sequence > record.lastAcknowledged }
    }

    /// Runs a transaction that changes the state, and freezes the captured version.
    ///
    /// - Parameter body: Returns the new state, or `nil` to change nothing.
    func update(
        _ body: (WriteTransaction) throws(UpstreamError) -> UpstreamRecord?
    ) throws(UpstreamError) {
        let transaction = try UpstreamError.converting { () throws(StoreError) in
            try store.beginWrite(waitNanoseconds: Upstream.waitNanoseconds)
        }
        var record: UpstreamRecord
        do throws(UpstreamError) {
            guard let changed = try body(transaction) else { return transaction.rollback() }
            record = changed
        } catch {
            transaction.rollback()
            throw error
        }
        // The transaction's own version: its changes come from the server or are no data, so that
        // they are not captured. The writer lock guarantees that no commit comes between.
        let version = LSN(transaction.base.version.rawValue + 1)
        record.captured = version
        try UpstreamError.converting { () throws(StoreError) in
            try record.write(in: transaction, path: path)
            let committed = try transaction.commit()
            guard committed == version else {
                throw StoreError(
                    .corrupt, path: path,
                    detail: "the commit became version \(committed.rawValue), not "
                        + "\(version.rawValue)")
            }
            try freeze(version)
        }
    }

    private static let waitNanoseconds: UInt64 = 60 * 1_000_000_000

    /// Keeps a version readable in place of the one before.
    private func freeze(_ version: LSN) throws(StoreError) {
        let transaction = try store.beginWrite(waitNanoseconds: Upstream.waitNanoseconds)
        do throws(StoreError) {
            let name = UpstreamRecord.freezeName
            if try transaction.base.freeze(named: name) != nil { try transaction.dropFreeze(name) }
            let isNewest = transaction.base.version == version
            try transaction.freeze(name: name, at: isNewest ? nil : .number(version))
            _ = try transaction.commit()
        } catch {
            transaction.rollback()
            throw error
        }
    }
}
