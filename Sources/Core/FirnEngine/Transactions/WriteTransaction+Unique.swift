import FirnCodec
package import FirnValues

/// The values of unique indexes that a transaction gave to objects of a class.
///
/// A claim is only a candidate: the object may have got another value since, or an undone step may
/// have made it. What counts is the value that it has when another object claims the same.
final class UniqueClaims {
    /// The indexes as of the first claim; rows of later changes are among the claims.
    ///
    /// `nil` after a bulk load and until the index is built, both of which end in a fold.
    fileprivate var readers: [IndexID: IndexReader?] = [:]
    fileprivate var rows: [IndexID: [[UInt8]: [RowID]]] = [:]
    /// The claimed keys that have not been checked yet.
    fileprivate var unchecked: [IndexID: Set<[UInt8]>] = [:]

    /// Forgets what was read from the index.
    ///
    /// The claims stay, because they are only candidates.
    func forgetReaders() { readers = [:] }
}

/// Unique indexes, whose values are checked before each change, or together after several.
///
/// Rows that a bulk load writes are checked when their commit builds the index; see ``IndexFold``.
extension WriteTransaction {
    /// Checks that no other object has the values, and claims them.
    ///
    /// - Parameter values: One value per property, in the order of the schema.
    func claimUnique(
        _ values: [Value], of row: RowID, _ plan: ClassWriteCache
    ) throws(StoreError) {
        guard publisher != nil else { return }
        for index in plan.uniqueIndexes {
            try claim(index.columns.map { values[$0] }, of: row, index.encoder, plan)
        }
    }

    /// Checks a new value of one property, together with the other values of the object.
    func claimUnique(
        _ value: Value, column: Int, of row: RowID, _ plan: ClassWriteCache
    ) throws(StoreError) {
        guard publisher != nil else { return }
        for index in plan.uniqueIndexes where index.columns.contains(column) {
            let values = try index.columns.map { other throws(StoreError) in
                other == column
                    ? value
                    : try self.value(
                        of: plan.schema.properties[other], of: row, in: plan.schema)
            }
            try claim(values, of: row, index.encoder, plan)
        }
    }

    /// Checks the values that were claimed while ``checksUniqueAtEnd`` was set.
    ///
    /// - Throws: ``StoreError`` with `duplicateKey`, which names both objects.
    package func checkUniqueValues() throws(StoreError) {
        for (classID, claims) in uniqueClaims where !claims.unchecked.isEmpty {
            // A class of a step that was undone has no values.
            if overlay.catalog[classID] != nil {
                let plan = try plan(of: classID)
                for (encoder, _) in plan.uniqueIndexes {
                    // An order of the keys makes the error that is thrown predictable.
                    let keys = claims.unchecked[encoder.index.id] ?? []
                    for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                        try checkOwners(of: key, encoder, claims, plan)
                    }
                }
            }
            claims.unchecked = [:]
        }
    }

    /// Checks the objects that have or had the values of a key.
    ///
    /// - Complexity: O(objects with the key), also if all of them have distinct texts that are cut
    private func checkOwners(
        of key: [UInt8], _ encoder: IndexEncoder, _ claims: UniqueClaims, _ plan: ClassWriteCache
    ) throws(StoreError) {
        let schema = plan.schema
        var candidates = Set(claims.rows[encoder.index.id]?[key] ?? [])
        if let reader = try reader(of: encoder.index, claims, plan) {
            candidates.formUnion(try reader.rows(in: IndexRange(prefix: key)))
        }
        guard candidates.count > 1 else { return }
        var owners: [[UInt8]: RowID] = [:]
        for row in candidates.sorted() {
            guard let values = try values(encoder, of: row, schema),
                encoder.uniqueKey(of: values) == key,
                let whole = encoder.uniqueKey(of: values, textByteCountMax: .max)
            else { continue }
            if let other = owners.updateValue(row, forKey: whole) {
                throw encoder.duplicate(other, row, values, path: store.path, schema)
            }
        }
    }

    /// Returns the reader of an index as of the first claim.
    private func reader(
        of index: IndexSchema, _ claims: UniqueClaims, _ plan: ClassWriteCache
    ) throws(StoreError) -> IndexReader? {
        if let known = claims.readers[index.id] { return known }
        let reader = try sealedTable(plan.schema).wholeReader(of: index)
        claims.readers[index.id] = .some(reader)
        return reader
    }

    /// Returns the object that already has the values of a unique index that some fields would give
    /// to another object; `nil` while values are checked at the end.
    ///
    /// - Parameters:
    ///   - fields: The values that are set; of a new object, the other properties are nil.
    ///   - existing: The object that changes; `nil` for a new one.
    /// - Complexity: O(log objects) per unique index
    package func ownerOfUniqueValues(
        _ fields: [PropertyID: Value], of existing: RowID?, in classID: ClassID
    ) throws(StoreError) -> (index: IndexSchema, values: [Value], row: RowID)? {
        guard !checksUniqueAtEnd else { return nil }
        let plan = try plan(of: classID)
        for (encoder, columns) in plan.uniqueIndexes {
            guard encoder.properties.contains(where: { fields[$0.id] != nil }) else { continue }
            var values: [Value] = []
            for column in columns {
                let property = plan.schema.properties[column]
                if let value = fields[property.id] {
                    values.append(value)
                } else if let existing {
                    values.append(try value(of: property, of: existing, in: plan.schema))
                } else {
                    values.append(.null)
                }
            }
            if let owner = try owner(of: values, besides: existing, encoder, plan) {
                return (encoder.index, owner.values, owner.row)
            }
        }
        return nil
    }

    private func claim(
        _ values: [Value], of row: RowID, _ encoder: IndexEncoder, _ plan: ClassWriteCache
    ) throws(StoreError) {
        guard let key = encoder.uniqueKey(of: values) else { return }
        let claims = claims(of: plan.schema.id)
        if checksUniqueAtEnd {
            claims.unchecked[encoder.index.id, default: []].insert(key)
        } else if let owner = try owner(of: values, besides: row, encoder, plan) {
            throw taken(owner.values, by: owner.row, encoder, plan.schema)
        }
        claims.rows[encoder.index.id, default: [:]][key, default: []].append(row)
    }

    private func claims(of classID: ClassID) -> UniqueClaims {
        if let known = uniqueClaims[classID] { return known }
        let claims = UniqueClaims()
        uniqueClaims[classID] = claims
        return claims
    }

    /// Returns the object that has the given values, or equal ones; `nil` if there is none, or if
    /// one of them is nil.
    private func owner(
        of values: [Value], besides row: RowID?, _ encoder: IndexEncoder, _ plan: ClassWriteCache
    ) throws(StoreError) -> (row: RowID, values: [Value])? {
        guard let key = encoder.uniqueKey(of: values) else { return nil }
        let claims = claims(of: plan.schema.id)
        var candidates = claims.rows[encoder.index.id]?[key] ?? []
        if let reader = try reader(of: encoder.index, claims, plan) {
            candidates += try reader.rows(in: IndexRange(prefix: key))
        }
        let whole = encoder.uniqueKey(of: values, textByteCountMax: .max)
        for other in candidates where other != row {
            guard let present = try self.values(encoder, of: other, plan.schema),
                encoder.uniqueKey(of: present, textByteCountMax: .max) == whole
            else { continue }
            return (other, present)
        }
        return nil
    }

    /// Returns the indexed values of an object as of this transaction; `nil` if it does not exist.
    private func values(
        _ encoder: IndexEncoder, of row: RowID, _ schema: ClassSchema
    ) throws(StoreError) -> [Value]? {
        if let rows = created[schema.id], rows.holds(row) {
            guard let values = rows.values(of: row) else { return nil }
            return encoder.properties.compactMap { property in
                schema.index(of: property.id).map { values[$0] }
            }
        }
        guard let (view, index) = try sealedTable(schema).locate(row) else { return nil }
        return try encoder.properties.map { property throws(StoreError) in
            try view.value(of: property, at: index)
        }
    }

    private func taken(
        _ values: [Value], by other: RowID, _ encoder: IndexEncoder, _ schema: ClassSchema
    ) -> StoreError {
        StoreError(
            .duplicateKey, path: store.path,
            detail: "\(schema.name(of: encoder.index)) is unique, and the object with @id "
                + "\(other.rawValue) has \(encoder.text(of: values)) already")
    }
}
