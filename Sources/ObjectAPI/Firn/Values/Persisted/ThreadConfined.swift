/// A value that is confined to the thread, queue or actor of its realm.
///
/// Frozen values can be used on any thread. Only types of this module conform: objects, collections
/// and projections.
public protocol ThreadConfined {
    /// The realm of the value, or `nil` while it is unmanaged.
    var realm: Realm? { get }
    /// A Boolean value that indicates whether the value was deleted or its realm was invalidated.
    var isInvalidated: Bool { get }
    /// A Boolean value that indicates whether the value belongs to a version that never changes.
    ///
    /// A frozen value can be used on any thread.
    var isFrozen: Bool { get }
    /// Returns a frozen version of the value, which can be used on any thread.
    ///
    /// The version remains readable as long as a frozen value of it is retained. Until that value
    /// is released, the space of the version cannot be reused. A value that is already frozen is
    /// returned unchanged. The program stops if the value is unmanaged, or if a write transaction
    /// is open.
    func freeze() -> Self
    /// Returns the current state of the value in the realm of the current thread.
    ///
    /// The result is `nil` if the value no longer exists.
    func thaw() -> Self?
    /// Returns the value in another realm of the same file, or `nil` if it does not exist there.
    func _moved(to realm: Realm) -> Self?
}

/// A part of a realm whose changes can be observed and published.
///
/// Objects, all collections, sections and projections conform.
public protocol RealmSubscribable: ThreadConfined {}

extension ThreadConfined {
    /// Returns a frozen version of the value.
    func frozenByMoving() -> Self {
        guard let realm else {
            misuse("what is unmanaged cannot be frozen: add it to a realm first")
        }
        if isFrozen { return self }
        guard let frozen = _moved(to: realm.freeze()) else {
            misuse("what was deleted cannot be frozen: ask isInvalidated before")
        }
        return frozen
    }

    /// Returns the current state of the value in the realm of the current thread.
    func thawedByMoving() -> Self? {
        guard let realm else {
            misuse("what is unmanaged cannot be thawed: only what was frozen can")
        }
        return isFrozen ? _moved(to: realm.thaw()) : self
    }
}
