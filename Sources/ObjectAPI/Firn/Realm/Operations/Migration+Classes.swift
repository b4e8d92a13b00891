import FirnEngine
import FirnQuery
import FirnValues

/// The classes of a migration.
extension Migration {
    /// The classes of the file before the migration.
    public var oldSchema: Schema {
        checkUse()
        return Realm(old).schema
    }

    /// The classes of the new model.
    public var newSchema: Schema {
        checkUse()
        return Schema(
            objectSchema: plan.model.layouts.map { ObjectSchema($0) }
                .sorted { $0.className < $1.className })
    }

    /// Gives a property of the new model the values of an old property.
    ///
    /// Only the class changes, whatever the number of objects. Call it outside of
    /// ``enumerateObjects(ofType:_:)``. If the properties do not fit together, the migration fails
    /// after its block with a list of the reasons.
    ///
    /// - Parameters:
    ///   - typeName: The name of a class that both the file and the new model have.
    ///   - oldName: The name of a property that the new model lacks.
    ///   - newName: The name of a property of the new model that has the same type, or its optional
    ///     type.
    /// - Complexity: O(1), or O(objects) if the property becomes optional
    public func renameProperty(
        onType typeName: String, from oldName: String, to newName: String
    ) {
        checkUse()
        guard !isEnumerating else {
            misuse(
                "renameProperty() in the block of enumerateObjects(): call it before or after, once"
            )
        }
        plan.visited.insert(typeName)
        let name = "'\(typeName).\(oldName)'"
        guard old.snapshot.schema.classNamed(typeName) != nil,
            let transaction = new.changingTransaction,
            let schema = transaction.schema.classNamed(typeName)
        else {
            return note(
                "Properties of class '\(typeName)' cannot be renamed, because it does not exist.")
        }
        guard let layout = plan.layout(of: typeName) else {
            return note(
                "Properties of class '\(typeName)' cannot be renamed, because the model lacks it.")
        }
        guard let source = old.snapshot.schema.classNamed(typeName)?.propertyNamed(oldName) else {
            return note("Property \(name) cannot be renamed, because it does not exist.")
        }
        guard plan.removals[schema.id]?.contains(source.id) == true else {
            return note(
                "Property \(name) cannot be renamed to '\(newName)', because the model still has it."
            )
        }
        let declared = layout.storedDefinition.properties.first { $0.name == newName }
        guard let declared, let target = schema.property(for: declared) else {
            return note(
                "Property \(name) cannot be renamed to '\(newName)', which the model lacks.")
        }
        rename(source, to: target, declared, of: schema, transaction)
    }

    private func rename(
        _ source: PropertySchema, to target: PropertySchema,
        _ declared: ClassDefinition.Property, of schema: ClassSchema,
        _ transaction: WriteTransaction
    ) {
        let start =
            "Property '\(schema.name).\(source.name)' cannot be renamed to "
            + "'\(declared.name)', because it would change"
        let (before, after) = (source.type, target.type)
        guard before.base == after.base, before.container == after.container,
            before.target == after.target, before.integerWidth == after.integerWidth
        else {
            let names = [before, after].map { transaction.schema.typeName($0) }
            return note("\(start) from '\(names[0])' to '\(names[1])'.")
        }
        guard after.mayBeNull || !before.mayBeNull else {
            return note("\(start) from optional to required.")
        }
        attempt { () throws(StoreError) in
            try new.migration?.writes.flush()
            try transaction.removeProperty(target.id, of: schema.id)
            if before.mayBeNull == after.mayBeNull {
                try transaction.renameProperty(source.id, of: schema.id, to: declared.name)
            } else {
                try transaction.retypeProperty(source.id, of: schema.id, to: declared) { $0 }
            }
            plan.keep(source.id, of: schema.id)
            try new.showMigratedClasses()
        }
    }
}
