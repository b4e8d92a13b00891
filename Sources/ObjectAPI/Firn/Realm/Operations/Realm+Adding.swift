import FirnEngine
import FirnValues

extension Realm {
    /// Adds an object and all objects that it links to.
    ///
    /// From then on the object is managed: its properties read and write the database. An object
    /// that already belongs to this realm is unchanged.
    ///
    /// - Parameters:
    ///   - object: An unmanaged object, or an object of this realm.
    ///   - update: The action if an object with the same primary key exists.
    /// - Complexity: O(properties) for each object that is added
    public func add(_ object: Object, update: UpdatePolicy = .error) {
        if let access = object.access {
            guard access.instance === instance else {
                misuse("the object is in another realm: copy it with create(_:value:) instead")
            }
            guard !object.isInvalidated else {
                misuse(
                    "a \(Swift.type(of: object)) that was deleted or invalidated cannot be added: make a new "
                        + "one, or ask isInvalidated before")
            }
            return
        }
        let type = type(of: object)
        if update != .error, instance.binding(of: type).schema.key == nil {
            misuse(Realm.noKeyToUpdateBy(type))
        }
        instance.change("add a \(type.className())") { transaction throws(StoreError) in
            try instance.adding(transaction, update) { adding throws(StoreError) in
                _ = try adding.add(object)
            }
        }
    }

    /// Adds several objects and all objects that they link to.
    public func add<S: Sequence>(
        _ objects: S, update: UpdatePolicy = .error
    ) where S.Iterator.Element: Object {
        for object in objects { add(object, update: update) }
    }
}

extension RealmInstance {
    /// Adds objects, or values that contain objects, in a step of the open transaction.
    ///
    /// - Parameter copiesForeignObjects: Whether objects of other files are copied instead of
    ///   refused.
    func adding<Result>(
        _ transaction: WriteTransaction, _ policy: Realm.UpdatePolicy = .error,
        copiesForeignObjects: Bool = false,
        _ body: (ObjectAdding) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        // Taken out of the property, because a step may require another one, such as copying an
        // object.
        let idle = cachedAdder.take()
        let adding: ObjectAdding
        if let idle, idle.transaction === transaction {
            adding = idle
        } else {
            adding = ObjectAdding(self, transaction)
        }
        adding.policy = policy
        adding.copiesForeignObjects = copiesForeignObjects
        let result = try body(adding)
        // Not reached after a failure, which would leave the state of the failed step.
        cachedAdder = adding
        return result
    }

    /// Returns the stored form of the value of a property.
    ///
    /// Objects inside the value are added.
    func encoded(
        _ value: some RealmCollectionValue, for property: PropertySchema,
        _ transaction: WriteTransaction
    ) throws(StoreError) -> Value {
        guard property.mayLink else { return try _LinkEncoder.refusing.encoded(value) }
        return try adding(transaction) { adding throws(StoreError) in
            try _LinkEncoder(adding).encoded(value)
        }
    }
}
