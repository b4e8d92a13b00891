package import FirnEngine
import FirnValues

/// The readable text of classes.
///
///     Person
///       id    Int, key
///       dogs  List<Dog>
package enum SchemaText {
    package static func text(_ definitions: [ClassDefinition]) -> String {
        definitions.map(text).joined(separator: "\n")
    }

    private static func text(_ definition: ClassDefinition) -> String {
        let rows =
            definition.properties.map { ($0.name, description($0, in: definition)) }
            + definition.inverses.map { inverse in
                (
                    inverse.name,
                    "\(SchemaDocument.inverseName)<\(inverse.sourceClassName)>, "
                        + "from \(inverse.sourcePropertyName)"
                )
            }
        let names = rows.map { SafeText.escaping($0.0) }
        let widths = names.map { DisplayWidth.columns(of: $0) }
        let widest = widths.max() ?? 0
        var text = SafeText.escaping(definition.name)
        if definition.isEmbedded { text += " (embedded)" }
        text += "\n"
        for (index, row) in rows.enumerated() {
            text += "  " + names[index]
            text += String(repeating: " ", count: widest - widths[index] + 2)
            text += SafeText.escaping(row.1) + "\n"
        }
        for index in definition.indexes
        where index.propertyNames.count > 1 || index.options != .unique {
            text += "  index \(description(index))\n"
        }
        return text
    }

    private static func description(_ index: ClassDefinition.Index) -> String {
        let names = index.propertyNames.map { SafeText.escaping($0) }.joined(separator: ", ")
        return "(\(names))" + (index.options.contains(.caseInsensitive) ? "[c]" : "")
            + (index.options.contains(.unique) ? ", unique" : "")
    }

    private static func description(
        _ property: ClassDefinition.Property, in definition: ClassDefinition
    ) -> String {
        var text = property.typeName
        switch property.display {
        case .dateOnly: text += ", dates only"
        case .decimalPlaces(let places):
            text += ", \(places) decimal place\(places == 1 ? "" : "s")"
        case nil, .computedPlaces: break
        }
        if property.name == definition.keyName { text += ", key" }
        if property.isIndexed { text += ", indexed" }
        if definition.isUnique(property) { text += ", unique" }
        if let column = property.columnName { text += ", column \(column)" }
        return text
    }
}
