import FirnEngine
import FirnValues

extension Realm {
    /// Adds an object and everything that it links to.
    ///
    /// From then on the object is managed: its properties read and write the database. An object
    /// that this realm has already stays as it is.
    ///
    /// - Parameters:
    ///   - object: unmanaged, or of this realm.
    ///   - update: what happens if there is an object with its primary key.
    /// - Complexity: O(properties), for each object that is added
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

    /// Adds several objects and everything that they link to.
    public func add<S: Sequence>(
        _ objects: S, update: UpdatePolicy = .error
    ) where S.Iterator.Element: Object {
        for object in objects { add(object, update: update) }
    }
}
