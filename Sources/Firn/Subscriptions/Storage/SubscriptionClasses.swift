import FirnEngine
import FirnValues

/// The classes of a file that belong to the API and not to a model.
///
/// No class of a program is called so: its name would have to contain a point.
enum SubscriptionClasses {
    /// One object for each subscription.
    static let subscription = ClassDefinition(
        name: "firn.Subscription",
        properties: [
            Property(name: "id", type: PropertyType(.uuid)),
            Property(name: "name", type: PropertyType(.string, isOptional: true)),
            Property(name: "class", type: PropertyType(.string)),
            Property(name: "query", type: PropertyType(.string)),
            Property(name: "createdAt", type: PropertyType(.date)),
            Property(name: "updatedAt", type: PropertyType(.date)),
        ], keyName: "id")

    /// One object: how often the set was changed.
    static let set = ClassDefinition(
        name: "firn.SubscriptionSet",
        properties: [
            Property(name: "id", type: PropertyType(.int)),
            Property(name: "version", type: PropertyType(.int)),
        ], keyName: "id")

    private typealias Property = ClassDefinition.Property
    private typealias PropertyType = FirnValues.PropertyType

    /// Whether a class of a file is one of these.
    static func contain(_ name: String) -> Bool {
        name == subscription.name || name == set.name
    }
}

extension ClassDefinition {
    /// The properties of the class of a file that this defines, in the order of the definition.
    ///
    /// - Returns: `nil` if the file has no such class.
    /// - Throws: ``StoreError`` with `corrupt` if it has another one of that name.
    func stored(
        in schema: FirnEngine.Schema, path: String
    ) throws(StoreError) -> (schema: ClassSchema, properties: [PropertySchema])? {
        guard let known = schema.classNamed(name) else { return nil }
        var found: [PropertySchema] = []
        for property in properties {
            guard let stored = known.propertyNamed(property.name), stored.type == property.type
            else { break }
            found.append(stored)
        }
        guard found.count == properties.count, known.properties.count == found.count,
            known.keyProperty?.name == keyName
        else {
            throw StoreError(
                .corrupt, path: path,
                detail: "the class \(name) is not the one that keeps subscriptions",
                remedy: "rename it with: firn alter")
        }
        return (known, found)
    }
}
