package import FirnValues

/// Changing the type of a property.
extension WriteTransaction {
    /// Changes the type of a property.
    ///
    /// The conversion of the values is not an operation, so the transaction writes pages.
    ///
    /// - Parameter convert: Returns the new value for an old one, or throws if there is none.
    /// - Complexity: O(objects)
    package func retypeProperty(
        _ id: PropertyID, of classID: ClassID, to definition: ClassDefinition.Property,
        convert: (Value) throws(StoreError) -> Value
    ) throws(StoreError) {
        try checkOpen()
        try becomeBulk()
        try beginOperation()
        defer { endOperation() }
        try atomically { () throws(StoreError) in
            try retype(id, of: classID, to: definition, convert: convert)
        }
        hasChanges = true
        operationCount += 1
    }

    private func retype(
        _ id: PropertyID, of classID: ClassID, to definition: ClassDefinition.Property,
        convert: (Value) throws(StoreError) -> Value
    ) throws(StoreError) {
        let schema = try record(classID).schema
        guard let old = schema[id] else { throw unknownProperty(schema) }
        if definition.name != old.name { try checkNewName(definition.name, in: schema) }
        let isKey = schema.key == id
        let index = schema.index(of: id) ?? 0
        let indexes = schema.indexes.filter { $0.properties.contains(id) && !$0.isPlain }
        let new = try addColumn(definition.unnamed, to: classID)
        let inverses = self.schema.classes.map { (id: $0.id, inverses: $0.inverses) }
        try checkEmbedding()
        if isKey { try checkKeyType(new, schema.isEmbedded) }
        if !new.canBeIndexed, let index = indexes.first {
            let name = schema.name(of: index)
            throw invalid(
                "\(name) is an index, and \(self.schema.typeName(new.type)) has no order for one",
                remedy: "drop the index first, with firn alter")
        }
        try convertRows(from: old, to: new, of: classID, convert)
        try removeProperty(id, of: classID)
        try changeSchema(of: classID) { schema in
            var properties = schema.properties.filter { $0.id != new.id }
            properties.insert(new.renamed(definition.name), at: index)
            return schema.with(properties: properties)
        }
        restore(inverses, naming: id, as: new, of: classID)
        if isKey { try setKey(new.id, of: classID) }
        for index in indexes {
            let names = index.properties.compactMap {
                $0 == id ? definition.name : schema[$0]?.name
            }
            try addIndex(.init(names, options: index.options), to: classID)
        }
    }

    /// Restores the inverses if the new property links to the same class.
    private func restore(
        _ inverses: [(id: ClassID, inverses: [InverseProperty])], naming old: PropertyID,
        as new: PropertySchema, of classID: ClassID
    ) {
        for (target, inverses) in inverses where new.type.target == target {
            let renewed = inverses.map { inverse in
                inverse.sourceClass == classID && inverse.sourceProperty == old
                    ? InverseProperty(
                        name: inverse.name, sourceClass: classID, sourceProperty: new.id)
                    : inverse
            }
            overlay.catalog.update(target) { $0.schema = $0.schema.with(inverses: renewed) }
        }
    }

    private func convertRows(
        from old: PropertySchema, to new: PropertySchema, of classID: ClassID,
        _ convert: (Value) throws(StoreError) -> Value
    ) throws(StoreError) {
        let schema = try record(classID).schema
        if new.type.container == .single, !new.mayLink {
            return try fill(new.id, of: classID) { view throws(StoreError) in
                var values: [Value] = []
                for row in 0..<view.rowCount {
                    guard try view.isLive(row) else {
                        values.append(new.type.mayBeNull ? .null : new.type.someValue)
                        continue
                    }
                    let value = try convert(try view.value(of: old, at: row))
                    values.append(try self.checked(value, for: new, of: schema))
                }
                return values
            }
        }
        for reference in try references(of: schema) {
            let value = try convert(try self.value(of: old, of: reference.rowID, in: schema))
            try set(new.id, of: reference.rowID, in: classID, to: value)
        }
    }

    /// Replaces a property with one of another type, whose values do not depend on the old ones.
    ///
    /// The new property has another identity, and is the last one of the class.
    ///
    /// - Parameter defaultValue: The value of all objects; without one it is nil or empty.
    /// - Throws: The errors of ``addProperty(_:to:defaultValue:)`` and
    ///   ``removeProperty(_:of:)``, after which the transaction must be rolled back.
    package func replaceProperty(
        _ id: PropertyID, of classID: ClassID, by definition: ClassDefinition.Property,
        defaultValue: Value?
    ) throws(StoreError) {
        let new = try addProperty(
            definition.unnamed, to: classID, defaultValue: defaultValue)
        try removeProperty(id, of: classID)
        try renameProperty(new.id, of: classID, to: definition.name)
    }
}

extension ClassDefinition.Property {
    /// The property under a name that no other property has, for as long as the old one exists.
    fileprivate var unnamed: ClassDefinition.Property {
        ClassDefinition.Property(
            name: "\u{2063}", type: type, display: display, targetName: targetName,
            isIndexed: isIndexed, columnName: columnName ?? name)
    }
}

extension PropertyType {
    /// An arbitrary value of a required type, for deleted rows.
    fileprivate var someValue: Value {
        switch base {
        case .bool: .bool(false)
        case .int: .int(0)
        case .float: .float(0)
        case .double: .double(0)
        case .string: .string("")
        case .data: .data([])
        case .date: .date(Timestamp(seconds: 0))
        case .decimal128: .decimal128(Decimal128(0))
        case .objectID: .objectID(ObjectID(high: 0, low: 0))
        case .uuid: .uuid(UUID(high: 0, low: 0))
        case .null, .link, .any, .list, .set, .map: .null
        }
    }
}
