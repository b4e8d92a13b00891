import FirnEngine
import FirnQuery
package import FirnValues

extension Upstream {
    /// The ways to continue after the server has lost or forgotten what the file knows.
    package enum ResetMode: Hashable, Sendable {
        /// Keeps the changes that the server does not have.
        ///
        /// If the server was restored from a backup, it also gets the objects of the file again, as
        /// of the time of the last cycle: later changes on the server prevail.
        case recover
        /// Takes the objects of the server, and drops the changes that it does not have.
        case discard
    }

    /// Starts again under a new identity; the next cycle reads the subset completely.
    ///
    /// - Throws: ``UpstreamError`` with `resetNeeded` if the changes to recover are not known any
    ///   more, and the errors of connecting. The file is then unchanged.
    package func reset(_ mode: ResetMode, client: FirnValues.UUID) throws(UpstreamError) {
        let former = try record()
        let subset = mode == .recover ? try Subset(try snapshot()) : nil
        let connection = try PostgresConnection(former.address, isStopped: isStopped)
        let state = try ServerState(connection, client: former.client)
        try register(client, connection)
        self.connection = nil
        try update { transaction throws(UpstreamError) in
            var record = try Upstream.record(in: transaction)
            let old = record
            if let subset { try collect(&record, subset, in: transaction) }
            // Also what was captured just now, and under the names that the file has now.
            let stored = try UpstreamError.converting(
                try Outgoing.all(in: try transaction.snapshot()))
            try UpstreamError.converting { () throws(StoreError) in
                for change in stored { try change.delete(in: transaction, path: path) }
            }
            record.begin(client)
            guard mode == .recover else { return record }
            var kept = try unsent(stored.filter { $0.sequence > 0 }, of: old.client, connection)
            if state.isRewound(since: old) {
                kept = try restored(old, in: transaction.base, before: kept) + kept
            }
            try write(kept, &record, in: transaction)
            return record
        }
    }

    /// Returns the transactions that the server does not have.
    ///
    /// An older copy of the file may have some that the newer one has sent: an increment would be
    /// counted twice.
    private func unsent(
        _ changes: [Outgoing], of client: FirnValues.UUID, _ connection: PostgresConnection
    ) throws(UpstreamError) -> [Outgoing] {
        let digests = Push.digests(changes)
        let found = try connection.query(
            "SELECT * FROM firn.has_sent($1, $2, $3)",
            [
                client.description, ArrayText.text(digests.map { String($0.sequence) }),
                ArrayText.text(digests.map(\.digest)),
            ])
        let sent = Set((0..<found.count).compactMap { found[$0, 0].flatMap(Int64.init) })
        return changes.filter { !sent.contains($0.sequence) }
    }

    /// Writes changes, with new numbers of their transactions.
    private func write(
        _ changes: [Outgoing], _ record: inout UpstreamRecord, in transaction: WriteTransaction
    ) throws(UpstreamError) {
        var former: Int64?
        for var change in changes {
            if change.sequence != former { record.lastSequence += 1 }
            former = change.sequence
            change.sequence = record.lastSequence
            let renumbered = change
            try UpstreamError.converting { () throws(StoreError) in
                try renumbered.write(in: transaction, path: path)
            }
        }
    }

    /// Returns the objects of the file as the last cycle left them, at its time, each in a transaction
    /// of its own.
    ///
    /// - Parameter kept: The changes that follow.
    private func restored(
        _ record: UpstreamRecord, in base: Snapshot, before kept: [Outgoing]
    ) throws(UpstreamError) -> [Outgoing] {
        let classes = SyncedClass.classes(of: base.schema).synced.filter { type in
            record.queries.classes[type.name] != nil
        }
        let refused = try UpstreamError.converting { () throws(StoreError) in try KeptState(base) }
        let capture = Capture(store, classes, nil, refused)
        var scratch = record
        var found: [Outgoing] = []
        for type in classes {
            found += try capture.everything(of: type, in: base, isLatest: true, &scratch)
                .filter { $0.refusal == nil }.map(\.change)
        }
        // What was created since has a change of its own, with its own time.
        let created = Set(kept.filter(\.kind.isCreation).map(\.object))
        found.removeAll { created.contains($0.object) }
        let time = HybridTime(
            nanosecondsSince1970: record.tokenTime * 1_000_000, after: HybridTime(0),
            client: record.client)
        let firstKept = kept.first?.id ?? time.rawValue
        for index in found.indices {
            found[index].id = firstKept - Int64(found.count - index)
            // Each has a number of its own, which no other change has.
            found[index].sequence = -Int64(found.count - index)
            found[index].time = time
            found[index].kind = .restore
        }
        return found
    }
}

extension UpstreamRecord {
    /// Forgets what the server has; the classes of the subset stay known.
    fileprivate mutating func begin(_ client: FirnValues.UUID) {
        self.client = client
        history = ""
        token = ""
        tokenTime = 0
        lastSequence = 0
        lastAcknowledged = 0
        columns.forgetNumbers()
        let known = queries.classes.keys
        queries = SubscribedQueries()
        for name in known { queries.beginCapture(of: name) }
    }
}
