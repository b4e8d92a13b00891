import FirnEngine
import FirnQuery
import FirnValues

/// A class of the file that belongs to replication and not to a model.
///
/// Its name contains a period, which the name of no class of a program can contain.
struct InternalTable: Sendable {
    let definition: ClassDefinition

    init(_ name: String, _ properties: [(String, PropertyType)]) {
        definition = ClassDefinition(
            name: name,
            properties: properties.map { ClassDefinition.Property(name: $0.0, type: $0.1) },
            keyName: properties.first?.0)
    }

    /// The state of the attachment: one object.
    static let upstream = InternalTable(
        SubscriptionClasses.upstreamName,
        [
            ("id", PropertyType(.int)), ("address", PropertyType(.string)),
            ("client", PropertyType(.uuid)), ("epoch", PropertyType(.string)),
            ("token", PropertyType(.string)), ("tokenTime", PropertyType(.int)),
            ("captured", PropertyType(.int)),
            ("clock", PropertyType(.int)), ("lastSequence", PropertyType(.int)),
            ("lastAcknowledged", PropertyType(.int)), ("queries", PropertyType(.string)),
            ("prefersFile", PropertyType(.bool, isOptional: true)),
            ("columns", PropertyType(.string, isOptional: true)),
        ])

    /// The changes that the server does not have yet, or that no pull has shown yet.
    static let outgoing = InternalTable(
        "firn.Outgoing",
        [
            ("id", PropertyType(.int)), ("sequence", PropertyType(.int)),
            ("class", PropertyType(.string)), ("key", PropertyType(.string)),
            ("kind", PropertyType(.int)), ("time", PropertyType(.int)),
            ("properties", PropertyType(.data)),
        ])

    /// The properties of changes that are too large for one value; see ``PropertyStorage``.
    static let parts = InternalTable(
        "firn.Part", [("id", PropertyType(.string)), ("bytes", PropertyType(.data))])

    /// The changes that the server refused.
    static let rejected = InternalTable(
        "firn.Rejected",
        [
            ("id", PropertyType(.int)), ("sequence", PropertyType(.int)),
            ("class", PropertyType(.string)), ("key", PropertyType(.string)),
            ("kind", PropertyType(.int)), ("properties", PropertyType(.data)),
            ("reason", PropertyType(.string)),
        ])

    /// The rows of a bootstrap that are not applied yet.
    static let staged = InternalTable(
        "firn.Staged",
        [
            ("id", PropertyType(.int)), ("class", PropertyType(.string)),
            ("key", PropertyType(.string)), ("texts", PropertyType(.data)),
        ])

    // MARK: Access

    /// Returns the class in a schema.
    ///
    /// A file of an older version may lack the last properties, which are optional.
    ///
    /// - Returns: `nil` if it does not exist.
    /// - Throws: ``StoreError`` with `corrupt` if it has other properties.
    func schema(in schema: Schema, path: String) throws(StoreError) -> ClassSchema? {
        guard let known = schema.classNamed(definition.name) else { return nil }
        let expected = definition.properties.prefix(known.properties.count)
        guard known.properties.map(\.name) == expected.map(\.name),
            known.properties.map(\.type) == expected.map(\.type)
        else {
            throw StoreError(
                .corrupt, path: path,
                detail: "the class \(definition.name) is not the one that replication keeps",
                remedy:
                    "rename it with: firn alter FILE 'rename \"\(definition.name)\" NAME'")
        }
        return known
    }

    /// Calls a closure with the values of each object, in the order of their creation.
    func forEach(
        in snapshot: Snapshot, _ body: ([Value]) throws(StoreError) -> Void
    ) throws(StoreError) {
        try forEachRow(in: snapshot) { _, values throws(StoreError) in try body(values) }
    }

    /// Calls a closure with the number and the values of each object, in the order of their creation.
    func forEachRow(
        in snapshot: Snapshot, _ body: (RowID, [Value]) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard let schema = try schema(in: snapshot.schema, path: snapshot.path),
            let table = snapshot.table(schema.id)
        else { return }
        let missing = definition.properties.dropFirst(schema.properties.count)
        let nulls = missing.map { _ in Value.null }
        for row in try table.liveRowIDs() {
            if let values = try table.values(of: row) { try body(row, values + nulls) }
        }
    }

    /// Creates an object, or replaces the one with the same key.
    func put(_ values: [Value], in transaction: WriteTransaction, path: String) throws(StoreError) {
        let schema = try establish(in: transaction, path: path)
        let fields = zip(schema.properties, values).map { (property: $0.id, value: $1) }
        _ = try transaction.put(fields, in: schema.id, policy: .replace)
    }

    /// Deletes the object with a key.
    ///
    /// - Returns: Whether it existed.
    @discardableResult
    func delete(
        key: Value, in transaction: WriteTransaction, path: String
    ) throws(StoreError) -> Bool {
        guard let schema = try schema(in: transaction.schema, path: path),
            let row = try transaction.row(forKey: key, in: schema.id)
        else { return false }
        try transaction.delete(row, in: schema.id)
        return true
    }

    /// Returns the values of the object with a key; `nil` if it does not exist.
    func values(forKey key: Value, in snapshot: Snapshot) throws(StoreError) -> [Value]? {
        guard let schema = try schema(in: snapshot.schema, path: snapshot.path),
            let table = snapshot.table(schema.id), let row = try table.row(forKey: key)
        else { return nil }
        return try table.values(of: row)
    }

    /// Removes the class with all its objects.
    func remove(in transaction: WriteTransaction, path: String) throws(StoreError) {
        guard let schema = try schema(in: transaction.schema, path: path) else { return }
        try transaction.removeClass(schema.id)
    }

    private func establish(
        in transaction: WriteTransaction, path: String
    ) throws(StoreError) -> ClassSchema {
        guard let known = try schema(in: transaction.schema, path: path) else {
            return try transaction.addClass(definition)
        }
        let missing = definition.properties.dropFirst(known.properties.count)
        guard !missing.isEmpty else { return known }
        for property in missing {
            try transaction.addProperty(property, to: known.id)
        }
        return try schema(in: transaction.schema, path: path) ?? known
    }
}
