import FirnEngine
import FirnQuery
import FirnValues

/// Objects of classes that are known by their names, whether the program declares them or not.
extension Realm {
    /// All objects of a class of the file.
    ///
    ///     let old = realm.dynamicObjects("Dog").filter("age > 10").sorted(byKeyPath: "name")
    ///
    /// - Parameter typeName: the name of the class in the file. The program stops for one that is not there
    ///   or is embedded.
    /// - Complexity: O(1)
    public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
        instance.checkConfinement()
        return Results(
            ResultsCore(instance, topLevelBinding(typeName).schema, .all))
    }

    /// The object of a class of the file with a primary key; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - typeName: the name of a class with a primary key. The program stops for another one.
    ///   - key: of the type of the primary key.
    /// - Complexity: O(log objects)
    public func dynamicObject(
        ofType typeName: String, forPrimaryKey key: Any
    ) -> DynamicObject? {
        instance.checkConfinement()
        return object(DynamicObject.self, topLevelBinding(typeName), key)
    }

    /// Makes an object of a class of the file, in a write transaction.
    ///
    ///     realm.dynamicCreate("Dog", value: ["name": "Rex", "owner": ["name": "Ann"]])
    ///
    /// What is not given is nil where that may be, and otherwise zero or empty.
    ///
    /// - Parameters:
    ///   - typeName: the name of the class. The program stops for one that is not there or is embedded.
    ///   - value: a dictionary by property name, an array in the order of the properties, or an object with
    ///     properties of the same names, also of another realm; nested objects in the same form. Unmanaged
    ///     objects in it are copied, each once, and stay unmanaged. The program stops for an unknown property and for a value of another type.
    ///   - update: what happens if there is an object with its primary key: it gets the values that are
    ///     given, or those of them that differ, and keeps the others.
    /// - Returns: the object, which is managed.
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
        // Without a row the transaction has failed, and its commit throws why.
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
