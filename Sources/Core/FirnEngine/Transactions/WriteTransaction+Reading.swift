import FirnCodec
package import FirnValues
import HashTreeCollections

/// Reading objects as of a transaction.
extension WriteTransaction {
    /// Returns the identity of the next object of a class.
    package func nextRowID(in classID: ClassID) throws(StoreError) -> RowID {
        let record = try record(classID)
        return created[classID]?.nextRowID ?? overlay.nextRowID(of: record)
    }

    /// Returns one value of an object as of this transaction.
    package func value(
        of property: PropertySchema, of row: RowID, in schema: ClassSchema
    ) throws(StoreError) -> Value {
        if let rows = created[schema.id], rows.holds(row) {
            guard let index = schema.index(of: property.id),
                let value = rows.value(index, of: row)
            else { throw unknownObject(row, schema) }
            return value
        }
        guard let (group, index) = try sealedTable(schema).locate(row) else {
            throw unknownObject(row, schema)
        }
        return try group.value(of: property, at: index)
    }

    /// Returns all values of an object as of this transaction, or `nil` if there is no such object.
    package func values(of row: RowID, in classID: ClassID) throws(StoreError) -> [Value]? {
        let schema = try record(classID).schema
        if let rows = created[classID], rows.holds(row) { return rows.values(of: row) }
        return try sealedTable(schema).values(of: row)
    }

    /// Whether an object exists.
    package func exists(_ row: RowID, in classID: ClassID) throws(StoreError) -> Bool {
        if let rows = created[classID], rows.holds(row) { return rows.exists(row) }
        guard let record = overlay.catalog[classID] else { return false }
        return try location(of: row, record.schema) != nil
    }

    /// Returns a list, set or map of an object as of this transaction.
    ///
    /// - Throws: ``StoreError`` with `unknownObject` if there is no such object.
    package func collection(
        of property: PropertySchema, of row: RowID, in schema: ClassSchema
    ) throws(StoreError) -> CollectionView {
        if let rows = created[schema.id], rows.holds(row) {
            guard let index = schema.index(of: property.id),
                let value = rows.value(index, of: row)
            else { throw unknownObject(row, schema) }
            return CollectionView(.inline(value), property.type)
        }
        guard let (group, index) = try sealedTable(schema).locate(row) else {
            throw unknownObject(row, schema)
        }
        return try group.collectionView(property, at: index)
    }

    // MARK: Finding rows

    /// Returns the location of a sealed row.
    ///
    /// The view of the group is not returned: it would share the patch that is about to change, and
    /// every change would copy it.
    func location(
        of row: RowID, _ schema: ClassSchema
    ) throws(StoreError) -> (group: RowID, index: UInt32)? {
        guard let (group, index) = try sealedTable(schema).locate(row) else { return nil }
        return (group.firstRowID, UInt32(index))
    }

    /// Returns the objects of a class, without the rows that are not sealed.
    func sealedTable(_ schema: ClassSchema) throws(StoreError) -> Table {
        sealedTable(try plan(of: schema.id))
    }

    func sealedTable(_ plan: ClassWriteCache) -> Table {
        Table(
            record: plan.record, overlay: overlay.classes[plan.schema.id],
            directory: plan.directory)
    }

    /// Returns the objects of a class as of this transaction.
    func table(_ schema: ClassSchema) throws(StoreError) -> Table {
        try seal(schema.id)
        return try sealedTable(schema)
    }

    func record(_ classID: ClassID) throws(StoreError) -> ClassRecord {
        guard let record = overlay.catalog[classID] else {
            throw StoreError(.unknownClass, path: store.path, detail: "no such class")
        }
        return record
    }
}
