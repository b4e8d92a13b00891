import FirnEngine
import FirnFormats
import FirnValues

/// The classes that a reader needs to write the objects of a stream.
struct StreamSchema {
    let definitions: [ClassDefinition]

    /// - Parameter shapes: the shown classes, with the shown properties.
    init(_ shapes: [ObjectShape], in schema: Schema) {
        var needed = Set(shapes.map(\.classSchema.id))
        var waiting = shapes.map { ($0.classSchema, TextSet($0.columns.map(\.name))) }
        var shown: [ClassID: TextSet] = [:]
        for (classSchema, names) in waiting { shown[classSchema.id] = names }
        // Adds link targets transitively.
        while let (classSchema, names) = waiting.popLast() {
            for property in classSchema.properties where names.contains(property.name) {
                guard let target = property.type.target.flatMap({ schema[$0] }),
                    needed.insert(target.id).inserted
                else { continue }
                waiting.append((target, TextSet(target.properties.map(\.name))))
            }
        }
        let names = TextSet(schema.classes.filter { needed.contains($0.id) }.map(\.name))
        definitions = schema.classes.filter { needed.contains($0.id) }.map { classSchema in
            StreamSchema.limited(
                schema.definition(of: classSchema), to: shown[classSchema.id], classes: names)
        }
    }

    /// Returns a class with some of its properties; inverses need their class.
    private static func limited(
        _ definition: ClassDefinition, to names: TextSet?, classes: TextSet
    ) -> ClassDefinition {
        // The key is in each line, even if it is not among the shown properties.
        let properties = definition.properties.filter {
            $0.name == definition.keyName || names?.contains($0.name) ?? true
        }
        let isWhole = properties.count == definition.properties.count
        return ClassDefinition(
            name: definition.name, properties: properties, keyName: definition.keyName,
            isEmbedded: definition.isEmbedded,
            inverses: isWhole
                ? definition.inverses.filter { classes.contains($0.sourceClassName) } : [])
    }
}
