package import FirnEngine
import FirnValues

/// The classes of a file that belong to the API and not to a model.
///
/// Their names contain a period, which the name of no class of a program can contain.
package enum SubscriptionClasses {
    /// The class with one object for each subscription.
    package static let subscription = ClassDefinition(
        name: "firn.Subscription",
        properties: [
            Property(name: "id", type: PropertyType(.uuid)),
            Property(name: "name", type: PropertyType(.string, isOptional: true)),
            Property(name: "class", type: PropertyType(.string)),
            Property(name: "query", type: PropertyType(.string)),
            Property(name: "createdAt", type: PropertyType(.date)),
            Property(name: "updatedAt", type: PropertyType(.date)),
        ], keyName: "id")

    /// The class with a single object, which counts the changes to the set.
    package static let set = ClassDefinition(
        name: "firn.SubscriptionSet",
        properties: [
            Property(name: "id", type: PropertyType(.int)),
            Property(name: "version", type: PropertyType(.int)),
        ], keyName: "id")

    private typealias Property = ClassDefinition.Property
    private typealias PropertyType = FirnValues.PropertyType

    /// Returns whether a class of a file is one of these.
    package static func contain(_ name: String) -> Bool {
        name == subscription.name || name == set.name
    }
}

extension ClassDefinition {
    /// Returns the class in the file and its properties, in the order of this definition.
    ///
    /// - Returns: `nil` if the file has no such class.
    /// - Throws: ``StoreError`` with `corrupt` if the class of that name has a different
    ///   definition.
    package func stored(
        in schema: FirnEngine.Schema, path: String
    ) throws(StoreError) -> (schema: ClassSchema, properties: [PropertySchema])? {
        guard let known = schema.classNamed(name) else { return nil }
        guard let found = properties(of: known) else {
            throw StoreError(
                .corrupt, path: path,
                detail: "the class \(name) is not the one that keeps subscriptions",
                remedy: "rename it with: firn alter FILE 'rename \"\(name)\" NAME'")
        }
        return (known, found)
    }

    /// Returns the properties of a class in the order of this definition; `nil` if the class has a
    /// different definition.
    func properties(of known: ClassSchema) -> [PropertySchema]? {
        let found = properties.compactMap { property in
            known.properties.first { $0.name == property.name && $0.type == property.type }
        }
        guard found.count == properties.count, known.properties.count == found.count,
            known.keyProperty?.name == keyName
        else { return nil }
        return found
    }
}
