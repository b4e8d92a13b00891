package import FirnEngine
import FirnValues

/// The schema that an export adds to a Parquet or Arrow file, from which an import recreates the
/// same properties.
package struct ColumnarMetadata {
    /// The key of the schema among the texts of a file.
    package static let key = "firn.schema"

    private let schema: Schema
    private var definitions: [ClassDefinition] = []
    private var known: Set<ClassID> = []

    /// Returns the schema document of the rows of a class.
    package static func text(of main: ClassSchema, in schema: Schema) -> String {
        var metadata = ColumnarMetadata(schema: schema)
        metadata.add(main)
        return SchemaDocument.json(metadata.definitions)
    }

    private init(schema: Schema) { self.schema = schema }

    /// Adds a class after the classes of its embedded objects.
    private mutating func add(_ added: ClassSchema) {
        guard known.insert(added.id).inserted else { return }
        for property in added.properties {
            guard let target = property.type.target.flatMap({ schema[$0] }), target.isEmbedded
            else { continue }
            add(target)
        }
        let definition = schema.definition(of: added)
        definitions.append(
            ClassDefinition(
                name: added.name,
                properties: zip(added.properties, definition.properties).map { schema, property in
                    ColumnarMetadata.keyed(schema, property, in: self.schema)
                }, keyName: definition.keyName, isEmbedded: added.isEmbedded))
    }

    /// Returns a property with the keys of its targets, which the file has instead of links.
    static func keyed(
        _ property: PropertySchema, _ definition: ClassDefinition.Property, in schema: Schema
    ) -> ClassDefinition.Property {
        guard property.type.base == .link,
            let target = property.type.target.flatMap({ schema[$0] }), !target.isEmbedded
        else { return definition }
        let key = target.keyProperty?.type ?? PropertyType(.int)
        let isSingle = property.type.container == .single
        return ClassDefinition.Property(
            name: definition.name,
            type: PropertyType(
                key.base, isOptional: isSingle || key.isOptional,
                container: property.type.container, integerWidth: key.integerWidth),
            columnName: definition.columnName)
    }
}
