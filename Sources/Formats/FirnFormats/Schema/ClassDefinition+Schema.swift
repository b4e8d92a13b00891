package import FirnEngine
import FirnValues

extension Schema {
    /// Returns the definition of a class.
    package func definition(of schema: ClassSchema) -> ClassDefinition {
        ClassDefinition(
            name: schema.name,
            properties: schema.properties.map { property in
                ClassDefinition.Property(
                    name: property.name, type: property.type, display: property.display,
                    targetName: property.type.target.flatMap { self[$0]?.name },
                    isIndexed: property.isIndexed && property.canBeIndexed,
                    columnName: property.columnName == property.name ? nil : property.columnName)
            },
            keyName: schema.keyProperty?.name, isEmbedded: schema.isEmbedded,
            inverses: schema.inverses.compactMap { inverse in
                guard let source = self[inverse.sourceClass],
                    let property = source[inverse.sourceProperty]
                else { return nil }
                return ClassDefinition.Inverse(
                    name: inverse.name, sourceClassName: source.name,
                    sourcePropertyName: property.name)
            },
            indexes: schema.indexes.filter { !$0.isPlain }.map { index in
                ClassDefinition.Index(
                    index.properties.compactMap { schema[$0]?.name }, options: index.options)
            })
    }
}

extension ClassDefinition {
    /// Returns the class with other properties and indexes.
    package func with(properties: [Property]? = nil, indexes: [Index]) -> ClassDefinition {
        ClassDefinition(
            name: name, properties: properties ?? self.properties, keyName: keyName,
            isEmbedded: isEmbedded, inverses: inverses, indexes: indexes)
    }

    /// Whether a property has a unique index of its own.
    func isUnique(_ property: Property) -> Bool {
        indexes.contains { $0.propertyNames == [property.name] && $0.options == .unique }
    }
}

extension ClassDefinition.Property {
    /// The name of the type, including the target class of a link: `Int?`, `List<Dog>`.
    package var typeName: String { type.name(ofTarget: targetName ?? "Link") }
}
