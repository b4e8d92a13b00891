import FirnCodec
import FirnEngine
import FirnValues

/// Sends changes of the file to the server.
///
/// A batch is one transaction of the server. Its first statement moves `last_seq` of this file from
/// the last batch to this one, so that a batch whose acknowledgement was lost is not applied twice.
struct Push {
    private let connection: PostgresConnection
    private let classes: TextMap<SyncedClass>
    private let client: FirnValues.UUID

    /// The limits of a batch, in transactions and in changes.
    private static let transactionMaximum = 100
    private static let changeMaximum = 5000

    init(
        _ connection: PostgresConnection, _ classes: [SyncedClass], client: FirnValues.UUID
    ) {
        self.connection = connection
        self.classes = TextMap(classes.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        self.client = client
    }

    /// The result of sending a batch.
    enum Outcome {
        /// The server has all changes up to this transaction; `count` transactions were sent.
        case applied(through: Int64, count: Int)
        /// The server refuses this transaction.
        case refused(sequence: Int64, reason: String)
    }

    /// Sends the first of some changes, which are in order.
    ///
    /// - Returns: `nil` if there are none.
    func sendNext(
        _ changes: [Outgoing], after last: Int64, _ state: ServerState
    ) throws(UpstreamError) -> Outcome? {
        guard let first = changes.first else { return nil }
        let batch = Push.batch(changes)
        do {
            return try send(batch, after: last, state)
        } catch {
            guard error.isCausedByData else { throw error }
            // One transaction of the batch is the reason: without the others, it is the only one.
            let single = batch.filter { $0.sequence == first.sequence }
            guard single.count < batch.count else {
                try refuse(single, after: last, error.detail)
                return .refused(sequence: first.sequence, reason: error.detail)
            }
            do { return try send(single, after: last, state) } catch {
                guard error.isCausedByData else { throw error }
                try refuse(single, after: last, error.detail)
                return .refused(sequence: first.sequence, reason: error.detail)
            }
        }
    }

    /// Returns the whole transactions of the first batch.
    private static func batch(_ changes: [Outgoing]) -> [Outgoing] {
        var transactions = 0
        var last: Int64?
        for (index, change) in changes.enumerated() where change.sequence != last {
            transactions += 1
            last = change.sequence
            if transactions > transactionMaximum || index >= changeMaximum {
                return Array(changes[..<index])
            }
        }
        return changes
    }

    /// Returns a number that identifies the content of a transaction.
    static func digest(_ changes: some Sequence<Outgoing>) -> String {
        var bytes: [UInt8] = []
        for change in changes {
            bytes.append(contentsOf: "\(change.id) \(change.className) \(change.key)".utf8)
            bytes.append(contentsOf: PropertyCoding.bytes(change.properties))
        }
        let hash = bytes.withUnsafeBytes { Checksum.xxh64($0, seed: 0) }
        return String(hash, radix: 16)
    }

    // MARK: Transactions

    private func send(
        _ batch: [Outgoing], after last: Int64, _ state: ServerState
    ) throws(UpstreamError) -> Outcome {
        let through = batch.last?.sequence ?? last
        try connection.transaction { () throws(UpstreamError) in
            try claim(batch.filter { $0.sequence == through }, from: last, to: through)
            var rows = try ServerRows(connection, batch, classes, state)
            for change in batch { try rows.apply(change) }
            try rows.write()
        }
        return .applied(through: through, count: Set(batch.map(\.sequence)).count)
    }

    /// Moves the last batch of this file on, which fails if it is not the expected one.
    private func claim(
        _ transaction: [Outgoing], from last: Int64, to next: Int64
    ) throws(UpstreamError) {
        try connection.query(
            "SELECT set_config('firn.client', $1, true)", [client.description])
        let claimed = try connection.query(
            """
            UPDATE firn.client SET last_seq = $2, last_digest = $4, last_seen = now()
            WHERE client_id = $1 AND last_seq = $3
            """, [client.description, String(next), String(last), Push.digest(transaction)])
        guard claimed.changedCount == 1 else {
            // Another process that replicates the same file was faster: the next cycle sees it.
            throw UpstreamError(
                .server, "another process replicates this file at the same time", state: "40001")
        }
    }

    /// Records that a transaction was refused, so that the next one can follow.
    private func refuse(
        _ transaction: [Outgoing], after last: Int64, _ reason: String
    ) throws(UpstreamError) {
        let sequence = transaction.last?.sequence ?? last
        try connection.transaction { () throws(UpstreamError) in
            try claim(transaction, from: last, to: sequence)
            for change in transaction {
                try connection.query(
                    """
                    INSERT INTO firn.rejected (client_id, seq, class, pk, reason)
                    VALUES ($1, $2, $3, $4, $5)
                    """,
                    [client.description, String(sequence), change.className, change.key, reason])
            }
        }
    }
}
