package import FirnEngine
import FirnPlatform
import FirnSyntax
package import FirnValues

/// The rule of subscriptions: they name classes and properties that exist, and select the new objects
/// of a replicated file.
///
/// The server would take other objects as well, but the file would not keep them. Objects that change
/// may leave the subset, and do so with the next cycle of the replication. Subscriptions get the names
/// that the transaction gives to classes and properties.
///
/// Without a server, a commit takes O(1) longer unless the schema changes; otherwise O(operations), and
/// the queries of the subscriptions on the new objects.
struct SubscriptionRule: CommitRule {
    let clock: any Clock
    /// Whether the program names a server.
    let isReplicated: Bool

    /// - Throws: ``StoreError`` with `notSubscribed` for an object that no subscription selects, or
    ///   with `invalidSchema` if a subscription would no longer be valid.
    func apply(to transaction: WriteTransaction) throws(StoreError) {
        try carrySubscriptions(over: transaction)
        try checkNewObjects(of: transaction)
    }

    /// Checks that the subscriptions of a replicated file select the new objects.
    private func checkNewObjects(of transaction: WriteTransaction) throws(StoreError) {
        let schema = transaction.schema
        guard isReplicated || SubscriptionClasses.isAttached(schema) else { return }
        let changes = try transaction.changes().classes.filter { !$0.value.created.isEmpty }
        guard !changes.isEmpty else { return }
        let snapshot = DatabaseSnapshot(try transaction.snapshot(), now: clock.now)
        let path = snapshot.snapshot.path
        let list = try StoredSubscriptions(snapshot.snapshot, path: path).list
        for (classID, change) in changes.sorted(by: { $0.key < $1.key }) {
            guard let type = schema[classID], type.canBeReplicated(in: schema) else { continue }
            var rest = change.created
            for record in list.records where record.className == type.name && !rest.isEmpty {
                let selected = try snapshot.selected(by: record, among: rest, path)
                rest.removeAll { selected.contains($0) }
            }
            guard let row = rest.first else { continue }
            let key = try snapshot.keyText(of: row, type)
            let isSubscribed = list.records.contains { $0.className == type.name }
            throw StoreError(
                .notSubscribed, path: path,
                detail: "no subscription of the file selects the new \(type.name) \(key)",
                remedy: isSubscribed
                    ? "change its values, or subscribe to it first: firn sync subscribe FILE QUERY"
                    : "subscribe to the class first: firn sync subscribe FILE \(type.name)")
        }
    }
}

extension DatabaseSnapshot {
    fileprivate func selected(
        by record: SubscriptionRecord, among rows: [RowID], _ path: String
    ) throws(StoreError) -> Set<RowID> {
        do throws(QueryFailure) {
            return Set(try rowIDs(try bound(record.query), among: rows))
        } catch {
            switch error {
            case .store(let error): throw error
            case .query(let error):
                throw StoreError(
                    .invalidSchema, path: path,
                    detail: "the subscription \(record.query) is invalid: \(error.message)",
                    remedy: "remove it with: firn sync unsubscribe FILE QUERY")
            }
        }
    }

    fileprivate func keyText(of row: RowID, _ type: ClassSchema) throws(StoreError) -> String {
        guard let key = type.keyProperty, let index = type.index(of: key.id),
            let values = try snapshot.table(type.id)?.values(of: row), index < values.count
        else { return "" }
        return "with the key \(values[index])"
    }
}

extension SubscriptionClasses {
    /// The class with the state of the replication; only a file that is attached to a server has
    /// it.
    package static let upstreamName = "firn.Upstream"

    /// Returns whether a file is attached to a server.
    package static func isAttached(_ schema: FirnEngine.Schema) -> Bool {
        schema.classNamed(upstreamName) != nil
    }
}

extension ClassSchema {
    /// The names of tables that the server needs for the replication itself.
    package static let namesReservedByReplication: TextSet = [
        "meta", "class", "change", "tomb", "client", "sent", "rejected",
    ]

    /// The names of columns that PostgreSQL gives to every table.
    package static let columnsOfEveryTable: TextSet = [
        "tableoid", "xmin", "cmin", "xmax", "cmax", "ctid",
    ]

    /// The limits of the names of classes and properties, in bytes; PostgreSQL truncates longer
    /// ones.
    package static let replicatedNameMaximum = 50
    package static let replicatedPropertyNameMaximum = 60

    /// Returns whether a server can have a table of this class.
    ///
    /// Objects of other classes stay in their file.
    package func canBeReplicated(in schema: FirnEngine.Schema) -> Bool {
        guard !isEmbedded, !name.contains("."), let key = keyProperty, !key.type.isOptional,
            !ClassSchema.namesReservedByReplication.contains(name),
            name.utf8.count <= ClassSchema.replicatedNameMaximum
        else { return false }
        return properties.allSatisfy { property in
            guard !property.name.hasPrefix("_"),
                !ClassSchema.columnsOfEveryTable.contains(property.name),
                property.name.utf8.count <= ClassSchema.replicatedPropertyNameMaximum
            else { return false }
            guard property.type.base == .link else { return true }
            guard let target = property.type.target.flatMap({ schema[$0] }) else { return false }
            if target.isEmbedded { return true }
            return target.keyProperty.map { !$0.type.isOptional } ?? false
        }
    }
}
