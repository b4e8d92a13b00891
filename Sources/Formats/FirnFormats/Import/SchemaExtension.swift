package import FirnEngine
package import FirnText
import FirnValues

/// Adds the classes and properties of an input that the database does not have.
package struct SchemaExtension {
    let transaction: WriteTransaction
    /// The key of new classes that have such a property.
    let key: String?
    /// Whether existing classes get new properties.
    let addsProperties: Bool

    package init(transaction: WriteTransaction, key: String?, addsProperties: Bool) {
        self.transaction = transaction
        self.key = key
        self.addsProperties = addsProperties
    }

    /// Adds the missing classes of a schema document, and the missing properties of existing
    /// classes.
    ///
    /// - Returns: whether anything was added.
    package func take(_ tree: JSONTree, from input: String) throws(CommandFailure) -> Bool {
        let definitions: [ClassDefinition]
        do { definitions = try SchemaDocument.read(tree, name: input) } catch {
            throw CommandFailure(error)
        }
        let known = transaction.schema
        let new = definitions.filter { known.classNamed($0.name) == nil }
        var isChanged = !new.isEmpty
        do throws(StoreError) {
            if isChanged { try transaction.addClasses(new) }
            guard addsProperties else { return isChanged }
            for definition in definitions {
                guard let schema = known.classNamed(definition.name) else { continue }
                isChanged = try addMissing(definition.properties, to: schema) || isChanged
            }
        } catch { throw CommandFailure(error) }
        return isChanged
    }

    /// Adds the classes and properties of the objects of an input.
    ///
    /// - Returns: whether anything was added.
    package func take(_ classes: [InferredClass]) throws(CommandFailure) -> Bool {
        let known = transaction.schema
        let addsProperties = addsProperties
        let new = InferredClass.new(classes) { name, property in
            guard let schema = known.classNamed(name) else { return false }
            // Without permission to add properties, every property counts as known.
            return property.map { !addsProperties || schema.propertyNamed($0) != nil } ?? true
        }
        var isChanged = !new.isEmpty
        do throws(StoreError) {
            if isChanged { try transaction.addClasses(new.map { $0.definition(key: key) }) }
            guard addsProperties else { return isChanged }
            for inferred in classes {
                guard let schema = known.classNamed(inferred.name) else { continue }
                isChanged = try addMissing(inferred.fields.map(\.property), to: schema) || isChanged
            }
        } catch { throw CommandFailure(error) }
        return isChanged
    }

    /// - Returns: whether the class lacked any of the properties.
    private func addMissing(
        _ properties: [ClassDefinition.Property], to schema: ClassSchema
    ) throws(StoreError) -> Bool {
        let missing = properties.filter { schema.propertyNamed($0.name) == nil }
        for property in missing {
            try transaction.addProperty(SchemaExtension.optional(property), to: schema.id)
        }
        return !missing.isEmpty
    }

    /// Returns an optional type, because existing objects have no value for a new property.
    private static func optional(
        _ property: ClassDefinition.Property
    ) -> ClassDefinition.Property {
        let type = property.type
        guard type.container == .single, !type.isOptional else { return property }
        return ClassDefinition.Property(
            name: property.name,
            type: PropertyType(type.base, isOptional: true, integerWidth: type.integerWidth),
            display: property.display, targetName: property.targetName)
    }
}
