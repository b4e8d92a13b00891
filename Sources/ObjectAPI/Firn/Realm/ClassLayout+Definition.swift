import FirnEngine
import FirnValues

extension ClassLayout {
    /// The definition of the class, including its inverses, for the engine.
    var definition: ClassDefinition {
        let stored = storedDefinition
        return ClassDefinition(
            name: stored.name, properties: stored.properties, keyName: stored.keyName,
            isEmbedded: stored.isEmbedded, inverses: inverses)
    }

    /// The definition of the class without inverses, whose source properties must exist first.
    var storedDefinition: ClassDefinition {
        let mapping = type.propertiesMapping()
        let stored = properties.filter { !$0.declaration.isInverse }
        return ClassDefinition(
            name: type.className(),
            properties: stored.map { property in
                ClassDefinition.Property(
                    name: property.name, type: property.declaration.type,
                    targetName: property.declaration.target?.className(),
                    isIndexed: property.traits.isIndexed, columnName: mapping[property.name])
            },
            keyName: stored.first { $0.traits.isPrimaryKey }?.name,
            isEmbedded: type.isEmbeddedClass)
    }

    private var inverses: [ClassDefinition.Inverse] {
        properties.compactMap { property in
            guard let target = property.declaration.target, property.declaration.isInverse
            else {
                return nil
            }
            guard let origin = property.traits.originProperty else {
                misuse(
                    "\(type.className()).\(property.name) must name the property that it is "
                        + "the inverse of: @Persisted(originProperty: \"...\")")
            }
            return ClassDefinition.Inverse(
                name: property.name, sourceClassName: target.className(),
                sourcePropertyName: origin)
        }
    }

    /// Returns the value that an added property has in existing objects, which is its value in a
    /// new object.
    func defaultValue(of property: ClassDefinition.Property) -> Value? {
        guard let index = index(of: property.name), property.type.container == .single,
            property.type.base != .link
        else { return nil }
        let sample = type.init()
        let known = properties[index].field.value(address(of: index, in: sample), of: sample)
        guard let value = known as? any RealmCollectionValue else { return nil }
        // An object in a value of type Any belongs to one object, and cannot be shared by all.
        guard let stored = LinkLookup.value(of: value, in: nil) else { return nil }
        return stored.isNull ? nil : stored
    }

    /// Returns the value that a property of the file has in new objects.
    ///
    /// The result is `nil` if the model lacks the property or declares it with another type.
    func defaultValue(of property: PropertySchema) -> Value? {
        let definition = storedDefinition.properties.first {
            ($0.columnName ?? $0.name) == property.columnName || $0.name == property.name
        }
        guard let definition, definition.type.base == property.type.base else { return nil }
        return defaultValue(of: definition)
    }
}
