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
