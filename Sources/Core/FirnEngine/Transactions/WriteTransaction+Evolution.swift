import FirnCodec
package import FirnValues
import HashTreeCollections

/// Changing classes that have objects.
extension WriteTransaction {
    /// Renames a class; only the catalog changes.
    package func renameClass(_ id: ClassID, to name: String) throws(StoreError) {
        try beginOperation()
        defer { endOperation() }
        let schema = try record(id).schema
        guard schema.name != name else { return }
        try checkName(name, of: "class")
        guard self.schema.classNamed(name) == nil else {
            throw invalid("a class named \(name) exists already")
        }
        try changeSchema(of: id) { $0.with(name: name) }
        try record(.schema(.renameClass(id, name)))
    }

    /// Removes a class with its objects and the embedded objects that they hold.
    ///
    /// - Throws: ``StoreError`` with `invalidSchema` while properties of other classes link to it.
    package func removeClass(_ id: ClassID) throws(StoreError) {
        try beginOperation()
        defer { endOperation() }
        let schema = try record(id).schema
        for link in self.schema.incoming(to: id) where link.source.id != id {
            throw invalid(
                "\(link.source.name).\(link.property.name) links to class \(schema.name)",
                remedy: "remove that property first")
        }
        let hasHolders = schema.properties.contains { overlay.catalog.isOwning($0) }
        let mayBeLinked = self.schema.classes.contains { other in
            other.id != id && other.properties.contains { $0.type.base == .any }
        }
        if hasHolders || mayBeLinked {
            try atomically { () throws(StoreError) in
                _ = try deleteObjects(try references(of: schema))
            }
        }
        try seal(id)
        maxKeyBounds[id] = nil
        orphans = orphans.filter { $0.classID != id }
        for case .stored(let group) in overlay.classes[id]?.appended ?? [] {
            giveBack(group.extents)
        }
        overlay.classes[id] = nil
        overlay.catalog.classes.removeAll { $0.schema.id == id }
        for other in overlay.catalog.classes.map(\.schema) {
            let kept = other.inverses.filter { $0.sourceClass != id }
            if kept != other.inverses {
                overlay.catalog.update(other.id) { $0.schema = $0.schema.with(inverses: kept) }
            }
        }
        noteSchemaChange()
        try recordRemoval(.schema(.removeClass(id)))
    }

    /// Adds a property.
    ///
    /// - Parameter defaultValue: The value for existing objects; without one it is nil or empty.
    /// - Throws: ``StoreError`` with `missingValue` if there are objects, the property requires a
    ///   value, and there is none.
    @discardableResult
    package func addProperty(
        _ definition: ClassDefinition.Property, to classID: ClassID, defaultValue: Value? = nil
    ) throws(StoreError) -> PropertySchema {
        try beginOperation()
        defer { endOperation() }
        try seal(classID)
        let before = overlay.catalog
        do throws(StoreError) {
            let property = try addColumn(definition, to: classID)
            try checkEmbedding()
            try fill(property, defaultValue, of: classID)
            noteSchemaChange()
            try record(.schema(.addProperty(classID, definition, defaultValue: defaultValue)))
            return property
        } catch {
            overlay.catalog = before
            throw error
        }
    }

    private func fill(
        _ property: PropertySchema, _ defaultValue: Value?, of classID: ClassID
    ) throws(StoreError) {
        let record = try self.record(classID)
        let isEmpty = try sealedTable(record.schema).liveRowCount == 0
        let defaultValue = defaultValue ?? property.type.emptyCollection
        guard !isEmpty || !defaultValue.isNull else { return }
        let value = try checked(defaultValue, for: property, of: record.schema)
        guard value != property.type.emptyCollection else { return }
        guard property.type.container == .single, value.linkTargets.isEmpty else {
            throw invalid("only a single value that is not a link can fill a new property")
        }
        overlay.catalog.update(classID) { $0.defaultValues[property.id] = value }
    }

    /// Renames a property; only the catalog changes.
    package func renameProperty(
        _ id: PropertyID, of classID: ClassID, to name: String
    ) throws(StoreError) {
        try beginOperation()
        defer { endOperation() }
        let schema = try record(classID).schema
        guard let property = schema[id] else { throw unknownProperty(schema) }
        guard property.name != name else { return }
        try checkNewName(name, in: schema)
        try changeSchema(of: classID) { schema in
            schema.with(
                properties: schema.properties.map { $0.id == id ? $0.renamed(name) : $0 })
        }
        try record(.schema(.renameProperty(classID, id, name)))
    }

    /// Sets whether a property is marked as indexed, and adds or removes its plain index.
    ///
    /// The change is not an operation, so the transaction writes pages.
    package func markProperty(
        _ id: PropertyID, of classID: ClassID, isIndexed: Bool
    ) throws(StoreError) {
        try checkOpen()
        let schema = try record(classID).schema
        guard let property = schema[id] else { throw unknownProperty(schema) }
        guard property.isIndexed != isIndexed else { return }
        if property.canBeIndexed {
            guard let index = schema.index(on: [id], options: []) else {
                return try addIndex(.init([property.name]), to: classID)
            }
            return try removeIndex(index, of: classID)
        }
        try becomeBulk()
        try beginOperation()
        defer { endOperation() }
        try changeSchema(of: classID) { schema in
            schema.with(
                properties: schema.properties.map {
                    $0.id == id ? $0.marked(isIndexed: isIndexed) : $0
                })
        }
        hasChanges = true
        operationCount += 1
    }

    /// Removes a property with its values and the embedded objects that it holds.
    package func removeProperty(_ id: PropertyID, of classID: ClassID) throws(StoreError) {
        try beginOperation()
        defer { endOperation() }
        let schema = try record(classID).schema
        guard let property = schema[id] else { throw unknownProperty(schema) }
        if overlay.catalog.isOwning(property) {
            try atomically { () throws(StoreError) in try releaseAll(property, of: schema) }
        }
        try seal(classID)
        overlay.classes[classID]?.links[id] = nil
        if schema.key == id { overlay.classes[classID]?.keys = .ascending }
        overlay.catalog.update(classID) { record in
            if record.schema.key == id { record.keyIndex = .ascending }
            for index in record.schema.indexes where index.properties.contains(id) {
                record.remove(index)
            }
            record.linkIndexes[id] = nil
            record.collectionTrees[id] = nil
            record.defaultValues[id] = nil
        }
        maxKeyBounds[classID] = nil
        for other in overlay.catalog.classes.map(\.schema) {
            let kept = other.inverses.filter {
                $0.sourceClass != classID || $0.sourceProperty != id
            }
            if kept != other.inverses {
                overlay.catalog.update(other.id) { $0.schema = $0.schema.with(inverses: kept) }
            }
        }
        try changeSchema(of: classID) { schema in
            schema.with(
                properties: schema.properties.filter { $0.id != id },
                key: .some(schema.key == id ? nil : schema.key))
        }
        try recordRemoval(.schema(.removeProperty(classID, id)))
    }

    /// Makes another property the key, or removes the key.
    ///
    /// If the class has rows, the index of another key requires pages, which the transaction then
    /// writes.
    ///
    /// - Parameter progress: called for each row group whose keys are compared, with the number of
    ///   rows before it and their total; an error leaves the class unchanged.
    /// - Throws: ``StoreError`` with `duplicateKey` or `invalidSchema`, and the errors of
    ///   `progress`.
    /// - Complexity: O(objects)
    package func setKey(
        _ id: PropertyID?, of classID: ClassID,
        progress: (_ done: Int, _ total: Int) throws(StoreError) -> Void = { _, _ in }
    ) throws(StoreError) {
        try checkOpen()
        guard try record(classID).schema.key != id else { return }
        let isEmpty = hasNoRows(classID)
        if id != nil, !isEmpty, operationDepth == 0 { try becomeBulk() }
        try beginOperation()
        defer { endOperation() }
        try seal(classID)
        let schema = try record(classID).schema
        if let id {
            guard let key = schema[id] else { throw unknownProperty(schema) }
            try checkKeyType(key, schema.isEmbedded)
            let views = try sealedTable(schema).rowGroups()
            let search = DuplicateKeySearch(groups: views, key: key)
            if let duplicate = try search.firstDuplicate(progress) {
                throw StoreError(
                    .duplicateKey, path: store.path,
                    detail: "\(key.name) \(duplicate.value.shortened) is that of the objects with "
                        + "@id \(duplicate.first.rawValue) and \(duplicate.second.rawValue)")
            }
        }
        try changeSchema(of: classID) { $0.with(key: .some(id)) }
        overlay.catalog.update(classID) { $0.keyIndex = .ascending }
        maxKeyBounds[classID] = nil
        if id == nil || isEmpty {
            overlay.classes[classID]?.keys = .ascending
        } else {
            unlistKeys(of: classID)
        }
        try record(.schema(.setKey(classID, id)))
    }

    /// Whether a class has no rows, not even deleted ones, and its key index is the one for
    /// ascending keys.
    private func hasNoRows(_ classID: ClassID) -> Bool {
        guard created[classID] == nil, overlay.classes[classID]?.appended.isEmpty ?? true else {
            return false
        }
        guard let old = base.root.catalog[classID] else { return true }
        return old.directory == nil && old.keyIndex == .ascending
    }

    /// Adds a name for the objects that link here through a property of another class.
    package func addInverse(
        _ inverse: ClassDefinition.Inverse, to classID: ClassID
    ) throws(StoreError) {
        try beginOperation()
        defer { endOperation() }
        try addInverseName(inverse, to: classID)
        noteSchemaChange()
        try record(.schema(.addInverse(classID, inverse)))
    }

    func addInverseName(
        _ inverse: ClassDefinition.Inverse, to classID: ClassID
    ) throws(StoreError) {
        let schema = try record(classID).schema
        try checkNewName(inverse.name, in: schema)
        guard let source = self.schema.classNamed(inverse.sourceClassName),
            let property = source.propertyNamed(inverse.sourcePropertyName),
            property.type.target == classID
        else {
            throw invalid(
                "\(schema.name).\(inverse.name): \(inverse.sourceClassName)."
                    + "\(inverse.sourcePropertyName) is not a link to \(schema.name)")
        }
        let added = InverseProperty(
            name: inverse.name, sourceClass: source.id, sourceProperty: property.id)
        overlay.catalog.update(classID) {
            $0.schema = $0.schema.with(inverses: $0.schema.inverses + [added])
        }
    }

    /// Removes a named inverse; the links stay.
    package func removeInverse(_ name: String, of classID: ClassID) throws(StoreError) {
        try beginOperation()
        defer { endOperation() }
        let schema = try record(classID).schema
        guard schema.inverseNamed(name) != nil else { throw unknownProperty(schema) }
        try changeSchema(of: classID) { schema in
            schema.with(inverses: schema.inverses.filter { $0.name != name })
        }
        try record(.schema(.removeInverse(classID, name)))
    }

    // MARK: Helpers

    func changeSchema(
        of classID: ClassID, _ change: (ClassSchema) -> ClassSchema
    ) throws(StoreError) {
        try seal(classID)
        overlay.catalog.update(classID) { $0.schema = change($0.schema) }
        noteSchemaChange()
    }

    /// Returns all objects of a class.
    func references(of schema: ClassSchema) throws(StoreError) -> [ObjectReference] {
        var references: [ObjectReference] = []
        for group in try table(schema).rowGroups() {
            for row in 0..<group.rowCount where try group.isLive(row) {
                references.append(
                    ObjectReference(classID: schema.id, rowID: try group.rowID(at: row)))
            }
        }
        return references
    }

    /// Deletes the embedded objects of all rows of a property.
    private func releaseAll(
        _ property: PropertySchema, of schema: ClassSchema
    ) throws(StoreError) {
        for reference in try references(of: schema) {
            try set(
                property.id, of: reference.rowID, in: schema.id,
                to: property.type.emptyCollection)
        }
    }
}

extension PropertySchema {
    func renamed(_ name: String) -> PropertySchema {
        PropertySchema(
            id: id, name: name, type: type, display: display, isIndexed: isIndexed,
            columnName: columnName == self.name ? name : columnName)
    }

    func marked(isIndexed: Bool) -> PropertySchema {
        PropertySchema(
            id: id, name: name, type: type, display: display, isIndexed: isIndexed,
            columnName: columnName)
    }
}
