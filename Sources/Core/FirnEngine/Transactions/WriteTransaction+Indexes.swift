import FirnPlatform
package import FirnValues

/// Adding and removing indexes.
extension WriteTransaction {
    /// Adds an index, which the commit builds.
    ///
    /// The change is not an operation, so the transaction writes pages.
    ///
    /// - Throws: ``StoreError`` with `invalidSchema` if there is such an index, a property does not
    ///   exist or cannot be indexed; with `duplicateKey` if two objects contradict a unique index.
    ///   Nothing is then changed.
    /// - Complexity: O(objects * log objects) in bounded memory, in the commit
    package func addIndex(
        _ definition: ClassDefinition.Index, to classID: ClassID
    ) throws(StoreError) {
        try changeIndexes(of: classID) { () throws(StoreError) in
            let index = try addIndexSchema(definition, to: classID)
            let schema = try record(classID).schema
            guard index.isUnique else { return }
            do throws(StoreError) {
                try checkUnique(index, of: schema)
            } catch {
                try removeIndexSchema(index, of: classID)
                throw error
            }
        }
    }

    /// Removes an index.
    ///
    /// The change is not an operation, so the transaction writes pages.
    package func removeIndex(_ index: IndexSchema, of classID: ClassID) throws(StoreError) {
        try changeIndexes(of: classID) { () throws(StoreError) in
            try removeIndexSchema(index, of: classID)
        }
    }

    private func changeIndexes(
        of classID: ClassID, _ change: () throws(StoreError) -> Void
    ) throws(StoreError) {
        try checkOpen()
        try becomeBulk()
        try beginOperation()
        defer { endOperation() }
        try seal(classID)
        try checkUniqueValues()
        // Another index may get the identity of one that is removed.
        uniqueClaims[classID] = nil
        try change()
        noteSchemaChange()
        hasChanges = true
        operationCount += 1
    }

    // MARK: Catalog

    /// Adds an index to the catalog.
    @discardableResult
    func addIndexSchema(
        _ definition: ClassDefinition.Index, to classID: ClassID
    ) throws(StoreError) -> IndexSchema {
        let record = try self.record(classID)
        let schema = record.schema
        let columns = try definition.propertyNames.map { name throws(StoreError) in
            guard let property = schema.propertyNamed(name) else {
                throw StoreError(
                    .unknownProperty, path: store.path,
                    detail: "class \(schema.name) has no property \(name) to index",
                    remedy: schema.nearestNames(to: name))
            }
            return property
        }
        let last = schema.indexes.map(\.id.rawValue).max() ?? 0
        guard last < .max else { throw invalid("no index id is left") }
        let index = IndexSchema(
            id: IndexID(last + 1), properties: columns.map(\.id), options: definition.options)
        try check(index, columns, schema)
        // A class without rows in the root has all of its entries in the overlay.
        let isEmpty = base.root.catalog[classID]?.directory == nil
        overlay.catalog.update(classID) { record in
            record.schema = record.schema.with(indexes: record.schema.indexes + [index])
            record.schema = record.schema.marked(index, isIndexed: true)
            record.indexTrees[index.id] = isEmpty ? .built(nil) : .unbuilt
        }
        return index
    }

    private func check(
        _ index: IndexSchema, _ columns: [PropertySchema], _ schema: ClassSchema
    ) throws(StoreError) {
        let name = schema.name(of: index)
        if let column = columns.first(where: { !$0.canBeIndexed }) {
            throw invalid(
                "\(schema.name).\(column.name) is \(self.schema.typeName(column.type)), "
                    + "which has no order for an index")
        }
        if schema.index(on: index.properties, options: index.options) != nil {
            throw invalid("\(schema.name) has the index \(name) already")
        }
        guard index.isPossible(on: columns) else {
            let reason =
                if columns.isEmpty {
                    "an index needs a property"
                } else if columns.count > IndexSchema.propertyCountMaximum {
                    "an index has at most \(IndexSchema.propertyCountMaximum) properties"
                } else if Set(columns.map(\.id)).count < columns.count {
                    "\(name) names a property twice"
                } else if columns.contains(where: { $0.type.container != .single }) {
                    index.isUnique
                        ? "\(name) cannot be unique, because it has an entry for each element"
                        : "\(name): a list or set cannot be indexed together with other properties"
                } else {
                    "\(name): only an index of texts can ignore case"
                }
            throw invalid(reason)
        }
    }

    private func removeIndexSchema(
        _ index: IndexSchema, of classID: ClassID
    ) throws(StoreError) {
        let schema = try record(classID).schema
        guard schema.indexes.contains(index) else {
            throw invalid("\(schema.name) has no index \(schema.name(of: index))")
        }
        overlay.catalog.update(classID) { $0.remove(index) }
    }

    // MARK: Unique values

    /// Checks that no two objects have the same values.
    private func checkUnique(
        _ index: IndexSchema, of schema: ClassSchema
    ) throws(StoreError) {
        guard let publisher else { return }
        let table = try sealedTable(schema)
        let encoder = IndexEncoder(index, of: schema)
        var sorter = ExternalSorter(ofEntriesBeside: store.path, services: publisher.services)
        for view in try table.rowGroups() {
            try encoder.forEachLiveEntry(of: view) { key throws(StoreError) in
                try sorter.append(key: key, value: .none)
            }
        }
        var check = UniqueCheck(encoder, table)
        try sorter.finish { key, _ throws(StoreError) in try check.add(key) }
    }
}

extension ClassRecord {
    /// Removes an index.
    mutating func remove(_ index: IndexSchema) {
        schema = schema.with(indexes: schema.indexes.filter { $0.id != index.id })
        schema = schema.marked(index, isIndexed: false)
        indexTrees[index.id] = nil
    }
}

extension ClassSchema {
    /// Returns the class after a plain index was added or removed.
    fileprivate func marked(_ index: IndexSchema, isIndexed: Bool) -> ClassSchema {
        guard index.isPlain, let id = index.properties.first else { return self }
        return with(
            properties: properties.map { $0.id == id ? $0.marked(isIndexed: isIndexed) : $0 })
    }

    /// Returns a remedy that names the most similar properties.
    fileprivate func nearestNames(to name: String) -> String? {
        let names = NearestNames.find(name, among: properties.map(\.name))
        return names.isEmpty ? nil : "similar: \(names.joined(separator: ", "))"
    }
}
