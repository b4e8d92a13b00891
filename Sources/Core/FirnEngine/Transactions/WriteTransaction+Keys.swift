import FirnCodec
package import FirnValues
import HashTreeCollections

/// Primary keys, which are unique and can be looked up without reading all rows.
extension WriteTransaction {
    /// Returns the object with a key, as of this transaction.
    ///
    /// - Complexity: The same as ``Table/row(forKey:)``
    package func row(forKey key: Value, in classID: ClassID) throws(StoreError) -> RowID? {
        let schema = try record(classID).schema
        // A key above all others needs no lookup.
        if let greatest = maxKeyBounds[classID], key.order(relativeTo: greatest) == .greater {
            return nil
        }
        if let row = created[classID]?.row(forKey: key) { return row }
        return try sealedTable(schema).row(forKey: key)
    }

    /// Checks that no object of the class has a key, and prepares lookups of the key.
    func claimKey(
        _ key: Value, for row: RowID, in schema: ClassSchema
    ) throws(StoreError) {
        if let greatest = maxKeyBounds[schema.id], key.order(relativeTo: greatest) == .greater {
            maxKeyBounds[schema.id] = key
            return
        }
        guard case .ascending = keyChanges(of: schema.id) else {
            return try checkKeyIsNew(key, schema)
        }
        if maxKeyBounds[schema.id] == nil {
            maxKeyBounds[schema.id] = try sealedTable(schema).greatestKey()
        }
        if let greatest = maxKeyBounds[schema.id], key.order(relativeTo: greatest) != .greater {
            try checkKeyIsNew(key, schema)
            try listAppendedKeys(schema)
        } else {
            maxKeyBounds[schema.id] = key
        }
    }

    private func checkKeyIsNew(_ key: Value, _ schema: ClassSchema) throws(StoreError) {
        guard try row(forKey: key, in: schema.id) == nil else {
            throw StoreError(
                .duplicateKey, path: store.path,
                detail: "\(schema.name) has an object with \(schema.keyProperty?.name ?? "key") "
                    + "\(key.shortened) already")
        }
    }

    /// Changes the key of an object.
    func moveKey(
        from old: Value, to new: Value, of row: RowID, in schema: ClassSchema
    ) throws(StoreError) {
        try checkKeyIsNew(new, schema)
        if case .ascending = keyChanges(of: schema.id) { try listAppendedKeys(schema) }
        let isSealed = created[schema.id]?.holds(row) != true
        changeKeys(of: schema.id) { keys in
            keys.updateValue(nil, forKey: old)
            if isSealed { keys.updateValue(row, forKey: new) }
        }
    }

    /// Removes the key of an object that is about to be deleted.
    func releaseKey(of row: RowID, in schema: ClassSchema) throws(StoreError) {
        guard let property = schema.keyProperty, created[schema.id]?.holds(row) != true,
            case .listed = keyChanges(of: schema.id)
        else { return }
        let key = try value(of: property, of: row, in: schema)
        changeKeys(of: schema.id) { $0.updateValue(nil, forKey: key) }
    }

    /// Lists the keys of rows that are sealed now.
    func listKeys(of rows: InsertBuffer) {
        guard rows.schema.key != nil, case .listed = keyChanges(of: rows.schema.id) else { return }
        changeKeys(of: rows.schema.id) { keys in
            rows.visitKeys { key, row in keys.updateValue(row, forKey: key) }
        }
    }

    /// Returns the key changes of a class relative to the index of the root.
    func keyChanges(of classID: ClassID) -> KeyChanges {
        let changes = overlay.classes[classID]?.keys ?? .ascending
        if case .ascending = changes, case .tree = overlay.catalog[classID]?.keyIndex {
            return .listed([:])
        }
        return changes
    }

    func changeKeys(
        of classID: ClassID, _ change: (inout TreeDictionary<Value, RowID?>) -> Void
    ) {
        if case .ascending = overlay.classes[classID]?.keys ?? .ascending {
            overlay.classes[classID, default: ClassOverlay()].keys = .listed([:])
        }
        overlay.classes[classID, default: ClassOverlay()].keys.changeList(change)
    }

    /// The maximum number of keys of new rows to list; a longer list would take too much memory.
    static let listedKeyCountMaximum = 8_000_000

    /// Lists the keys of new rows from now on, because keys no longer ascend.
    private func listAppendedKeys(_ schema: ClassSchema) throws(StoreError) {
        maxKeyBounds[schema.id] = nil
        guard let property = schema.keyProperty else { return }
        var keys: TreeDictionary<Value, RowID?> = [:]
        let groups = try sealedTable(schema).appendedViews
        guard groups.reduce(0, { $0 + $1.rowCount }) <= WriteTransaction.listedKeyCountMaximum
        else {
            overlay.classes[schema.id, default: ClassOverlay()].keys = .unlisted
            return
        }
        for group in groups {
            let column = try group.column(property)
            for row in 0..<group.rowCount where try group.isLive(row) {
                keys.updateValue(try group.rowID(at: row), forKey: column.value(at: row))
            }
        }
        overlay.classes[schema.id, default: ClassOverlay()].keys = .listed(keys)
    }

    /// Drops the listed keys, because another property becomes the key.
    ///
    /// The rows are the only index until the next fold.
    func unlistKeys(of classID: ClassID) {
        maxKeyBounds[classID] = nil
        overlay.classes[classID, default: ClassOverlay()].keys = .unlisted
    }
}
