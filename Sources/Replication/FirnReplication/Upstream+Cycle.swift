import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

extension Upstream {
    /// Runs one cycle: captures and sends the changes of the file, and takes the changes of the
    /// server.
    ///
    /// - Throws: ``UpstreamError``. What was done until then is durable on both sides, and the next
    ///   cycle goes on from there.
    package func synchronize() throws(UpstreamError) -> Report {
        do throws(UpstreamError) {
            return try cycle()
        } catch {
            if error.code == .unreachable || error.code == .stopped { connection = nil }
            // A table or a column that the server does not have.
            guard ["42P01", "42703"].contains(error.state ?? "") else { throw error }
            throw UpstreamError(
                .notPrepared, "the tables on the server do not fit the file: \(error.detail)",
                remedy: "run: firn sync init FILE URL")
        }
    }

    private func cycle() throws(UpstreamError) -> Report {
        var report = Report()
        let subset = try Subset(try snapshot())
        try capture(subset)
        let connection = try connected()
        try findColumns(subset, connection)
        try push(connection, &report)
        var pulls = 1
        while try !pull(connection, subset, &report) {
            guard pulls < Upstream.pullMaximum else { throw PulledRows.isShared }
            pulls += 1
        }
        try prune(connection)
        // A cycle that failed told nothing: the next one that succeeds does.
        report.refused = refusals
        refusals = []
        // An open version keeps its pages in the file, which may be compacted meanwhile.
        if report.isEmpty { lastCapture = nil }
        return report
    }

    func snapshot() throws(UpstreamError) -> DatabaseSnapshot {
        try UpstreamError.converting { () throws(StoreError) in try database.snapshot() }
    }

    func connected() throws(UpstreamError) -> PostgresConnection {
        if let connection, !connection.isBroken { return connection }
        let new = try PostgresConnection(try record().address, isStopped: isStopped)
        connection = new
        return new
    }

    // MARK: Capture

    /// Collects the changes of this file, even while the server cannot be reached.
    func capture(_ subset: Subset) throws(UpstreamError) {
        try update { transaction throws(UpstreamError) in
            var record = try Upstream.record(in: transaction)
            let before = record
            try collect(&record, subset, in: transaction)
            return record == before ? nil : record
        }
    }

    static func record(
        in transaction: WriteTransaction
    ) throws(UpstreamError) -> UpstreamRecord {
        let record = try UpstreamError.converting { () throws(StoreError) in
            try UpstreamRecord(transaction.base)
        }
        guard let record else { throw notAttached }
        return record
    }

    /// Writes the changes since the last capture to the outgoing ones.
    ///
    /// When a class gets its first subscription, the server also gets the objects that the file had at
    /// the last capture. They have no time of a change, so that rows of the server prevail.
    func collect(
        _ record: inout UpstreamRecord, _ subset: Subset, in transaction: WriteTransaction
    ) throws(UpstreamError) {
        let base = transaction.base
        try renameStored(&record, in: transaction)
        let (known, new) = (
            subset.classes.filter { record.queries.classes[$0.name] != nil },
            subset.classes.filter { record.queries.classes[$0.name] == nil }
        )
        // The changes of classes that are not subscribed any more are sent before they go.
        let former = SyncedClass.classes(of: base.schema).synced.filter { type in
            record.queries.classes[type.name] != nil
                && !subset.classes.contains { $0.name == type.name }
        }
        guard !new.isEmpty || record.captured < base.version else { return }
        let kept = try UpstreamError.converting { () throws(StoreError) in try KeptState(base) }
        let capture = Capture(store, known + former + new, lastCapture, kept)
        var collected: [Capture.Collected] = []
        if !new.isEmpty {
            let captured = try capture.snapshot(record.captured)
            for type in new {
                collected += try capture.everything(
                    of: type, in: captured, isLatest: record.prefersFile, &record)
                record.queries.beginCapture(of: type.name)
            }
        }
        collected += try capture.changes(&record, upTo: base)
        try UpstreamError.converting { () throws(StoreError) in
            for item in collected {
                if let refusal = item.refusal {
                    try item.change.reject(
                        refusal, hasKey: item.hasKey, in: transaction, path: path)
                } else {
                    try item.change.write(in: transaction, path: path)
                }
            }
        }
        refusalsOfCapture = Refusal.all(of: collected)
    }

    // MARK: Push

    private func push(
        _ connection: PostgresConnection, _ report: inout Report
    ) throws(UpstreamError) {
        var retries = 0
        var size = Push.Size()
        let snapshot = try snapshot().snapshot
        let client = try record().client
        // Read once: decoding all changes before each batch would be quadratic.
        var pending = try UpstreamError.converting { () throws(StoreError) in
            try Outgoing.all(in: snapshot)
        }
        let acknowledged = try record().lastAcknowledged
        pending = try rejectingOrphans(
            among: pending.filter { $0.sequence > acknowledged }, in: snapshot)
        while true {
            let known = try self.record()
            pending.removeAll { $0.sequence <= known.lastAcknowledged }
            guard !pending.isEmpty else { return }
            let state = try ServerState(connection, client: client)
            try state.check(known)
            // Another process may send at the same time. What it has sent is in the file, because
            // the file is read after the server.
            let newest = try self.snapshot().snapshot
            let record = try UpstreamError.converting { () throws(StoreError) in
                try UpstreamRecord(newest)
            }
            // After a reset by another process, the next cycle reads the changes again.
            guard let record, record.client == client else { return }
            try state.checkCopies(record)
            // Another process may have sent some of them since the beginning of the round.
            pending.removeAll { $0.sequence <= record.lastAcknowledged }
            if let count = try confirm(state, record, in: newest) {
                report.pushed += count
                continue
            }
            let classes = try record.columns.resolve(
                SyncedClass.classes(of: snapshot.schema).synced.filter { type in
                    record.queries.classes[type.name] != nil
                }, in: state.layout)
            let push = Push(connection, classes, client: record.client)
            do throws(UpstreamError) {
                guard
                    let outcome = try push.sendNext(
                        pending, after: record.lastAcknowledged, &size, state)
                else { return }
                try finish(outcome, pending, record, &report)
                retries = 0
            } catch {
                // Another program holds a lock. What the server has is taken meanwhile.
                if error.state == "55P03" {
                    report.delay = error.detail
                    return
                }
                // Other clients changed the same rows.
                guard error.isTransient, error.code != .unreachable, retries < 10 else {
                    throw error
                }
                retries += 1
            }
        }
    }

    /// Records a batch whose acknowledgement was lost, or has not been stored yet.
    ///
    /// - Returns: The number of its transactions; `nil` if there is none.
    func confirm(
        _ state: ServerState, _ record: UpstreamRecord, in newest: Snapshot
    ) throws(UpstreamError) -> Int? {
        guard let last = state.lastSequence, last > record.lastAcknowledged else { return nil }
        let pending = try UpstreamError.converting(try Outgoing.all(in: newest))
            .filter { $0.sequence > record.lastAcknowledged }
        guard Push.digest(pending.filter { $0.sequence == last }) == state.digest else {
            throw UpstreamError.copied
        }
        try acknowledge(through: last)
        return Set(pending.map(\.sequence)).count { $0 <= last }
    }

    private func finish(
        _ outcome: Push.Outcome, _ pending: [Outgoing], _ record: UpstreamRecord,
        _ report: inout Report
    ) throws(UpstreamError) {
        switch outcome {
        case .applied(let through, let count, let collisions):
            try acknowledge(through: through, keeping: collisions)
            report.pushed += count
            report.collisions += collisions.map { "\($0.className) \($0.key)" }
        case .refused(let sequence, let reason):
            let refused = pending.filter { $0.sequence == sequence }
            try acknowledge(through: sequence, refusing: refused, reason)
            refusals.append(Refusal(refused, reason))
        }
    }

    private func acknowledge(
        through sequence: Int64, refusing refused: [Outgoing] = [], _ reason: String = "",
        keeping collisions: [Outgoing] = []
    ) throws(UpstreamError) {
        // Not an update of the captured version: local changes may have come meanwhile.
        try UpstreamError.converting { () throws(StoreError) in
            let transaction = try store.beginWrite()
            do throws(StoreError) {
                guard var record = try UpstreamRecord(transaction.base) else {
                    return transaction.rollback()
                }
                record.lastAcknowledged = max(record.lastAcknowledged, sequence)
                try record.write(in: transaction, path: path)
                for change in refused {
                    try change.reject(reason, in: transaction, path: path)
                }
                for change in collisions {
                    try change.keep(Push.collisionReason, in: transaction, path: path)
                }
                _ = try transaction.commit()
            } catch {
                transaction.rollback()
                throw error
            }
        }
    }

    // MARK: Pull

    /// The number of pulls of a cycle, if other processes pull at the same time.
    private static let pullMaximum = 4

    /// Takes the changes of the server.
    ///
    /// - Returns: Whether they were applied. They are not if another process has applied others
    ///   since they were read, which may be newer.
    private func pull(
        _ connection: PostgresConnection, _ subset: Subset, _ report: inout Report
    ) throws(UpstreamError) -> Bool {
        let record = try record()
        let snapshot = try snapshot().snapshot
        let sent = try UpstreamError.converting { () throws(StoreError) in
            try Outgoing.all(in: snapshot)
        }.filter { $0.sequence <= record.lastAcknowledged }
        var pull = Pull(
            connection, store, subset, record, memoryMaximum: memoryMaximum)
        let result: Pull.Result
        do throws(UpstreamError) {
            result = try pull.read(sent: sent, progress)
        } catch {
            guard error.detail == UpstreamError.columnsChanged.detail else { throw error }
            try findColumns(subset, connection, isForced: true)
            try push(connection, &report)
            return false
        }
        let time = try noteArrival(of: result, sent, subset, record, connection)
        var changed = 0
        var isNewest = true
        let (client, lastPull) = (record.client, record.tokenTime)
        try update { transaction throws(UpstreamError) in
            var record = try Upstream.record(in: transaction)
            let before = record
            isNewest = before.client == client && before.tokenTime == lastPull
            guard isNewest else { return nil }
            try collect(&record, subset, in: transaction)
            let applied = try apply(result, subset, sent, &record, in: transaction)
            changed = applied.changedCount
            report.skipped = applied.skipped
            // The number 0 marks what was refused.
            report.removed = sent.filter {
                $0.sequence > 0 && $0.kind.isCreation
                    && applied.removedObjects.contains($0.object)
                    && !result.deleted.contains($0.object)
            }.map { "\($0.className) \($0.key)" }
            report.replaced = applied.comparison.differences.map(\.replaced)
            record.history = result.state.history
            record.clock = max(record.clock, result.rows.latest)
            record.queries = subset.queries
            let hasChanged = record != before || changed > 0 || !sent.isEmpty
            if let time, hasChanged || isDue(result.state, record) {
                record.token = result.state.visible.description
                record.tokenTime = time
            }
            return hasChanged || record != before ? record : nil
        }
        if result.rows.hasStaged { try PulledRows.discardStaged(in: store) }
        report.pulled += changed
        return isNewest
    }

    /// Tells the server that the file is about to store what was read, if that changes the file.
    ///
    /// The transactions of a server end in the order of its log. One that lacks this note, such as a
    /// standby that took over, may also lack what the file has seen; see ``ServerState/check(_:)``.
    ///
    /// - Returns: The time of the pull; `nil` if the server need not know of it.
    private func noteArrival(
        of result: Pull.Result, _ sent: [Outgoing], _ subset: Subset, _ record: UpstreamRecord,
        _ connection: PostgresConnection
    ) throws(UpstreamError) -> Int64? {
        guard
            !result.rows.isEmpty || !sent.isEmpty || record.history != result.state.history
                || record.queries != subset.queries || isDue(result.state, record)
        else { return nil }
        let fingerprint = result.rows.fingerprint
        // Rows that change nothing here are read each time until the token moves on.
        if let lastArrival, lastArrival.fingerprint == fingerprint,
            lastArrival.time > record.tokenTime, lastArrival.time == result.state.lastPull
        {
            return lastArrival.time
        }
        let time = max(wallMilliseconds, record.tokenTime + 1)
        try connection.query(
            "SELECT firn.pulled($1, $2)", [record.client.description, String(time)])
        lastArrival = (time, fingerprint)
        return time
    }

    private var wallMilliseconds: Int64 {
        let time = store.services.clock.wallTime()
        return time.seconds * 1000 + Int64(time.nanoseconds / 1_000_000)
    }

    /// Whether a newer token is worth a separate commit.
    private func isDue(_ state: ServerState, _ record: UpstreamRecord) -> Bool {
        guard let old = TransactionSnapshot(record.token) else { return true }
        let new = state.visible
        return new.next > old.next && new.next - old.next > Upstream.transactionMaximum
            || new != old
                && wallMilliseconds - record.tokenTime > Upstream.tokenMilliseconds
    }

    /// The minimum age of a token for which a newer one is worth a separate commit: a day, far
    /// below the time for which the server keeps changes.
    private static let tokenMilliseconds: Int64 = 86_400_000

    /// The minimum number of transactions for which a newer token is worth a separate commit.
    private static let transactionMaximum: UInt64 = 10_000

    /// Removes what the server need not keep, at most once an hour.
    private func prune(_ connection: PostgresConnection) throws(UpstreamError) {
        let now = store.services.clock.monotonicNanoseconds()
        if let lastPruning, now < lastPruning &+ 3_600_000_000_000 { return }
        lastPruning = now
        try connection.query("SELECT firn.prune()")
    }

    private func apply(
        _ result: Pull.Result, _ subset: Subset, _ sent: [Outgoing],
        _ record: inout UpstreamRecord, in transaction: WriteTransaction
    ) throws(UpstreamError) -> LocalApply {
        // Also what was captured just now, and under the names that the file has now.
        let stored = try UpstreamError.converting(
            try Outgoing.all(in: try transaction.snapshot()))
        // Changes that another process has sent since the rows were read are not in them.
        let read = Set(sent.map(\.id))
        let pending = stored.filter { $0.sequence > 0 && !read.contains($0.id) }
        let local = try UpstreamError.converting { () throws(StoreError) in
            try LocalApply(transaction, pending: pending, sent: sent, path: path)
        }
        try local.apply(
            result.rows, result.classes, complete: result.complete, in: transaction.base)
        local.noteDeletions(result.deleted)
        for type in SyncedClass.classes(of: transaction.base.schema).synced
        where record.queries.classes[type.name] != nil
            && subset.queries.classes[type.name] == nil
        {
            try local.removeAll(of: type, in: transaction.base)
        }
        try UpstreamError.converting { () throws(StoreError) in
            for change in sent { try change.delete(in: transaction, path: path) }
            for difference in local.comparison.differences {
                var change = difference.change
                change.kind = .update
                try change.reject(
                    difference.replaced.reason, hasKey: false, in: transaction, path: path)
            }
        }
        return local
    }
}
