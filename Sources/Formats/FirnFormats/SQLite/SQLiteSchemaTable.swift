package import FirnEngine
import FirnValues

/// The table with the classes of an export, from which an import recreates the same classes.
package enum SQLiteSchemaTable {
    /// The name of the table.
    package static let name = "firn_schema"
    /// The only column, whose only row contains the schema document.
    package static let column = "document"

    /// Adds the table to a database.
    ///
    /// - Parameter exported: the classes with a table; a link to any other class is a plain value.
    package static func write(
        _ exported: [ClassSchema], of schema: Schema, to output: SQLiteOutput
    ) throws(CommandFailure) {
        output.reserve([name])
        try output.execute("CREATE TABLE \(name) (\(column) TEXT NOT NULL)")
        let row = try SQLiteInsertion("INSERT INTO \(name) VALUES(?)", into: output)
        let document = Array(SchemaDocument.json(definitions(exported, of: schema)).utf8)
        let result = document.withUnsafeBufferPointer { text in
            Result { () throws(CommandFailure) in
                try row.bind(0, text: text)
                try row.run()
            }
        }
        try result.get()
    }

    /// Returns the exported classes and the classes of their embedded objects, in the order of the
    /// schema.
    private static func definitions(
        _ exported: [ClassSchema], of schema: Schema
    ) -> [ClassDefinition] {
        var needed: Set<ClassID> = []
        func add(_ added: ClassSchema) {
            guard needed.insert(added.id).inserted else { return }
            for property in added.properties {
                guard let target = property.type.target.flatMap({ schema[$0] }), target.isEmbedded
                else { continue }
                add(target)
            }
        }
        for item in exported { add(item) }
        let names = TextSet(schema.classes.filter { needed.contains($0.id) }.map(\.name))
        return schema.classes.filter { needed.contains($0.id) }.map { item in
            let definition = schema.definition(of: item)
            return ClassDefinition(
                name: item.name,
                properties: zip(item.properties, definition.properties).map { property, found in
                    let target = property.type.target.flatMap { schema[$0] }
                    return target.map { needed.contains($0.id) } ?? true
                        ? found : ColumnarMetadata.keyed(property, found, in: schema)
                },
                keyName: definition.keyName, isEmbedded: item.isEmbedded,
                inverses: definition.inverses.filter { names.contains($0.sourceClassName) },
                indexes: definition.indexes)
        }
    }
}
