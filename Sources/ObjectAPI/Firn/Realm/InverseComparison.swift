import FirnEngine
import FirnValues

/// The differences between the inverses of a class in the model and in the file.
///
/// The file already has the properties from which the inverses are derived.
struct InverseComparison {
    /// The changes that the file receives automatically.
    ///
    /// An inverse holds no data, so that of the model replaces a different one of the same name.
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

/// The property of the file from which an inverse of the model is derived.
struct InverseOrigin {
    let source: ClassSchema
    let property: PropertySchema

    /// - Returns: `nil` if the file has no such property, or if the inverse belongs to a dynamic
    ///   object, which is not declared.
    init?(_ inverse: PropertyLayout, _ schema: FirnEngine.Schema) {
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

    /// Returns whether an inverse of the file is derived from this property.
    func isSource(of inverse: InverseProperty) -> Bool {
        inverse.sourceClass == source.id && inverse.sourceProperty == property.id
    }
}
