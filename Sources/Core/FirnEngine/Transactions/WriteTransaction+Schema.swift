import FirnPlatform
import FirnValues

/// Adding classes.
extension WriteTransaction {
    static let nameByteCountMaximum = 255

    func apply(_ change: SchemaChange) throws(StoreError) {
        switch change {
        case .addClasses(let definitions): try addClasses(definitions)
        case .renameClass(let id, let name): try renameClass(id, to: name)
        case .removeClass(let id): try removeClass(id)
        case .addProperty(let id, let property, let defaultValue):
            try addProperty(property, to: id, defaultValue: defaultValue)
        case .renameProperty(let id, let property, let name):
            try renameProperty(property, of: id, to: name)
        case .removeProperty(let id, let property): try removeProperty(property, of: id)
        case .setKey(let id, let property): try setKey(property, of: id)
        case .addInverse(let id, let inverse): try addInverse(inverse, to: id)
        case .removeInverse(let id, let name): try removeInverse(name, of: id)
        case .setModelVersion(let version): try setModelVersion(version)
        }
    }

    /// Stores the version number that a program gives its classes.
    package func setModelVersion(_ version: UInt64) throws(StoreError) {
        try beginOperation()
        defer { endOperation() }
        overlay.catalog.modelVersion = version
        noteSchemaChange()
        try record(.schema(.setModelVersion(version)))
    }

    /// Adds a class.
    ///
    /// - Throws: The errors of ``addClasses(_:)``.
    @discardableResult
    package func addClass(_ definition: ClassDefinition) throws(StoreError) -> ClassSchema {
        try addClasses([definition])[0]
    }

    /// Adds classes, which may link to each other.
    ///
    /// - Throws: ``StoreError`` with `invalidSchema` if a name is taken, a property occurs twice, a
    ///   key is not a property or has an unsuitable type, a link refers to no class, or an embedded
    ///   class has a key or could contain itself. No class is then added.
    @discardableResult
    package func addClasses(
        _ definitions: [ClassDefinition]
    ) throws(StoreError) -> [ClassSchema] {
        try checkOpen()
        // Such indexes are not part of an operation, so the transaction writes pages.
        if definitions.contains(where: { !$0.indexes.isEmpty }) { try becomeBulk() }
        try beginOperation()
        defer { endOperation() }
        let before = overlay.catalog
        do throws(StoreError) {
            for definition in definitions { try addEmptyClass(definition) }
            for definition in definitions { try addProperties(definition) }
            for definition in definitions { try addInverses(definition) }
            for definition in definitions { try addIndexes(definition) }
            try checkEmbedding()
        } catch {
            overlay.catalog = before
            throw error
        }
        noteSchemaChange()
        if !definitions.isEmpty { try record(.schema(.addClasses(definitions))) }
        return definitions.compactMap { schema.classNamed($0.name) }
    }

    private func addEmptyClass(_ definition: ClassDefinition) throws(StoreError) {
        try checkName(definition.name, of: "class")
        guard schema.classNamed(definition.name) == nil else {
            throw invalid("a class named \(definition.name) exists already")
        }
        guard overlay.catalog.nextClassID.rawValue < .max else {
            throw invalid("no class id is left")
        }
        let id = overlay.catalog.nextClassID
        overlay.catalog.nextClassID = ClassID(id.rawValue + 1)
        overlay.catalog.classes.append(
            ClassRecord(
                schema: ClassSchema(
                    id: id, name: definition.name, properties: [], key: nil,
                    isEmbedded: definition.isEmbedded),
                nextPropertyID: PropertyID(1)))
    }

    private func addProperties(_ definition: ClassDefinition) throws(StoreError) {
        guard let id = schema.classNamed(definition.name)?.id else { return }
        for property in definition.properties { try addColumn(property, to: id) }
        guard let keyName = definition.keyName else { return }
        guard let key = overlay.catalog[id]?.schema.propertyNamed(keyName) else {
            throw invalid("the key \(keyName) is not a property of class \(definition.name)")
        }
        try checkKeyType(key, definition.isEmbedded)
        overlay.catalog.update(id) { $0.schema = $0.schema.with(key: key.id) }
    }

    private func addIndexes(_ definition: ClassDefinition) throws(StoreError) {
        guard let id = schema.classNamed(definition.name)?.id else { return }
        for index in definition.indexes { try addIndexSchema(index, to: id) }
    }

    private func addInverses(_ definition: ClassDefinition) throws(StoreError) {
        guard let id = schema.classNamed(definition.name)?.id else { return }
        for inverse in definition.inverses { try addInverseName(inverse, to: id) }
    }

    /// Adds a property to the catalog.
    @discardableResult
    func addColumn(
        _ definition: ClassDefinition.Property, to classID: ClassID
    ) throws(StoreError) -> PropertySchema {
        let record = try self.record(classID)
        let className = record.schema.name
        try checkNewName(definition.name, in: record.schema)
        if let column = definition.columnName { try checkName(column, of: "column") }
        guard record.schema.properties.count < ClassSchema.propertyCountMaximum else {
            throw invalid("class \(className) has too many properties")
        }
        let property = PropertySchema(
            id: record.nextPropertyID, name: definition.name,
            type: try storedType(of: definition, in: record.schema), display: definition.display,
            isIndexed: false, columnName: definition.columnName)
        overlay.catalog.update(classID) { record in
            record.nextPropertyID = PropertyID(property.id.rawValue + 1)
            record.schema = record.schema.with(properties: record.schema.properties + [property])
        }
        guard definition.isIndexed else { return property }
        if property.canBeIndexed {
            try addIndexSchema(.init([property.name]), to: classID)
        } else {
            overlay.catalog.update(classID) { record in
                record.schema = record.schema.with(
                    properties: record.schema.properties.map {
                        $0.id == property.id ? $0.marked(isIndexed: true) : $0
                    })
            }
        }
        return try self.record(classID).schema[property.id] ?? property
    }

    /// Returns the type of a property with the class to which it links.
    private func storedType(
        of definition: ClassDefinition.Property, in schema: ClassSchema
    ) throws(StoreError) -> PropertyType {
        let type = definition.type
        let name = "property \(definition.name) of \(schema.name)"
        guard type.base.isStorable else {
            throw invalid("\(name): type \(type.name) cannot be stored")
        }
        guard type.base == .link else {
            return PropertyType(
                type.base, isOptional: type.isOptional || type.base == .any,
                container: type.container, integerWidth: type.integerWidth)
        }
        let target: ClassSchema?
        if let targetName = definition.targetName {
            target = self.schema.classNamed(targetName)
        } else {
            target = type.target.flatMap { self.schema[$0] }
        }
        guard let target else {
            throw invalid(
                "\(name) links to \(definition.targetName ?? "a class"), which does not exist")
        }
        guard !(target.isEmbedded && type.container == .set) else {
            throw invalid("\(name): embedded objects cannot be in a set")
        }
        // A link may always be nil, and so may a value of a map of links; elements never are.
        let isOptional = type.container == .single || type.container == .map
        return PropertyType(
            .link, isOptional: isOptional, container: type.container, target: target.id)
    }

    // MARK: Rules

    func checkKeyType(_ key: PropertySchema, _ isEmbedded: Bool) throws(StoreError) {
        guard !isEmbedded else { throw invalid("an embedded class cannot have a key") }
        guard key.canBeKey else {
            throw invalid(
                "the key \(key.name) must be Int, String, UUID or ObjectId, it is "
                    + schema.typeName(key.type))
        }
    }

    /// Checks that no embedded class can contain itself, even indirectly, because such objects
    /// would be nested without end.
    func checkEmbedding() throws(StoreError) {
        var embedding: [ClassID: [ClassID]] = [:]
        for source in schema.classes where source.isEmbedded {
            embedding[source.id] = source.properties.filter { overlay.catalog.isOwning($0) }
                .compactMap(\.type.target)
        }
        guard embedding.isAcyclic else {
            throw invalid("embedded objects could contain themselves")
        }
    }

    func checkNewName(_ name: String, in schema: ClassSchema) throws(StoreError) {
        try checkName(name, of: "property of class \(schema.name)")
        guard schema.propertyNamed(name) == nil, schema.inverseNamed(name) == nil else {
            throw invalid("property \(name) is in class \(schema.name) already")
        }
    }

    func checkName(_ name: String, of what: String) throws(StoreError) {
        let bytes = name.utf8
        guard !bytes.isEmpty, bytes.count <= WriteTransaction.nameByteCountMaximum,
            !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else {
            throw invalid(
                "the name of a \(what) must have 1 to \(WriteTransaction.nameByteCountMaximum) "
                    + "bytes and no control characters")
        }
    }

    func invalid(_ detail: String, remedy: String? = nil) -> StoreError {
        StoreError(.invalidSchema, path: store.path, detail: detail, remedy: remedy)
    }

    /// Whether this transaction has changed the schema.
    package var hasSchemaChanges: Bool { overlay.hasSchemaChanges }

    func noteSchemaChange() {
        overlay.catalog.schemaVersion += 1
        // A property or an index that is rolled back gives its identity to another one.
        overlay.forgetDerived()
        overlay.hasSchemaChanges = true
    }
}

extension ClassSchema {
    /// Returns the same class with some fields changed.
    func with(
        name: String? = nil, properties: [PropertySchema]? = nil, key: PropertyID?? = nil,
        isEmbedded: Bool? = nil, inverses: [InverseProperty]? = nil,
        indexes: [IndexSchema]? = nil
    ) -> ClassSchema {
        ClassSchema(
            id: id, name: name ?? self.name, properties: properties ?? self.properties,
            key: key ?? self.key, isEmbedded: isEmbedded ?? self.isEmbedded,
            inverses: inverses ?? self.inverses, indexes: indexes ?? self.indexes)
    }
}
