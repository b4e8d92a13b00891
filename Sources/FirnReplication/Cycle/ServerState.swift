import FirnValues

/// The state of the server, and of this file on it, in one snapshot.
struct ServerState {
    let epoch: String
    /// The oldest transaction that is known, as a number.
    let horizon: UInt64
    /// The oldest transaction that was running; all before are visible.
    let runningFrom: UInt64
    /// The last batch of this file; `nil` if the server does not know the file.
    let lastSequence: Int64?
    let digest: String?
    /// The numbers of the classes by name.
    let classes: [String: Int]
    /// The rules of the classes by name.
    let rules: [String: ConflictRules]
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
                    pg_snapshot_xmin(pg_current_snapshot())::text, c.last_seq::text, c.last_digest,
                    floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
                FROM firn.meta m LEFT JOIN firn.client c ON c.client_id = $1
                """, [client.description])
        } catch {
            throw ServerState.unprepared(error)
        }
        guard rows.count == 1, let epoch = rows[0, 0], let format = rows[0, 1].flatMap(Int.init),
            let horizon = rows[0, 2].flatMap(UInt64.init),
            let running = rows[0, 3].flatMap(UInt64.init),
            let milliseconds = rows[0, 6].flatMap(Int64.init)
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
        self.epoch = epoch
        self.horizon = horizon
        runningFrom = running
        lastSequence = rows[0, 4].flatMap(Int64.init)
        digest = rows[0, 5]
        self.milliseconds = milliseconds
        let numbers = try connection.query(
            "SELECT name, number, conflicts, counters FROM firn.class")
        var classes: [String: Int] = [:]
        var rules: [String: ConflictRules] = [:]
        for row in 0..<numbers.count {
            guard let name = numbers[row, 0], let number = numbers[row, 1].flatMap(Int.init)
            else { continue }
            classes[name] = number
            let counters = numbers[row, 3].flatMap(ArrayText.elements) ?? []
            rules[name] = ConflictRules(
                numbers[row, 2].flatMap(ConflictRules.Mode.init),
                counters: Set(counters.compactMap(\.self)))
        }
        self.classes = classes
        self.rules = rules
    }

    private static func unprepared(_ error: UpstreamError) -> UpstreamError {
        // No schema, table or column of that name.
        guard ["3F000", "42P01", "42703"].contains(error.state ?? "") else { return error }
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
        guard record.epoch.isEmpty || record.epoch == epoch else {
            throw reset("the server has another history than the one that this file knows")
        }
        if let token = UInt64(record.token), token < horizon {
            throw reset("this file was offline for longer than the server keeps changes")
        }
    }
}
