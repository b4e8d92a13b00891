import FirnValues

/// The state of the server, and of this file on it, in one snapshot.
struct ServerState {
    /// The epoch and the identity of the cluster; each of them changes with the history of changes.
    ///
    /// A dump that was restored into another cluster has the epoch of the former one, and numbers its
    /// transactions differently.
    let history: String
    /// The oldest transaction that is known, as a number.
    let horizon: UInt64
    /// The transactions that are visible.
    let visible: TransactionSnapshot
    /// The last batch of this file; `nil` if the server does not know the file.
    let lastSequence: Int64?
    /// The time of the last pull of this file, by its own clock; `nil` if the server has not
    /// recorded any since it has been able to.
    let lastPull: Int64?
    let digest: String?
    /// The tables of all classes.
    let layout: ServerLayout
    /// The time of the server, in milliseconds since 1970.
    let milliseconds: Int64

    /// Reads the state.
    ///
    /// - Throws: ``UpstreamError`` with `notPrepared` if the server lacks the tables.
    init(_ connection: PostgresConnection, client: FirnValues.UUID) throws(UpstreamError) {
        let rows: PostgresRows
        do throws(UpstreamError) {
            rows = try connection.query(
                """
                SELECT m.epoch::text, m.format::text, m.horizon::text,
                    pg_current_snapshot()::text, c.last_seq::text, c.last_digest,
                    floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint,
                    c.pulled::text, s.system_identifier::text
                FROM pg_control_system() s, firn.meta m, firn.state($1) c
                """, [client.description])
        } catch {
            throw ServerState.unprepared(error)
        }
        guard rows.count == 1, let epoch = rows[0, 0], let format = rows[0, 1].flatMap(Int.init),
            let horizon = rows[0, 2].flatMap(UInt64.init),
            let visible = rows[0, 3].flatMap(TransactionSnapshot.init),
            let milliseconds = rows[0, 6].flatMap(Int64.init), let cluster = rows[0, 8]
        else {
            throw UpstreamError(
                .notPrepared, "the schema firn on the server is incomplete",
                remedy: "run: firn sync init FILE URL")
        }
        guard format == ServerScript.format else {
            throw UpstreamError(
                .notPrepared,
                "the tables on the server have format \(format), and this firn knows "
                    + "\(ServerScript.format)",
                remedy: format > ServerScript.format
                    ? "use a newer firn" : "run: firn sync init FILE URL")
        }
        history = "\(epoch)/\(cluster)"
        self.horizon = horizon
        self.visible = visible
        lastSequence = rows[0, 4].flatMap(Int64.init)
        lastPull = rows[0, 7].flatMap(Int64.init)
        digest = rows[0, 5]
        self.milliseconds = milliseconds
        layout = try ServerLayout(connection)
    }

    /// Returns the error of a server that lacks the tables from which the state is read.
    private static func unprepared(_ error: UpstreamError) -> UpstreamError {
        // No schema, table, column or function of that name.
        guard ["3F000", "42P01", "42703", "42883"].contains(error.state ?? "") else { return error }
        return UpstreamError(
            .notPrepared, "the server is not prepared for replication: \(error.detail)",
            remedy: "run: firn sync init FILE URL")
    }

    /// Checks that no copy of this file has sent batches under the same identity.
    ///
    /// - Parameter record: The state of the file after that of the server was read: a batch that it
    ///   does not know does not come from another process.
    func checkCopies(_ record: UpstreamRecord) throws(UpstreamError) {
        if let lastSequence, lastSequence > record.lastSequence { throw UpstreamError.copied }
    }

    /// Checks that the server still has what this file knows of it.
    ///
    /// - Parameter record: The state of the file before that of the server was read: a batch that
    ///   another process sends meanwhile does not look as if the server had lost it.
    func check(_ record: UpstreamRecord) throws(UpstreamError) {
        func reset(_ reason: String) -> UpstreamError {
            UpstreamError(
                .resetNeeded, reason,
                remedy: "go on with what was not sent: firn sync reset FILE; or without it: firn "
                    + "sync reset FILE --discard")
        }
        guard let lastSequence else {
            throw reset("the server does not know this file any more")
        }
        guard lastSequence >= record.lastAcknowledged else {
            throw reset(
                "the server has lost transactions \(lastSequence + 1) to \(record.lastAcknowledged) "
                    + "of this file: it was restored from a backup")
        }
        guard continues(record) else {
            throw reset("the server has another history than the one that this file knows")
        }
        guard (lastPull ?? .max) >= record.tokenTime else {
            throw reset(
                "the server has lost the last transactions that this file has seen: it was restored "
                    + "from a backup, or replaced by a standby that did not have them yet")
        }
        if let token = TransactionSnapshot(record.token), token.oldest < horizon {
            throw reset("this file was offline for longer than the server keeps changes")
        }
    }

    /// Whether the history is the history that a file knows.
    private func continues(_ record: UpstreamRecord) -> Bool {
        // Files from before format 3 know the epoch only.
        history.hasPrefix(record.history)
    }

    /// Whether the server has lost what this file sent or has seen, as after the restoration of a
    /// backup.
    func isRewound(since record: UpstreamRecord) -> Bool {
        guard continues(record), let lastSequence else { return true }
        return lastSequence < record.lastAcknowledged || (lastPull ?? .max) < record.tokenTime
    }
}
