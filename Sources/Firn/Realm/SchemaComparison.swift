import FirnEngine
import FirnValues

/// How a class of the model differs from that of the file, but for its inverses.
struct SchemaComparison {
    /// What the file gets by itself.
    private(set) var changes: [SchemaChange] = []
    /// What needs a migration, one sentence each.
    private(set) var problems: [String] = []
    /// What the model marks as indexed, and the file does not.
    ///
    /// Marks of the file that the model lacks stay, as properties do: they may be those of another
    /// program, and the two would change the file in turn.
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
                    .addProperty(known.id, property, filling: layout.filling(of: property)))
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
    /// Whether both hold the same values; which class a link leads to is not compared.
    fileprivate func isSame(as other: FirnValues.PropertyType) -> Bool {
        let mayBeNil = isOptional || base == .link || base == .any
        let otherMayBeNil = other.isOptional || other.base == .link || other.base == .any
        return base == other.base && container == other.container && mayBeNil == otherMayBeNil
            && integerWidth == other.integerWidth
    }
}
