import FirnPlatform
import FirnValues

extension WriteTransaction {
    static let nameByteCountMaximum = 255

    func apply(_ change: SchemaChange) throws(StoreError) {
        switch change {
        case .addClasses(let definitions): try addClasses(definitions)
        case .renameClass(let id, let name): try renameClass(id, to: name)
        case .removeClass(let id): try removeClass(id)
        case .addProperty(let id, let property, let filling):
            try addProperty(property, to: id, filling: filling)
        case .renameProperty(let id, let property, let name):
            try renameProperty(property, of: id, to: name)
        case .removeProperty(let id, let property): try removeProperty(property, of: id)
        case .setKey(let id, let property): try setKey(property, of: id)
        case .addInverse(let id, let inverse): try addInverse(inverse, to: id)
        case .removeInverse(let id, let name): try removeInverse(name, of: id)
        }
    }

    /// Adds a class.
    ///
    /// - Throws: ``StoreError`` with `invalidSchema` if the name is taken, a property is there twice,
    ///   the key is no property or may be nil, or a type cannot be stored.
    @discardableResult
    package func addClass(_ definition: ClassDefinition) throws(StoreError) -> ClassSchema {
        try checkOpen()
        try check(definition)
        let id = overlay.catalog.nextClassID
        let properties = definition.properties.enumerated().map { index, property in
            PropertySchema(
                id: PropertyID(UInt32(index) + 1), name: property.name, type: property.type,
                display: property.display)
        }
        let schema = ClassSchema(
            id: id, name: definition.name, properties: properties,
            key: definition.keyName.flatMap { name in
                properties.first { $0.name == name }?.id
            })
        overlay.catalog.classes.append(
            ClassRecord(
                schema: schema, nextPropertyID: PropertyID(UInt32(properties.count) + 1)))
        overlay.catalog.nextClassID = ClassID(id.rawValue + 1)
        overlay.catalog.schemaVersion += 1
        overlay.hasSchemaChanges = true
        return schema
    }

    private func check(_ definition: ClassDefinition) throws(StoreError) {
        func invalid(_ detail: String) -> StoreError {
            StoreError(.invalidSchema, path: store.path, detail: detail)
        }
        try checkName(definition.name, of: "class")
        guard schema.classNamed(definition.name) == nil else {
            throw invalid("a class named \(definition.name) exists already")
        }
        guard definition.properties.count <= ClassSchema.propertyCountMaximum,
            overlay.catalog.nextClassID.rawValue < .max
        else { throw invalid("class \(definition.name) has too many properties") }
        var names: Set<String> = []
        for property in definition.properties {
            try checkName(property.name, of: "property of class \(definition.name)")
            guard names.insert(property.name).inserted else {
                throw invalid("property \(property.name) is in class \(definition.name) twice")
            }
            guard PropertySchema.storable.contains(property.type.base),
                property.type.container == .single
            else {
                throw invalid(
                    "property \(property.name): type \(property.type.name) cannot be stored")
            }
        }
        if let key = definition.keyName {
            guard let property = definition.properties.first(where: { $0.name == key }) else {
                throw invalid("the key \(key) is no property of class \(definition.name)")
            }
            guard !property.type.isOptional, [.int, .string].contains(property.type.base) else {
                throw invalid(
                    "the key \(key) must be Int or String and never nil, it is "
                        + property.type.name)
            }
        }
    }

    private func checkName(_ name: String, of what: String) throws(StoreError) {
        let bytes = name.utf8
        guard !bytes.isEmpty, bytes.count <= WriteTransaction.nameByteCountMaximum,
            !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else {
            throw StoreError(
                .invalidSchema, path: store.path,
                detail: "the name of a \(what) must have 1 to "
                    + "\(WriteTransaction.nameByteCountMaximum) bytes and no control characters")
        }
    }
}
