import FirnEngine
import FirnQuery
import FirnValues

/// Objects of classes that are accessed by name, whether the program declares them or not.
extension Realm {
    /// Returns all objects of a class of the file.
    ///
    ///     let old = realm.dynamicObjects("Dog").filter("age > 10").sorted(byKeyPath: "name")
    ///
    /// - Parameter typeName: The name of the class in the file. The program stops if the class does
    ///   not exist or is embedded.
    /// - Complexity: O(1)
    public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
        instance.checkConfinement()
        return Results(
            ResultsCore(instance, topLevelBinding(typeName).schema, .all))
    }

    /// Returns the object with a primary key, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - typeName: The name of a class with a primary key. The program stops if the class has
    ///     none.
    ///   - key: A value of the type of the primary key.
    /// - Complexity: O(log objects)
    public func dynamicObject(
        ofType typeName: String, forPrimaryKey key: Any
    ) -> DynamicObject? {
        instance.checkConfinement()
        return object(DynamicObject.self, topLevelBinding(typeName), key)
    }

    /// Creates an object of a class of the file, in a write transaction.
    ///
    ///     realm.dynamicCreate("Dog", value: ["name": "Rex", "owner": ["name": "Ann"]])
    ///
    /// A property without a given value becomes nil if that is allowed, and otherwise zero or
    /// empty.
    ///
    /// - Parameters:
    ///   - typeName: The name of the class. The program stops if the class does not exist or is
    ///     embedded.
    ///   - value: A dictionary by property name, an array in the order of the properties, or an
    ///     object with properties of the same names, which may belong to another realm. Nested
    ///     objects take the same form. Unmanaged objects are copied once each, and remain
    ///     unmanaged. The program stops if a property does not exist or a value has a different
    ///     type.
    ///   - update: The action if an object with the same primary key exists. The object receives
    ///     the given values, or only those that differ, and keeps all others.
    /// - Returns: The managed object.
    @discardableResult
    public func dynamicCreate(
        _ typeName: String, value: Any = [:], update: UpdatePolicy = .error
    ) -> DynamicObject {
        guard isInWriteTransaction else {
            misuse("dynamicCreate() outside of a write transaction: do it in realm.write { }")
        }
        let binding = topLevelBinding(typeName)
        if update != .error, binding.schema.key == nil {
            misuse("\(typeName) has no primary key to update by: leave update out")
        }
        var made: RowID?
        instance.change("create a \(typeName)") { transaction throws(StoreError) in
            made = try DynamicValues(instance, transaction, update, copies: ObjectCopies())
                .put(value, binding)
        }
        // Without a row the transaction has failed, and its commit throws the cause.
        guard let made else { return DynamicObject() }
        return instance.object(
            DynamicObject.self, ObjectReference(classID: binding.schema.id, rowID: made))
    }

    private func topLevelBinding(_ typeName: String) -> ClassBinding {
        let binding = instance.dynamicBinding(named: typeName)
        guard !binding.schema.isEmbedded else {
            misuse(
                "\(typeName) is embedded: its objects are only found and made in those that have them"
            )
        }
        return binding
    }
}
