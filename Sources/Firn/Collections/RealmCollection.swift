/// What all ordered collections of a realm have in common: ``Results``, ``List``, ``MutableSet``,
/// ``LinkingObjects`` and ``AnyRealmCollection``.
///
/// A collection of a realm is live: its elements are always those that the realm shows now. Only an
/// iteration goes through what was there when it began.
public protocol RealmCollection: RandomAccessCollection, Equatable, CustomStringConvertible,
    ChangeObservable
where
    Element: RealmCollectionValue, Index == Int, Iterator == RealmCollectionIterator<Element>,
    ObservedChange == RealmCollectionChange<Self>, ObservedElement == Element
{
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
    /// Whether there are none.
    public var isEmpty: Bool { count == 0 }

    /// The realm; `nil` while it is unmanaged.
    public var realm: Realm? { _core.map { Realm($0.instance) } }

    /// Whether its owner was deleted, or its realm was invalidated.
    public var isInvalidated: Bool { _core?.isInvalidated ?? false }

    /// Whether it is of a version that never changes.
    public var isFrozen: Bool { _core?.instance.isFrozen ?? false }

    /// Goes through the elements that are there now, whatever happens to them meanwhile.
    public func makeIterator() -> RealmCollectionIterator<Element> {
        _core.map { RealmCollectionIterator($0) } ?? RealmCollectionIterator(_unmanaged)
    }

    /// The first element; `nil` if there is none.
    public var first: Element? {
        guard let core = _core else { return _unmanaged.first }
        return core.storedFirst.map { Element._decode($0, in: core.reference(at: 0)) }
    }

    /// The last element; `nil` if there is none.
    public var last: Element? {
        let count = self.count
        return count == 0 ? nil : element(count - 1)
    }

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
        guard !core.isStale else { return nil }
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
        return Element._decode(core.stored(index), in: core.reference(at: index))
    }

    /// What the collection stands for; stops the program if it is unmanaged.
    func managedCore(for work: @autoclosure () -> String) -> _CollectionCore {
        guard let core = _core else {
            misuse(
                "\(work()) needs a collection that is in a realm: add the object that has it with "
                    + "realm.add() first")
        }
        return core
    }
}
