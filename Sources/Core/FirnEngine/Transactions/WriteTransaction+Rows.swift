import FirnCodec
import FirnPlatform
package import FirnValues
import HashTreeCollections

/// Creating objects and changing their values.
extension WriteTransaction {
    /// Adds an object.
    ///
    /// - Parameter values: One value per property, in the order of the schema.
    /// - Returns: The identity of the object.
    /// - Complexity: O(properties + links), and a key lookup if the class has a key.
    @discardableResult
    package func create(in classID: ClassID, _ values: [Value]) throws(StoreError) -> RowID {
        try createObject(in: classID, values, at: nil)
    }

    /// Adds an object with a given identity.
    ///
    /// - Parameter row: An identity not below the next identity of the class, because identities
    ///   are never reused.
    @discardableResult
    package func create(
        in classID: ClassID, _ values: [Value], at row: RowID
    ) throws(StoreError) -> RowID {
        try createObject(in: classID, values, at: row)
    }

    /// - Parameter row: The identity; `nil` means the next one.
    private func createObject(
        in classID: ClassID, _ values: [Value], at row: RowID?
    ) throws(StoreError) -> RowID {
        try beginOperation()
        defer { endOperation() }
        let plan = try plan(of: classID)
        let row = try checkedIdentity(row, plan)
        let values = try checked(values, plan)
        if !plan.uniqueIndexes.isEmpty { try claimUnique(values, of: row, plan) }
        if plan.linkColumns.isEmpty {
            if let column = plan.keyColumn {
                try claimKey(values[column], for: row, in: plan.schema)
            }
        } else {
            try connect(values, of: row, plan)
        }
        if plan.schema.isEmbedded {
            orphans.insert(ObjectReference(classID: classID, rowID: row))
        }
        try append(values, at: row, plan)
        try recording { recorded throws(CodecError) in
            try recorded?.appendCreate(classID, row, values)
        }
        return row
    }

    /// Checks and returns the identity of a new object.
    @discardableResult
    func checkedIdentity(
        _ wanted: RowID?, _ plan: ClassWriteCache
    ) throws(StoreError) -> RowID {
        let classID = plan.schema.id
        let next =
            created[classID]?.nextRowID ?? overlay.classes[classID]?.nextRowID ?? plan.nextRowID
        let row = wanted ?? next
        guard row < RowID.limit else { throw noRowIDLeft }
        guard row >= next else {
            throw StoreError(
                .invalidValue, path: store.path,
                detail: "the @id \(row.rawValue) of \(plan.schema.name) was used already",
                remedy: "the next free one is \(next.rawValue)")
        }
        return row
    }

    /// Returns the values of a new object in the form in which they are stored.
    private func checked(
        _ values: [Value], _ plan: ClassWriteCache
    ) throws(StoreError) -> [Value] {
        guard values.count == plan.rules.count else {
            throw StoreError(
                .missingValue, path: store.path,
                detail: "\(values.count) values for \(plan.rules.count) properties of "
                    + plan.schema.name)
        }
        var values = values
        for index in values.indices where !plan.rules[index].admits(values[index]) {
            values[index] = try checked(
                values[index], for: plan.schema.properties[index], of: plan.schema)
        }
        return values
    }

    /// Checks and records the links and the key of a new object.
    private func connect(
        _ values: [Value], of row: RowID, _ plan: ClassWriteCache
    ) throws(StoreError) {
        let schema = plan.schema
        var targets: [(column: Int, targets: [ObjectReference])] = []
        for column in plan.linkColumns {
            let found = values[column].linkTargets
            if !found.isEmpty { targets.append((column, found)) }
        }
        var held: Set<ObjectReference> = []
        for (column, targets) in targets {
            try checkTargets(targets, schema.properties[column], schema, &held)
        }
        if let column = plan.keyColumn { try claimKey(values[column], for: row, in: schema) }
        for (column, targets) in targets {
            let property = schema.properties[column]
            try adopt(targets, property)
            note(added: targets, removed: [], property, of: row, in: schema.id)
            noteAddedLinks(targets.count, column, plan)
        }
    }

    private func noteAddedLinks(_ count: Int, _ column: Int, _ plan: ClassWriteCache) {
        let before = plan.addedLinkCounts[column]
        let after = before + count
        plan.addedLinkCounts[column] = after
        // The decision takes longer than adding a link.
        guard before / 4_096 != after / 4_096 else { return }
        unlistLinks(of: plan.schema.properties[column], plan, changing: after)
    }

    private func append(
        _ values: [Value], at row: RowID, _ plan: ClassWriteCache
    ) throws(StoreError) {
        let rows = createdRows(plan)
        rows.append(values, at: row)
        try sealIfFull(rows)
    }

    /// Returns the buffer for the new objects of a class.
    func createdRows(_ plan: ClassWriteCache) -> InsertBuffer {
        let classID = plan.schema.id
        if let known = created[classID] { return known }
        let rows = InsertBuffer(schema: plan.schema)
        created[classID] = rows
        return rows
    }

    func sealIfFull(_ rows: InsertBuffer) throws(StoreError) {
        if rows.count >= store.options.rowsPerGroup || rows.byteCount > store.options.bytesPerGroup
        {
            try seal(rows.schema.id)
        }
    }

    /// Sets a property of an object.
    ///
    /// - Complexity: O(log objects + links), and a key lookup if the property is the key.
    package func set(
        _ propertyID: PropertyID, of row: RowID, in classID: ClassID, to value: Value
    ) throws(StoreError) {
        try beginOperation()
        defer { endOperation() }
        let plan = try plan(of: classID)
        let schema = plan.schema
        guard let column = schema.index(of: propertyID) else { throw unknownProperty(schema) }
        let property = schema.properties[column]
        let value =
            plan.rules[column].admits(value)
            ? value : try checked(value, for: property, of: schema)
        if plan.isUnique[column] { try claimUnique(value, column: column, of: row, plan) }
        if schema.key == propertyID || property.mayLink {
            let old = try self.value(of: property, of: row, in: schema)
            guard old != value else {
                return try recordRewrite(classID, row, propertyID, value)
            }
            if schema.key == propertyID { try moveKey(from: old, to: value, of: row, in: schema) }
            let removed =
                property.mayLink
                ? try relink(from: old, to: value, property, of: row, in: schema) : []
            try store(value, property, of: row, in: schema)
            try deleteObjects(removed)
        } else {
            guard try replace(column, of: row, by: value, plan) else {
                return try recordRewrite(classID, row, propertyID, value)
            }
        }
        try recording { recorded throws(CodecError) in
            try recorded?.appendSet(classID, row, propertyID, value)
        }
    }

    /// Records that a property was set to the value that it already had, if observers are to see
    /// that.
    private func recordRewrite(
        _ classID: ClassID, _ row: RowID, _ propertyID: PropertyID, _ value: Value
    ) throws(StoreError) {
        guard recordsRewrites else { return }
        try recording { recorded throws(CodecError) in
            try recorded?.appendSet(classID, row, propertyID, value)
        }
    }

    /// Sets a property that affects nothing else, with a single lookup of the row.
    ///
    /// - Returns: Whether the value changed.
    private func replace(
        _ column: Int, of row: RowID, by value: Value, _ plan: ClassWriteCache
    ) throws(StoreError) -> Bool {
        if let rows = created[plan.schema.id], rows.holds(row) {
            guard let old = rows.value(column, of: row) else {
                throw unknownObject(row, plan.schema)
            }
            guard old != value else { return false }
            rows.set(column, of: row, to: value)
            return true
        }
        let property = plan.schema.properties[column]
        guard let found = try location(of: row, unless: value, property, plan) else {
            return false
        }
        put(value, property, found, in: plan.schema)
        return true
    }

    /// Returns the location of a sealed row, or `nil` if it already has the value.
    private func location(
        of row: RowID, unless value: Value, _ property: PropertySchema, _ plan: ClassWriteCache
    ) throws(StoreError) -> (group: RowID, index: UInt32)? {
        guard let (group, index) = try sealedTable(plan).locate(row) else {
            throw unknownObject(row, plan.schema)
        }
        guard try group.value(of: property, at: index) != value else { return nil }
        return (group.firstRowID, UInt32(index))
    }

    /// Stores a checked value in the overlay.
    func store(
        _ value: Value, _ property: PropertySchema, of row: RowID, in schema: ClassSchema
    ) throws(StoreError) {
        if let rows = created[schema.id], rows.holds(row) {
            if let index = schema.index(of: property.id) { rows.set(index, of: row, to: value) }
            return
        }
        guard let location = try location(of: row, schema) else { throw unknownObject(row, schema) }
        put(value, property, location, in: schema)
    }

    private func put(
        _ value: Value, _ property: PropertySchema, _ location: (group: RowID, index: UInt32),
        in schema: ClassSchema
    ) {
        overlay.patch(schema.id, location.group) { patch in
            if !patch.edited.isEmpty { patch.edited[property.id]?[location.index] = nil }
            patch.values[property.id, default: RowMap()][location.index] = value
        }
    }

    // MARK: Errors

    var noRowIDLeft: StoreError {
        StoreError(.limitExceeded, path: store.path, detail: "no row id is left")
    }

    func unknownProperty(_ schema: ClassSchema) -> StoreError {
        StoreError(
            .unknownProperty, path: store.path, detail: "no such property in \(schema.name)")
    }

    func unknownObject(_ row: RowID, _ schema: ClassSchema) -> StoreError {
        StoreError(
            .unknownObject, path: store.path,
            detail: "\(schema.name) has no object with @id \(row.rawValue)")
    }
}
