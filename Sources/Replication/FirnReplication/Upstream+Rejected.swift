import FirnEngine
import FirnQuery
import FirnValues

extension Upstream {
    /// A transaction that the server refused, or values that it replaced.
    package struct Rejected: Sendable {
        /// The number by which the transaction is chosen; it stays the same.
        package let number: UInt64
        package let reason: String
        package let changes: [Change]

        /// The change to one object.
        package struct Change: Sendable {
            package let className: String
            package let key: String
            /// `created`, `changed`, `deleted` or `kept`.
            package let verb: String
            /// The time of the change, in milliseconds since 1970.
            package let milliseconds: Int64
            package let properties: [Property]
        }

        /// The value of a property; `nil` is nil.
        package struct Property: Sendable {
            package let name: String
            package let value: String?
            /// The value that the change replaced, or that the server had.
            package let other: String??
        }
    }

    /// Returns what the server refused or replaced, oldest first.
    package func rejected() throws(UpstreamError) -> [Rejected] {
        try UpstreamError.converting { () throws(StoreError) in
            try RejectedTransaction.all(in: try store.snapshot())
        }.map { item in
            Rejected(
                number: item.number, reason: item.reason,
                changes: item.changes.map(Rejected.Change.init))
        }
    }

    /// Returns the changes of transactions as lines of JSON, with all values.
    ///
    /// - Parameter numbers: The transactions; by default all.
    package func rejectedLines(_ numbers: Set<UInt64>? = nil) throws(UpstreamError) -> [String] {
        try UpstreamError.converting { () throws(StoreError) in
            let snapshot = try store.snapshot()
            let json = RejectedJSON(snapshot.schema)
            return try RejectedTransaction.all(in: snapshot)
                .filter { numbers?.contains($0.number) ?? true }
                .flatMap { item in
                    item.changes.map { json.line($0, item, verb: $0.verb) }
                }
        }
    }

    /// Forgets transactions.
    package func dropRejected(_ numbers: Set<UInt64>) throws(UpstreamError) {
        try UpstreamError.converting { () throws(StoreError) in
            try store.write { transaction throws(StoreError) in
                for item in try RejectedTransaction.all(in: transaction.base)
                where numbers.contains(item.number) {
                    try item.remove(in: transaction, path: path)
                }
            }
        }
    }

    /// Repeats the changes of a transaction, so that the next cycle sends them.
    ///
    /// - Throws: ``UpstreamError`` with `conflict` if an object to change does not exist any more, or
    ///   with `schema` if its class does not. Nothing is changed then.
    package func retryRejected(_ number: UInt64) throws(UpstreamError) {
        let item = try UpstreamError.converting { () throws(StoreError) in
            try RejectedTransaction.all(in: try store.snapshot()).first { $0.number == number }
        }
        guard let item else {
            throw UpstreamError(
                .state, "there is no rejected transaction \(number)",
                remedy: "see the numbers with: firn sync rejected FILE")
        }
        if item.changes.allSatisfy(\.kind.isState) { return try sendAgain(item) }
        let transaction = try UpstreamError.converting { () throws(StoreError) in
            try database.beginWrite(waitNanoseconds: Upstream.waitNanoseconds)
        }
        do throws(UpstreamError) {
            let repetition = Repetition(transaction)
            for change in item.changes { try repetition.make(change) }
            try UpstreamError.converting { () throws(StoreError) in
                try item.remove(in: transaction, path: path)
                _ = try transaction.commit()
            }
        } catch {
            transaction.rollback()
            throw error
        }
    }

    /// Sends again the objects that the file has kept as they are.
    private func sendAgain(_ item: RejectedTransaction) throws(UpstreamError) {
        let subset = try Subset(try snapshot())
        try update { transaction throws(UpstreamError) in
            var record = try Upstream.record(in: transaction)
            try collect(&record, subset, in: transaction)
            record.lastSequence += 1
            for var change in item.changes {
                change.sequence = record.lastSequence
                // The change follows those that wait.
                record.clock = HybridTime(
                    nanosecondsSince1970: 0, after: record.clock, client: record.client)
                change.id = record.clock.rawValue
                let renumbered = change
                try UpstreamError.converting(
                    try renumbered.write(in: transaction, path: path))
            }
            try UpstreamError.converting(try item.remove(in: transaction, path: path))
            return record
        }
    }
}

extension Upstream.Rejected.Change {
    fileprivate init(_ change: Outgoing) {
        className = change.className
        key = change.key
        verb = change.verb
        milliseconds = change.id >> 20
        properties = change.properties.map { property in
            Upstream.Rejected.Property(
                name: property.name, value: property.texts.first ?? nil,
                other: property.base.map { $0.first ?? nil })
        }
    }
}

extension Outgoing {
    /// The change in one word, for people.
    fileprivate var verb: String {
        switch kind {
        case .create: "created"
        case .update, .fill: "changed"
        case .delete: "deleted"
        case .restore, .existing: "kept"
        }
    }
}
