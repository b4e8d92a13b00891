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
    fileprivate static let changeMaximum = 5000

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
        ///
        /// Others had created the objects of the collisions, with other values.
        case applied(through: Int64, count: Int, collisions: [Outgoing])
        /// The server refuses this transaction.
        case refused(sequence: Int64, reason: String)
    }

    /// The number of transactions of the next batch.
    ///
    /// It is halved until a batch is accepted or its only transaction refused, and grows again after
    /// that: many refusals do not cost a large batch each.
    struct Size {
        private(set) var count = Push.changeMaximum

        mutating func shrink(from count: Int) { self.count = max(1, count / 2) }
        mutating func grow() { count = min(Push.changeMaximum, count * 4) }
    }

    /// Sends the first of some changes, which are in order.
    ///
    /// - Returns: `nil` if there are none.
    func sendNext(
        _ changes: [Outgoing], after last: Int64, _ size: inout Size, _ state: ServerState
    ) throws(UpstreamError) -> Outcome? {
        guard let first = changes.first else { return nil }
        while true {
            let batch = Push.batch(changes, transactionCount: size.count)
            do throws(UpstreamError) {
                let outcome = try send(batch, after: last, state)
                size.grow()
                return outcome
            } catch {
                guard error.isRefusal else { throw error }
                if error.state == "42501", let missing = try missingRight(for: batch) {
                    throw missing
                }
                let count = Set(batch.map(\.sequence)).count
                size.shrink(from: count)
                // One transaction of the batch is the reason: without the others, it is the only one.
                guard count == 1 else { continue }
                try refuse(batch, after: last, error.detail)
                return .refused(sequence: first.sequence, reason: error.detail)
            }
        }
    }

    /// Returns the whole transactions of the first batch.
    ///
    /// - Parameter maximum: the number of transactions of objects that the file had before; others
    ///   are locked for too long if there are many.
    private static func batch(_ changes: [Outgoing], transactionCount maximum: Int) -> [Outgoing] {
        var transactions = 0
        var others = 0
        var last: Int64?
        for (index, change) in changes.enumerated() where change.sequence != last {
            transactions += 1
            if !change.kind.isState, change.kind != .fill { others += 1 }
            last = change.sequence
            if transactions > maximum || others > transactionMaximum || index >= changeMaximum {
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

    /// Returns the error of a right that this user lacks on a whole table; `nil` if there is none.
    ///
    /// It is not a reason to refuse what was typed: the changes wait until the right is granted.
    private func missingRight(for batch: [Outgoing]) throws(UpstreamError) -> UpstreamError? {
        var rights: [(String, String)] = []
        for (name, type) in classes.sorted(by: { $0.key < $1.key }) {
            let kinds = Set(batch.lazy.filter { $0.className == name }.map(\.kind))
            guard !kinds.isEmpty else { continue }
            // The rows are locked before they are changed.
            rights += [(type.table, "SELECT"), (type.table, "UPDATE")]
            if kinds.contains(where: \.isCreation) { rights.append((type.table, "INSERT")) }
            if kinds.contains(.delete) { rights.append((type.table, "DELETE")) }
        }
        for (table, right) in rights {
            // A right can be granted for columns, except that to delete.
            let test = right == "DELETE" ? "has_table_privilege" : "has_any_column_privilege"
            let found = try connection.query(
                "SELECT current_user, \(test)($1, $2)", [table, right])
            guard found[0, 1] == "f" else { continue }
            let user = SQLText.name(found[0, 0] ?? "")
            return UpstreamError(
                .permission, "the user \(user) has no right to \(right) on \(table)",
                remedy: "let its owner run: GRANT \(right) ON \(table) TO \(user)", state: "42501")
        }
        return nil
    }

    // MARK: Transactions

    private func send(
        _ batch: [Outgoing], after last: Int64, _ state: ServerState
    ) throws(UpstreamError) -> Outcome {
        let through = batch.last?.sequence ?? last
        let collisions = try connection.transaction { () throws(UpstreamError) in
            try claim(batch, from: last, to: through)
            var rows = try ServerRows(connection, batch, classes, state.layout)
            for change in batch { try rows.apply(change) }
            try rows.write()
            for collision in rows.collisions { try note(collision, Push.collisionReason) }
            return rows.collisions
        }
        return .applied(
            through: through, count: Set(batch.map(\.sequence)).count, collisions: collisions)
    }

    /// The reason recorded for the creation of an object that another file also created.
    static let collisionReason =
        "another file created the object as well, with other values: each property has the later one"

    /// Advances the last batch of this file, and fails if it is not the expected one.
    ///
    /// The server remembers the transactions, except for states, which sending again does not change.
    private func claim(
        _ batch: [Outgoing], from last: Int64, to next: Int64
    ) throws(UpstreamError) {
        try connection.query(
            "SELECT set_config('firn.client', $1, true)", [client.description])
        let sent = Push.digests(batch.filter { !$0.kind.isState && $0.kind != .fill })
        let claimed = try connection.query(
            "SELECT firn.claim($1, $2, $3, $4, $5, $6)",
            [
                client.description, String(last), String(next),
                Push.digest(batch.filter { $0.sequence == next }),
                ArrayText.text(sent.map { String($0.sequence) }),
                ArrayText.text(sent.map(\.digest)),
            ])
        guard claimed[0, 0] == "t" else {
            // Another process that replicates the same file was faster: the next cycle sees it.
            throw UpstreamError(
                .server, "another process is replicating this file", state: "40001")
        }
    }

    /// Returns the digest of each transaction.
    static func digests(_ changes: [Outgoing]) -> [(sequence: Int64, digest: String)] {
        var digests: [(sequence: Int64, digest: String)] = []
        var start = 0
        while start < changes.count {
            let sequence = changes[start].sequence
            let end = changes[start...].firstIndex { $0.sequence != sequence } ?? changes.count
            digests.append((sequence, digest(changes[start..<end])))
            start = end
        }
        return digests
    }

    /// Records that a transaction was refused, so that the next one can follow.
    private func refuse(
        _ transaction: [Outgoing], after last: Int64, _ reason: String
    ) throws(UpstreamError) {
        let sequence = transaction.last?.sequence ?? last
        try connection.transaction { () throws(UpstreamError) in
            try claim(transaction, from: last, to: sequence)
            for change in transaction {
                try note(change, reason)
            }
        }
    }

    /// Records a change on the server, for people.
    private func note(_ change: Outgoing, _ reason: String) throws(UpstreamError) {
        try connection.query(
            "SELECT firn.refuse($1, $2, $3, $4, $5, $6)",
            [
                client.description, String(change.sequence), change.className, change.key, reason,
                change.content,
            ])
    }
}
