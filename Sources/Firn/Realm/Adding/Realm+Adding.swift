import FirnEngine
import FirnValues

extension Realm {
    /// What adding an object does when one with its primary key is there already.
    public enum UpdatePolicy: Int, Sendable {
        /// It is a mistake of the program.
        case error = 1
        /// The object that is there gets the values that differ.
        case modified = 3
        /// The object that is there gets all values, and those that observe it are told of all.
        case all = 2
    }

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

    static func noKeyToUpdateBy(_ type: ObjectBase.Type) -> String {
        "\(type.className()) has no primary key to update by: declare one with "
            + "@Persisted(primaryKey: true), or leave update out"
    }

    /// Adds several objects and everything that they link to.
    public func add<S: Sequence>(
        _ objects: S, update: UpdatePolicy = .error
    ) where S.Iterator.Element: Object {
        for object in objects { add(object, update: update) }
    }
}
