import FirnEngine
import FirnValues

/// The differences between a class of the model and that of the file, without inverses.
struct SchemaComparison {
    /// The changes that the file receives automatically.
    private(set) var changes: [SchemaChange] = []
    /// The differences that require a migration, one sentence each.
    private(set) var problems: [String] = []
    /// The properties that are marked as indexed in the model but not in the file.
    ///
    /// Marks of the file that the model lacks are kept, like properties. They may belong to another
    /// program, and the two programs would otherwise change the file in turn.
    private(set) var unmarked: [PropertyID] = []

    init(_ layout: ClassLayout, _ known: ClassSchema, _ schema: FirnEngine.Schema) {
        let definition = layout.storedDefinition
        let name = definition.name
        if definition.isEmbedded != known.isEmbedded {
            let kinds = ["top-level", "embedded"]
            let (before, after) = known.isEmbedded ? (kinds[1], kinds[0]) : (kinds[0], kinds[1])
            problems.append("class \(name) has been changed from \(before) to \(after)")
        }
        for property in definition.properties {
            let column = property.columnName ?? property.name
            guard
                let stored = known.properties.first(where: { $0.columnName == column })
                    ?? known.propertyNamed(property.name)
            else {
                changes.append(
                    .addProperty(
                        known.id, property, defaultValue: layout.defaultValue(of: property)))
                continue
            }
            if property.isIndexed, !stored.isIndexed { unmarked.append(stored.id) }
            let target = stored.type.target.flatMap { schema[$0]?.name }
            if !property.type.isSame(as: stored.type) || property.targetName != target {
                let wanted = property.type.name(ofTarget: property.targetName ?? "")
                problems.append(
                    "property \(name).\(property.name) has been changed from "
                        + "\(schema.typeName(stored.type)) to \(wanted)")
            }
        }
        let key = known.keyProperty?.name
        if definition.keyName != key {
            problems.append(
                "the primary key of class \(name) has changed from \(key ?? "none") to "
                    + (definition.keyName ?? "none"))
        }
    }
}

extension FirnValues.PropertyType {
    /// Returns whether both hold the same values, regardless of the class that a link leads to.
    fileprivate func isSame(as other: FirnValues.PropertyType) -> Bool {
        let mayBeNil = isOptional || base == .link || base == .any
        let otherMayBeNil = other.isOptional || other.base == .link || other.base == .any
        return base == other.base && container == other.container && mayBeNil == otherMayBeNil
            && integerWidth == other.integerWidth
    }
}
