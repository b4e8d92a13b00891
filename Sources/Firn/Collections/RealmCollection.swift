/// What all ordered collections of a realm have in common: ``Results``, ``List``, ``MutableSet``,
/// ``LinkingObjects`` and ``AnyRealmCollection``.
public protocol RealmCollection: RandomAccessCollection, Equatable, ThreadConfined
where Element: RealmCollectionValue, Index == Int {
    /// What it stands for in a realm; `nil` while it is unmanaged.
    var _core: _CollectionCore? { get }
    /// The elements while it is unmanaged.
    var _unmanaged: [Element] { get }
    /// The collection of this type that stands for what a core does.
    static func _make(_ core: _CollectionCore) -> Self
}

extension RealmCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of elements.
    public var endIndex: Int { count }
    /// How many elements there are.
    public var count: Int { _core?.count ?? _unmanaged.count }

    /// The realm; `nil` while it is unmanaged.
    public var realm: Realm? { _core.map { Realm($0.instance) } }

    /// Whether its owner was deleted, or its realm was invalidated.
    public var isInvalidated: Bool { _core?.isInvalidated ?? false }

    /// Whether it is of a version that never changes.
    public var isFrozen: Bool { _core?.instance.isFrozen ?? false }

    /// The collection as it is now, for ever, for use everywhere.
    ///
    /// The program stops for an unmanaged collection, and in a write transaction.
    public func freeze() -> Self { frozenByMoving() }

    /// The collection of the realm of this thread; `nil` if its owner was deleted.
    public func thaw() -> Self? { thawedByMoving() }

    /// The same collection in another realm of its file; `nil` if its owner is not there.
    public func _moved(to realm: Realm) -> Self? {
        guard let core = _core else { misuse("an unmanaged collection is in no realm") }
        guard core.instance.file === realm.instance.file else {
            misuse("a collection can only be found again in a realm of its own file")
        }
        let moved = core.moved(to: realm.instance)
        return moved.isInvalidated ? nil : Self._make(moved)
    }

    /// The element at a position; stops the program if there is none.
    func element(_ index: Int) -> Element {
        guard let core = _core else {
            let elements = _unmanaged
            guard elements.indices.contains(index) else { outOfBounds(index, elements.count) }
            return elements[index]
        }
        return Element._decode(core.stored(index), in: _RealmReference(core.instance))
    }
}
