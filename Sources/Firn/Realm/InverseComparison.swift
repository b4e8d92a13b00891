import FirnEngine

/// How the inverses of a class of the model differ from those of the file, which has the properties that
/// they are the inverses of.
struct InverseComparison {
    /// What the file gets by itself: an inverse holds no data, so that of the model takes the place of
    /// another one of its name.
    private(set) var changes: [SchemaChange] = []

    init(_ layout: ClassLayout, _ known: ClassSchema, _ schema: FirnEngine.Schema) {
        for property in layout.properties where property.declaration.isInverse {
            guard let origin = InverseOrigin(property, schema) else { continue }
            if let stored = known.inverseNamed(property.name) {
                guard !origin.isSource(of: stored) else { continue }
                changes.append(.removeInverse(known.id, stored.name))
            }
            changes.append(
                .addInverse(
                    known.id,
                    ClassDefinition.Inverse(
                        name: property.name, sourceClassName: origin.source.name,
                        sourcePropertyName: origin.property.name)))
        }
    }
}

/// The property of the file that an inverse of the model is declared to be the inverse of.
struct InverseOrigin {
    let source: ClassSchema
    let property: PropertySchema

    /// - Returns: `nil` if the file has no such property, and for an inverse of a dynamic object, which is
    ///   declared nowhere.
    init?(_ inverse: ClassLayout.Property, _ schema: FirnEngine.Schema) {
        guard let type = inverse.declaration.target, let origin = inverse.traits.originProperty,
            let source = schema.classNamed(type.className())
        else { return nil }
        let column = type.propertiesMapping()[origin] ?? origin
        let property =
            source.properties.first { $0.columnName == column } ?? source.propertyNamed(origin)
        guard let property else { return nil }
        self.source = source
        self.property = property
    }

    /// Whether an inverse of the file follows this property.
    func isSource(of inverse: InverseProperty) -> Bool {
        inverse.sourceClass == source.id && inverse.sourceProperty == property.id
    }
}
