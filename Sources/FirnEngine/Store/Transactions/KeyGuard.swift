import FirnCodec
import FirnPlatform
import FirnValues

/// What a transaction knows of the primary keys of a class.
struct KeyGuard {
    /// No key of the class is greater; `nil` if there is none yet.
    var greatest: Value?
    /// Keys of rows that are created and not sealed.
    var unsealed: Set<Value> = []
}

extension WriteTransaction {
    /// Makes sure that no object of the class has that key, and remembers it.
    ///
    /// A key above all others needs no look at the rows: ascending keys cost nothing.
    func claimKey(_ key: Value, in schema: ClassSchema) throws(StoreError) {
        guard let keyID = schema.key, let property = schema[keyID] else { return }
        var known: KeyGuard
        if let found = keys[schema.id] {
            known = found
        } else {
            known = KeyGuard(greatest: try greatestKey(property, schema))
        }
        if created[schema.id] == nil { known.unsealed.removeAll() }
        let isAbove = known.greatest.map { key.order(relativeTo: $0) == .greater } ?? true
        if !isAbove {
            let exists = known.unsealed.contains(key) ? true : try isKey(key, property, schema)
            guard !exists else {
                throw StoreError(
                    .duplicateKey, path: store.path,
                    detail: "\(schema.name) has an object with \(property.name) "
                        + "\(key.quoted) already")
            }
        } else {
            known.greatest = key
        }
        known.unsealed.insert(key)
        keys[schema.id] = known
    }

    /// An upper bound of the keys of all rows.
    private func greatestKey(
        _ property: PropertySchema, _ schema: ClassSchema
    ) throws(StoreError) -> Value? {
        var greatest: Value?
        for group in try sealedTable(schema).rowGroups() {
            var maximum = group.zone(of: property).flatMap { $0.maximumIsPrefix ? nil : $0.maximum }
            if maximum == nil {
                let column = try group.column(property)
                maximum = column.summarize(Bitmap(count: column.rowCount, isSet: true)).maximum
            }
            guard let maximum else { continue }
            if greatest.map({ maximum.order(relativeTo: $0) == .greater }) ?? true {
                greatest = maximum
            }
        }
        return greatest
    }

    private func isKey(
        _ key: Value, _ property: PropertySchema, _ schema: ClassSchema
    ) throws(StoreError) -> Bool {
        let test = ColumnTest.compare(.equal, key)
        for group in try sealedTable(schema).rowGroups() {
            if let zone = group.zone(of: property), zone.verdict(test) == .none { continue }
            var rows = Bitmap(count: group.rowCount)
            try group.column(property).filter(test, into: &rows)
            if let live = try group.liveRows() { rows.formIntersection(live) }
            if !rows.isEmpty { return true }
        }
        return false
    }

    /// The rows without those that are not sealed yet, whose keys are in the guard.
    private func sealedTable(_ schema: ClassSchema) throws(StoreError) -> Table {
        guard let table = base.with(overlay).table(schema.id) else {
            throw StoreError(.unknownClass, path: store.path, detail: "no such class")
        }
        return table
    }
}
