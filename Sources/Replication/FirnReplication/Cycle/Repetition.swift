import FirnEngine
import FirnValues

/// Repeats changes of the file that were undone, in a transaction of the file.
struct Repetition {
    private let transaction: WriteTransaction
    private let values: TextValues

    init(_ transaction: WriteTransaction) {
        self.transaction = transaction
        values = TextValues(
            transaction.schema,
            find: { target, key throws(StoreError) in
                try transaction.row(forKey: key, in: target.id)
            },
            create: { classID, values throws(StoreError) in
                try transaction.create(in: classID, values)
            })
    }

    /// - Throws: ``UpstreamError`` with `schema` or `conflict` if the file does not have what the
    ///   changes refer to.
    func make(_ change: Outgoing) throws(UpstreamError) {
        guard let schema = transaction.schema.classNamed(change.className) else {
            throw UpstreamError(
                .schema, "the file has no class \(change.className) any more",
                remedy: "see the values with: firn sync rejected FILE --json")
        }
        let type = try SyncedClass(schema, in: transaction.schema)
        let row = try UpstreamError.converting { () throws(StoreError) in
            try type.keyValue(change.key).flatMap { key throws(StoreError) in
                try transaction.row(forKey: key, in: schema.id)
            }
        }
        if change.kind == .delete {
            guard let row else { return }
            try UpstreamError.converting(try transaction.delete(row, in: schema.id))
            return
        }
        guard row != nil || change.kind.isCreation else {
            throw UpstreamError(
                .conflict, "\(change.className) \(change.key) does not exist any more",
                remedy:
                    "see the values with: firn sync rejected FILE --json; and create the object "
                    + "again")
        }
        try put(change, type)
    }

    private func put(_ change: Outgoing, _ type: SyncedClass) throws(UpstreamError) {
        var fields: [(property: PropertyID, value: Value)] = []
        if let key = type.keyValue(change.key), !change.key.isEmpty {
            fields.append((type.key.property.id, key))
        }
        for property in change.properties {
            guard let column = type.column(named: property.name) else {
                throw UpstreamError(
                    .schema, "\(type.name) has no property \(property.name) any more",
                    remedy: "see the values with: firn sync rejected FILE --json")
            }
            if column.property.id == type.key.property.id, !fields.isEmpty { continue }
            fields.append(
                (column.property.id, try values.value(property.texts[...], column, of: type)))
        }
        try UpstreamError.converting { () throws(StoreError) in
            _ = try transaction.put(fields, in: type.schema.id, policy: .upsert)
        }
    }
}
