package import FirnValues
import HashTreeCollections

/// Making or changing objects by their keys.
extension WriteTransaction {
    /// Makes or changes the object with the key that the fields name.
    ///
    /// - Parameter fields: each property at most once; without the key of a class whose keys may be
    ///   nil, it is nil. Of a class without a key always a new object is made, and only `insert` and
    ///   `upsert` are allowed.
    /// - Throws: ``StoreError`` with `duplicateKey` (insert), `unknownObject` (update),
    ///   `missingValue` if the key or a required property of a new object has no value, and what
    ///   `create` and `set` throw. Nothing is then changed.
    /// - Complexity: as a key lookup and a `set` per field
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
            // An insert leaves the look-up to `create`, which refuses a key that is there.
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

    /// Makes or changes the object with the key that is among all its values.
    ///
    /// - Parameters:
    ///   - values: one per property, in the order of the schema; of a class without a key always a new
    ///     object is made.
    ///   - kept: the positions of properties of which only a new object gets the values.
    ///   - recordsEqual: whether also values are set that the object has already.
    /// - Throws: what ``create(in:_:)`` and ``put(_:in:policy:)`` throw. Nothing is then changed.
    /// - Complexity: as a key lookup and `create`, or a `set` per property
    package func put(
        _ values: [Value], in classID: ClassID, keeping kept: [Int] = [],
        recordsEqual: Bool = false
    ) throws(StoreError) -> RowID {
        try checkOpen()
        let schema = try record(classID).schema
        // What is wrong with the values otherwise is what `create` says.
        if let keyProperty = schema.keyProperty, let place = schema.index(of: keyProperty.id),
            values.count == schema.properties.count,
            !values[place].isNull || keyProperty.type.isOptional
        {
            try checkElement(values[place], keyProperty, schema)
            if let existing = try row(forKey: values[place], in: classID) {
                // Hardly ever more than a few are kept.
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

    /// Gives an object that exists other values.
    ///
    /// - Parameters:
    ///   - replaces: whether properties without a field become nil or empty.
    ///   - recordsEqual: whether also values are set that the object has already.
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
        // Nothing is refused any more.
        for (property, value) in changes { try set(property, of: row, in: schema.id, to: value) }
        if changes.isEmpty { counts.unchanged += 1 } else { counts.updated += 1 }
        return PutOutcome(row: row, effect: changes.isEmpty ? .unchanged : .updated)
    }

    /// One value for every property.
    package func values(
        of fields: [(property: PropertyID, value: Value)], _ schema: ClassSchema
    ) throws(StoreError) -> [Value] {
        let given = Dictionary(fields.map { ($0.property, $0.value) }) { _, last in last }
        return schema.properties.map { given[$0.id] ?? $0.type.emptyCollection }
    }
}

/// What a transaction did so far.
package struct TransactionCounts: Hashable, Sendable {
    package var inserted = 0
    package var updated = 0
    package var unchanged = 0
    /// Embedded objects that went with their parents included.
    package var deleted = 0

    package init() {}
}
