import FirnEngine
import FirnValues

/// The differences between a class of the model and the class of the file, without inverses.
struct SchemaComparison {
    let layout: ClassLayout
    let known: ClassSchema
    /// The changes that the file receives automatically.
    private(set) var changes: [SchemaChange] = []
    /// The properties that only a migration can change.
    private(set) var replacements: [PropertyReplacement] = []
    /// The properties of the file that the model lacks.
    let unknown: [PropertySchema]
    /// The properties that have an index in the model but not in the file.
    private(set) var unmarked: [PropertyID] = []
    /// The properties that have an index in the file but not in the model.
    ///
    /// Only a model with a higher version removes them. They may belong to another program, and the
    /// two programs would otherwise build and remove indexes in turn.
    private(set) var unwanted: [PropertyID] = []
    private let definition: ClassDefinition

    init(_ layout: ClassLayout, _ known: ClassSchema, _ schema: FirnEngine.Schema) {
        self.layout = layout
        self.known = known
        definition = layout.storedDefinition
        var declared: Set<PropertyID> = []
        for property in definition.properties {
            guard let stored = known.property(for: property) else {
                changes.append(
                    .addProperty(
                        known.id, property, defaultValue: layout.defaultValue(of: property)))
                continue
            }
            declared.insert(stored.id)
            if property.isIndexed, !stored.isIndexed { unmarked.append(stored.id) }
            if !property.isIndexed, stored.isIndexed { unwanted.append(stored.id) }
            let target = stored.type.target.flatMap { schema[$0]?.name }
            if !property.type.isSame(as: stored.type) || property.targetName != target {
                replacements.append(
                    PropertyReplacement(
                        className: known.name, old: stored, definition: property,
                        oldTypeName: schema.typeName(stored.type),
                        keepsValues: property.type.holdsValues(of: stored.type)
                            && property.targetName == target,
                        defaultValue: layout.defaultValue(of: property)))
            }
        }
        unknown = known.properties.filter { !declared.contains($0.id) }
    }

    /// The name of the primary key in the model, if it differs from the name in the file.
    var newKeyName: String?? {
        definition.keyName == known.keyProperty?.name ? nil : .some(definition.keyName)
    }

    /// Whether only one of the two classes is embedded.
    var changesEmbedding: Bool { definition.isEmbedded != known.isEmbedded }

    /// Whether a migration is required.
    var needsMigration: Bool {
        !replacements.isEmpty || newKeyName != nil || changesEmbedding
    }

    /// All differences, one sentence each.
    var reasons: [String] {
        var reasons: [String] = []
        if changesEmbedding {
            let kinds = ["top-level", "embedded"]
            let (before, after) = known.isEmbedded ? (kinds[1], kinds[0]) : (kinds[0], kinds[1])
            reasons.append("Class '\(known.name)' has been changed from \(before) to \(after).")
        }
        reasons += addedNames.map { SchemaComparison.added(known.name, $0) }
        reasons += unknown.map { "Property '\(known.name).\($0.name)' has been removed." }
        reasons += replacements.map(\.reason)
        if let keyReason { reasons.append(keyReason) }
        return reasons
    }

    /// The names of the properties that the file lacks.
    var addedNames: [String] {
        changes.compactMap { change in
            guard case .addProperty(_, let property, _) = change else { return nil }
            return property.name
        }
    }

    static func added(_ className: String, _ name: String) -> String {
        "Property '\(className).\(name)' has been added."
    }

    private var keyReason: String? {
        guard let newKeyName else { return nil }
        let start = "Primary key for class '\(known.name)' has"
        switch (known.keyProperty?.name, newKeyName) {
        case (let old?, let new?): return "\(start) changed from '\(old)' to '\(new)'."
        case (nil, let new?): return "\(start) been added: '\(new)'."
        case (let old?, nil): return "\(start) been removed: '\(old)'."
        case (nil, nil): return nil
        }
    }
}

/// A property of the file that the model declares with another type.
struct PropertyReplacement {
    let className: String
    let old: PropertySchema
    let definition: ClassDefinition.Property
    let oldTypeName: String
    /// Whether the new type holds the values of the old one, apart from nil and large integers.
    let keepsValues: Bool
    /// The value of a new object.
    let defaultValue: Value?

    var reason: String {
        let name = "Property '\(className).\(definition.name)' has been"
        let type = definition.type
        if keepsValues, type.mayBeNull != old.type.mayBeNull,
            type.integerWidth == old.type.integerWidth
        {
            return "\(name) made \(type.mayBeNull ? "optional" : "required")."
        }
        return "\(name) changed from '\(oldTypeName)' to '\(newTypeName)'."
    }

    private var newTypeName: String { definition.type.name(ofTarget: definition.targetName ?? "") }
}

extension ClassSchema {
    /// Returns the property of the file for a property of the model.
    func property(for declared: ClassDefinition.Property) -> PropertySchema? {
        let column = declared.columnName ?? declared.name
        return properties.first { $0.columnName == column } ?? propertyNamed(declared.name)
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

    fileprivate func holdsValues(of other: FirnValues.PropertyType) -> Bool {
        base == other.base && container == other.container && base != .link
    }
}
