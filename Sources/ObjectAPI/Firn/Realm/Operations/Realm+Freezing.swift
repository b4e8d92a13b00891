import FirnEngine
import FirnPlatform

/// Versions that never change.
extension Realm {
    /// Returns the current version of the realm, which never changes and can be used on any thread.
    ///
    /// - Complexity: O(1)
    public func freeze() -> Realm {
        guard !isFrozen else { return self }
        instance.checkConfinement()
        guard !isInWriteTransaction else {
            misuse(
                "freeze() in a write transaction, whose changes are of no version yet: freeze after "
                    + "it")
        }
        return Realm(instance.file.frozen(instance.snapshot))
    }

    /// Returns the realm of the current thread, which shows the newest version.
    public func thaw() -> Realm {
        guard isFrozen else { return self }
        return instance.reading("thawing", Realm(try instance.file.instance(.ofCaller)))
    }

    /// Returns a frozen version of an object, which can be used on any thread.
    public func freeze<T: ObjectBase>(_ object: T) -> T { object.frozen() }

    /// Returns the object in the realm of the current thread, or `nil` if it was deleted.
    public func thaw<T: ObjectBase>(_ object: T) -> T? { object.thawed() }

    /// Returns a frozen version of a collection, which can be used on any thread.
    public func freeze<Collection: RealmCollection>(_ collection: Collection) -> Collection {
        collection.freeze()
    }
}
