import FirnEngine

extension ObjectBase {
    /// The realm of the object, or `nil` while it is unmanaged.
    public final var realm: Realm? { access.map { Realm($0.instance) } }

    /// A Boolean value that indicates whether the object was deleted or its realm was invalidated.
    public final var isInvalidated: Bool {
        guard let access else { return false }
        let instance = access.instance
        return instance.reading("looking for a \(type(of: self))") { () throws(StoreError) in
            guard !access.isStale else { return true }
            return try !instance.exists(access.row, access.binding)
        }
    }

    /// A Boolean value that indicates whether the object belongs to a version that never changes.
    public final var isFrozen: Bool { access?.instance.isFrozen ?? false }

    /// Returns the same object in another realm of the file, or `nil` if it does not exist there.
    final func moved<T: ObjectBase>(to realm: Realm, as type: T.Type) -> T? {
        guard let access else { misuse("an unmanaged object is in no realm: add it to one first") }
        guard realm.instance.file === access.instance.file else {
            misuse("an object can only be found again in a realm of its own file")
        }
        let binding = realm.instance.binding(like: access.binding)
        return realm.instance.reading("looking for a \(type)") { () throws(StoreError) in
            guard !access.isStale, try realm.instance.exists(access.row, binding) else {
                return nil
            }
            let object = Swift.type(of: self).init()
            object.manage(binding, access.row)
            return object as? T
        }
    }

    final func frozen<T: ObjectBase>() -> T {
        guard let realm else {
            misuse("an unmanaged object cannot be frozen: add it to a realm first")
        }
        guard !isFrozen else { return itself() }
        guard let frozen = moved(to: realm.freeze(), as: T.self) else {
            misuse(
                "a \(type(of: self)) that was deleted cannot be frozen: ask isInvalidated before")
        }
        return frozen
    }

    final func thawed<T: ObjectBase>() -> T? {
        guard let realm else {
            misuse("an unmanaged object cannot be thawed: only what was frozen can")
        }
        return isFrozen ? moved(to: realm.thaw(), as: T.self) : itself()
    }

    private final func itself<T: ObjectBase>() -> T {
        guard let object = self as? T else { misuse("\(type(of: self)) is not of type \(T.self)") }
        return object
    }
}

extension ThreadConfined where Self: ObjectBase {
    /// Returns a frozen version of the object, which can be used on any thread.
    ///
    /// The program stops if the object is unmanaged or deleted, or if a write transaction is open.
    public func freeze() -> Self { frozen() }

    /// Returns the object in the realm of the current thread, or `nil` if it was deleted.
    public func thaw() -> Self? { thawed() }

    /// Returns the same object in another realm of its file, or `nil` if it does not exist there.
    public func _moved(to realm: Realm) -> Self? { moved(to: realm, as: Self.self) }
}

extension Object: RealmSubscribable {}
extension EmbeddedObject: RealmSubscribable {}
