package import FirnValues
import HashTreeCollections

/// The action to take, depending on whether an object with the given key exists.
package enum PutPolicy: String, Hashable, Sendable, CaseIterable {
    /// Creates the object; the key must be new.
    case insert
    /// Creates the object, or changes the given properties of the existing one.
    case upsert
    /// Changes the given properties; the key must exist.
    case update
    /// Creates the object, or replaces the existing one: properties not given become nil or empty.
    case replace
}

/// The result of a put.
package struct PutOutcome: Hashable, Sendable {
    package enum Effect: String, Hashable, Sendable {
        case inserted
        case updated
        /// The object already had all the values.
        case unchanged
    }

    package let row: RowID
    package let effect: Effect

    package init(row: RowID, effect: Effect) {
        self.row = row
        self.effect = effect
    }
}

/// Creating and changing objects by their keys.
extension WriteTransaction {
    /// Creates or changes the object with the key among the fields.
    ///
    /// - Parameter fields: Each property at most once. If the key is missing and may be nil, it is
    ///   nil. In a class without a key, a new object is always created, and only `insert` and
    ///   `upsert` are allowed.
    /// - Throws: ``StoreError`` with `duplicateKey` (insert), `unknownObject` (update),
    ///   `missingValue` if the key or a required property of a new object has no value, and the
    ///   errors of `create` and `set`. Nothing is then changed.
    /// - Complexity: The same as a key lookup and a `set` per field
    package func put(
        _ fields: [(property: PropertyID, value: Value)], in classID: ClassID, policy: PutPolicy
    ) throws(StoreError) -> PutOutcome {
        try checkOpen()
        let schema = try record(classID).schema
        var existing: RowID?
        if let keyProperty = schema.keyProperty {
            let key = fields.first { $0.property == keyProperty.id }?.value ?? .null
            guard !key.isNull || keyProperty.type.isOptional else {
                throw StoreError(
                    .missingValue, path: store.path,
                    detail: "\(schema.name) needs a value for its key \(keyProperty.name)")
            }
            try checkElement(key, keyProperty, schema)
            // For an insert, `create` does the lookup and rejects a key that exists.
            if policy != .insert { existing = try row(forKey: key, in: classID) }
            if existing == nil, policy == .update {
                throw StoreError(
                    .unknownObject, path: store.path,
                    detail: "\(schema.name) has no object with \(keyProperty.name) \(key.shortened)"
                )
            }
        } else if policy == .update || policy == .replace {
            throw StoreError(
                .missingValue, path: store.path,
                detail: "\(schema.name) has no primary key to find objects by")
        }
        guard let existing else {
            let row = try create(in: classID, try values(of: fields, schema))
            counts.inserted += 1
            return PutOutcome(row: row, effect: .inserted)
        }
        return try change(existing, fields, replaces: policy == .replace, schema)
    }

    /// Creates or changes the object with the key among the values.
    ///
    /// - Parameters:
    ///   - values: One value per property, in the order of the schema. In a class without a key, a
    ///     new object is always created.
    ///   - kept: The indices of properties whose values are given only to a new object.
    ///   - recordsEqual: Whether values that the object already has are set as well.
    /// - Throws: The errors of ``create(in:_:)`` and ``put(_:in:policy:)``. Nothing is then
    ///   changed.
    /// - Complexity: The same as a key lookup and `create`, or a `set` per property
    package func put(
        _ values: [Value], in classID: ClassID, keeping kept: [Int] = [],
        recordsEqual: Bool = false
    ) throws(StoreError) -> RowID {
        try checkOpen()
        let schema = try record(classID).schema
        // Other errors in the values are detected by `create`.
        if let keyProperty = schema.keyProperty, let index = schema.index(of: keyProperty.id),
            values.count == schema.properties.count,
            !values[index].isNull || keyProperty.type.isOptional
        {
            try checkElement(values[index], keyProperty, schema)
            if let existing = try row(forKey: values[index], in: classID) {
                // There are rarely more than a few kept properties.
                let fields = values.indices.filter { !kept.contains($0) }
                    .map { (schema.properties[$0].id, values[$0]) }
                return try change(
                    existing, fields, replaces: false, recordsEqual: recordsEqual, schema
                ).row
            }
        }
        let row = try create(in: classID, values)
        counts.inserted += 1
        return row
    }

    /// Changes the values of an existing object.
    ///
    /// - Parameters:
    ///   - replaces: Whether properties without a field become nil or empty.
    ///   - recordsEqual: Whether values that the object already has are set as well.
    package func change(
        _ row: RowID, _ fields: [(property: PropertyID, value: Value)], replaces: Bool,
        recordsEqual: Bool = false, _ schema: ClassSchema
    ) throws(StoreError) -> PutOutcome {
        let given = Dictionary(fields.map { ($0.property, $0.value) }) { _, last in last }
        var changes: [(property: PropertyID, value: Value)] = []
        var held: Set<ObjectReference> = []
        for property in schema.properties where property.id != schema.key {
            guard let value = given[property.id] ?? (replaces ? property.type.emptyCollection : nil)
            else { continue }
            let checked = try self.checked(value, for: property, of: schema)
            let old = try self.value(of: property, of: row, in: schema)
            guard recordsEqual || old != checked else { continue }
            if property.mayLink {
                let added = linkDifference(from: old, to: checked).added
                try checkTargets(added, property, schema, &held)
            }
            changes.append((property.id, checked))
        }
        // No change can be rejected from here on.
        for (property, value) in changes { try set(property, of: row, in: schema.id, to: value) }
        if changes.isEmpty { counts.unchanged += 1 } else { counts.updated += 1 }
        return PutOutcome(row: row, effect: changes.isEmpty ? .unchanged : .updated)
    }

    /// Returns one value for every property.
    package func values(
        of fields: [(property: PropertyID, value: Value)], _ schema: ClassSchema
    ) throws(StoreError) -> [Value] {
        let given = Dictionary(fields.map { ($0.property, $0.value) }) { _, last in last }
        return schema.properties.map { given[$0.id] ?? $0.type.emptyCollection }
    }
}

/// The numbers of changes of a transaction so far.
package struct TransactionCounts: Hashable, Sendable {
    package var inserted = 0
    package var updated = 0
    package var unchanged = 0
    /// The number of deleted objects, including embedded ones that were deleted with their parents.
    package var deleted = 0

    package init() {}
}
