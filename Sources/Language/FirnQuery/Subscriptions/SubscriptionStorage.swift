package import FirnEngine
package import FirnValues

/// A set of subscriptions in one version of a file.
package struct StoredSubscriptions: Hashable, Sendable {
    package var list = SubscriptionList()
    /// The number of changes to the set.
    package var version: Int64 = 0

    package init() {}

    /// Reads the set of a version, which is empty if there never was a subscription.
    ///
    /// - Complexity: O(subscriptions)
    package init(_ snapshot: Snapshot, path: String) throws(StoreError) {
        version = try StoredSubscriptions.version(snapshot, path)
        guard
            let (schema, properties) = try SubscriptionClasses.subscription.stored(
                in: snapshot.schema, path: path),
            let table = snapshot.table(schema.id),
            let cursor = ObjectCursor(snapshot, schema.id, properties)
        else { return }
        var records: [SubscriptionRecord] = []
        for row in try table.liveRowIDs() where try cursor.move(to: row) {
            if let record = try StoredSubscriptions.record(cursor) { records.append(record) }
        }
        list = SubscriptionList(records)
    }

    /// Returns the number of changes to the set in a version.
    package static func version(_ snapshot: Snapshot, _ path: String) throws(StoreError) -> Int64 {
        guard
            let (schema, properties) = try SubscriptionClasses.set.stored(
                in: snapshot.schema, path: path),
            let row = try snapshot.table(schema.id)?.row(forKey: .int(0)),
            let cursor = ObjectCursor(snapshot, schema.id, properties), try cursor.move(to: row),
            case .int(let version) = try cursor.value(1)
        else { return 0 }
        return version
    }

    /// Returns the subscription at the cursor, whose properties were checked to have these types.
    private static func record(_ cursor: ObjectCursor) throws(StoreError) -> SubscriptionRecord? {
        guard case .uuid(let id) = try cursor.value(0),
            case .string(let className) = try cursor.value(2),
            case .string(let query) = try cursor.value(3),
            case .date(let createdAt) = try cursor.value(4),
            case .date(let updatedAt) = try cursor.value(5)
        else { return nil }
        var name: String?
        if case .string(let text) = try cursor.value(1) { name = text }
        return SubscriptionRecord(
            id: id, name: name, className: className, query: query, createdAt: createdAt,
            updatedAt: updatedAt)
    }
}

// MARK: Writing

extension StoredSubscriptions {
    /// Applies edits to the set in the base version of a transaction, and writes the differences.
    ///
    /// - Returns: The resulting set.
    package static func apply(
        _ edits: [SubscriptionEdit], now: Timestamp, in transaction: WriteTransaction, path: String
    ) throws(StoreError) -> StoredSubscriptions {
        let old = try StoredSubscriptions(transaction.base, path: path)
        var new = old
        for edit in edits { new.list.apply(edit, now: now) }
        guard new.list != old.list else { return old }
        // The number only has to differ. In a damaged file it may have any value.
        new.version = old.version &+ 1
        try new.write(over: old.list, in: transaction, path: path)
        return new
    }

    private func write(
        over old: SubscriptionList, in transaction: WriteTransaction, path: String
    ) throws(StoreError) {
        let (schema, properties) = try StoredSubscriptions.establish(
            SubscriptionClasses.subscription, in: transaction, path: path)
        let kept = Dictionary(uniqueKeysWithValues: list.records.map { ($0.id, $0) })
        let known = Set(old.records.map(\.id))
        for record in old.records where kept[record.id] != record {
            guard let row = try transaction.row(forKey: .uuid(record.id), in: schema.id) else {
                continue
            }
            guard let changed = kept[record.id] else {
                try transaction.delete(row, in: schema.id)
                continue
            }
            for (property, value) in zip(properties, changed.values) {
                try transaction.set(property.id, of: row, in: schema.id, to: value)
            }
        }
        for record in list.records where !known.contains(record.id) {
            let fields = zip(properties, record.values).map { (property: $0.id, value: $1) }
            try transaction.create(in: schema.id, try transaction.values(of: fields, schema))
        }
        try writeVersion(in: transaction, path: path)
    }

    private func writeVersion(
        in transaction: WriteTransaction, path: String
    ) throws(StoreError) {
        let (schema, properties) = try StoredSubscriptions.establish(
            SubscriptionClasses.set, in: transaction, path: path)
        let values: [Value] = [.int(0), .int(version)]
        if let row = try transaction.row(forKey: .int(0), in: schema.id) {
            try transaction.set(properties[1].id, of: row, in: schema.id, to: values[1])
        } else {
            let fields = zip(properties, values).map { (property: $0.id, value: $1) }
            try transaction.create(in: schema.id, try transaction.values(of: fields, schema))
        }
    }

    /// Returns a class of the file, adding it if necessary.
    private static func establish(
        _ definition: ClassDefinition, in transaction: WriteTransaction, path: String
    ) throws(StoreError) -> (schema: ClassSchema, properties: [PropertySchema]) {
        if let known = try definition.stored(in: transaction.schema, path: path) { return known }
        let schema = try transaction.addClass(definition)
        return (schema, schema.properties)
    }
}

extension SubscriptionRecord {
    /// The values, in the order of the definition of the class.
    fileprivate var values: [Value] {
        [
            .uuid(id), name.map { .string($0) } ?? .null, .string(className), .string(query),
            .date(createdAt), .date(updatedAt),
        ]
    }
}
