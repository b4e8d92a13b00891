/// What belongs to the thread, queue or actor of its realm, and can be frozen to be used anywhere.
///
/// Only types of this module conform: objects, collections and projections.
public protocol ThreadConfined {
    /// The realm; `nil` while unmanaged.
    var realm: Realm? { get }
    /// Whether it can be used no more: it was deleted, or its realm was invalidated.
    var isInvalidated: Bool { get }
    /// Whether it is of a version that never changes, and may be used everywhere.
    var isFrozen: Bool { get }
    /// The same as it is now, for ever, for use everywhere.
    ///
    /// The version stays readable as long as something frozen of it is held, and its space cannot be
    /// used again. What is frozen already is returned as it is. The program stops for something
    /// unmanaged, and in a write transaction.
    func freeze() -> Self
    /// The same as it is now, of the realm of this thread; `nil` if it is not there any more.
    func thaw() -> Self?
    /// The same in another realm of the same file, as that shows it; `nil` if it is not there.
    func _moved(to realm: Realm) -> Self?
}

extension ThreadConfined {
    /// The same as it is now, for ever.
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

    /// The same as it is now, of the realm of this thread.
    func thawedByMoving() -> Self? {
        guard let realm else {
            misuse("what is unmanaged cannot be thawed: only what was frozen can")
        }
        return isFrozen ? _moved(to: realm.thaw()) : self
    }
}
