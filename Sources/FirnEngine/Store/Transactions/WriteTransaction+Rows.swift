import FirnCodec
import FirnPlatform
package import FirnValues
import HashTreeCollections

extension WriteTransaction {
    /// Together with what a row group may hold before it is closed, far below what a page may hold.
    static let textByteCountMaximum = 64 << 20

    /// Adds an object.
    ///
    /// - Parameter values: one per property, in the order of the schema.
    /// - Returns: its identity.
    /// - Complexity: O(properties), and a key lookup if the class has a key.
    @discardableResult
    package func create(in classID: ClassID, _ values: [Value]) throws(StoreError) -> RowID {
        try checkOpen()
        var record = try self.record(classID)
        let schema = record.schema
        guard values.count == schema.properties.count else {
            throw StoreError(
                .missingValue, path: store.path,
                detail: "\(values.count) values for \(schema.properties.count) properties of "
                    + schema.name)
        }
        for (property, value) in zip(schema.properties, values) {
            try check(value, for: property, of: schema)
        }
        if let key = schema.key, let index = schema.index(of: key) {
            try claimKey(values[index], in: schema)
        }
        let row = record.nextRowID
        guard row < RowID.limit else { throw noRowIDLeft }
        let rows = created[classID] ?? CreatedRows(schema: schema, firstRowID: row)
        created[classID] = rows
        try store.pages.coding { () throws(CodecError) in try rows.append(values) }
        record.nextRowID = RowID(row.rawValue + 1)
        overlay.catalog[classID] = record
        overlay.classes[classID, default: ClassOverlay()].liveRowDelta += 1
        if rows.count >= store.options.rowsPerGroup || rows.byteCount > store.options.bytesPerGroup
        {
            try seal(classID)
        }
        return row
    }

    /// Gives a property of an object another value.
    ///
    /// - Complexity: O(log objects), and a key lookup if the property is the key.
    package func set(
        _ propertyID: PropertyID, of row: RowID, in classID: ClassID, to value: Value
    ) throws(StoreError) {
        try checkOpen()
        let schema = try record(classID).schema
        guard let property = schema[propertyID] else {
            throw StoreError(
                .unknownProperty, path: store.path, detail: "no such property in \(schema.name)")
        }
        try check(value, for: property, of: schema)
        let (group, index) = try locate(row, schema)
        guard try group.value(of: property, at: index) != value else { return }
        if schema.key == propertyID { try claimKey(value, in: schema) }
        overlay.classes[classID, default: ClassOverlay()]
            .patches[group.firstRowID, default: GroupPatch()]
            .values[propertyID, default: [:]][UInt32(index)] = value
    }

    /// Removes an object.
    ///
    /// - Complexity: O(log objects)
    package func delete(_ row: RowID, in classID: ClassID) throws(StoreError) {
        try checkOpen()
        let schema = try record(classID).schema
        let (group, index) = try locate(row, schema)
        overlay.classes[classID, default: ClassOverlay()]
            .patches[group.firstRowID, default: GroupPatch()]
            .deleted.insert(UInt32(index))
        overlay.classes[classID, default: ClassOverlay()].liveRowDelta -= 1
    }

    var noRowIDLeft: StoreError {
        StoreError(.limitExceeded, path: store.path, detail: "no row id is left")
    }

    func record(_ classID: ClassID) throws(StoreError) -> ClassRecord {
        guard let record = overlay.catalog[classID] else {
            throw StoreError(.unknownClass, path: store.path, detail: "no such class")
        }
        return record
    }

    /// The objects of a class as the transaction has them.
    func table(_ schema: ClassSchema) throws(StoreError) -> Table {
        try seal(schema.id)
        guard let table = base.with(overlay).table(schema.id) else {
            throw StoreError(.unknownClass, path: store.path, detail: "no such class")
        }
        return table
    }

    private func locate(
        _ row: RowID, _ schema: ClassSchema
    ) throws(StoreError) -> (group: RowGroupView, index: Int) {
        guard let place = try table(schema).locate(row) else {
            throw StoreError(
                .unknownObject, path: store.path,
                detail: "\(schema.name) has no object with @id \(row.rawValue)")
        }
        return place
    }

    private func check(
        _ value: Value, for property: PropertySchema, of schema: ClassSchema
    ) throws(StoreError) {
        if value.isNull {
            guard !property.type.isOptional else { return }
            throw StoreError(
                .missingValue, path: store.path,
                detail: "property \(property.name) of \(schema.name) must have a value")
        }
        guard value.tag == property.type.base else {
            throw StoreError(
                .typeMismatch, path: store.path,
                detail: "property \(property.name) of \(schema.name) is \(property.type.name), "
                    + "not \(value.tag.name) \(value.quoted)")
        }
        if case .string(let text) = value,
            text.utf8.count > WriteTransaction.textByteCountMaximum
        {
            throw StoreError(
                .limitExceeded, path: store.path,
                detail: "a text of \(text.utf8.count) bytes for property \(property.name) of "
                    + "\(schema.name), at most \(WriteTransaction.textByteCountMaximum) fit")
        }
    }

    /// Makes the created rows of all classes part of the overlay.
    func sealAll() throws(StoreError) {
        for classID in created.keys { try seal(classID) }
    }

    /// Makes the created rows of a class an immutable part of the overlay.
    func seal(_ classID: ClassID) throws(StoreError) {
        guard let rows = created[classID] else { return }
        let group = try store.pages.coding { () throws(CodecError) in try rows.sealed() }
        overlay.classes[classID, default: ClassOverlay()].appended.append(.memory(group))
        created[classID] = nil
    }
}
