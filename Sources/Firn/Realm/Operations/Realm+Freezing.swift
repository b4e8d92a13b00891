import FirnEngine
import FirnPlatform

/// Versions that never change.
extension Realm {
    /// The version that the realm shows now, for ever, for use everywhere.
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

    /// The realm of this thread, which shows the newest version.
    public func thaw() -> Realm {
        guard isFrozen else { return self }
        return instance.reading("thawing") { () throws(StoreError) in
            Realm(try instance.file.instance(.ofCaller))
        }
    }

    /// The object as it is now, for ever, for use everywhere.
    public func freeze<T: ObjectBase>(_ object: T) -> T { object.frozen() }

    /// The object of the realm of this thread; `nil` if it was deleted.
    public func thaw<T: ObjectBase>(_ object: T) -> T? { object.thawed() }

    /// The collection as it is now, for ever, for use everywhere.
    public func freeze<Collection: RealmCollection>(_ collection: Collection) -> Collection {
        collection.freeze()
    }
}
