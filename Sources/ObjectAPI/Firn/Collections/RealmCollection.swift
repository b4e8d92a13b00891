import FirnValues

/// An ordered collection that can belong to a realm.
///
/// The conforming types are ``Results``, ``List``, ``MutableSet``, ``LinkingObjects`` and
/// ``AnyRealmCollection``.
///
/// A managed collection is live: its elements are always those that the realm currently shows. Only
/// an iterator keeps the elements that existed when it was created.
public protocol RealmCollection: RandomAccessCollection, Equatable, CustomStringConvertible,
    ChangeObservable
where
    Element: RealmCollectionValue, Index == Int, Iterator == RealmCollectionIterator<Element>,
    ObservedChange == RealmCollectionChange<Self>, ObservedElement == Element
{
    /// The core of the collection in a realm, or `nil` while it is unmanaged.
    var _core: _CollectionCore? { get }
    /// The elements while the collection is unmanaged.
    var _unmanaged: [Element] { get }
    /// Returns the collection of a core.
    static func _make(_ core: _CollectionCore) -> Self
}

extension RealmCollection {
    /// The first position, which is always 0.
    public var startIndex: Int { 0 }
    /// The number of elements.
    public var endIndex: Int { count }

    // The standard library's definitions compare positions with the end, and so find all elements
    // of a query of which only the first ones are wanted.

    /// Returns the position after another one.
    public func index(after position: Int) -> Int { position + 1 }
    /// Returns the position before another one.
    public func index(before position: Int) -> Int { position - 1 }
    /// Returns the position at a distance from another one, which may be negative.
    public func index(_ position: Int, offsetBy distance: Int) -> Int { position + distance }
    /// Returns the number of steps from one position to another.
    public func distance(from start: Int, to end: Int) -> Int { end - start }

    /// The number of elements.
    public var count: Int { _core?.count ?? _unmanaged.count }
    /// A Boolean value that indicates whether the collection has no elements.
    public var isEmpty: Bool { count == 0 }

    /// The realm of the collection, or `nil` while it is unmanaged.
    public var realm: Realm? { _core.map { Realm($0.instance) } }

    /// A Boolean value that indicates whether the owner was deleted or the realm was invalidated.
    public var isInvalidated: Bool { _core?.isInvalidated ?? false }

    /// A Boolean value that indicates whether the collection is frozen.
    ///
    /// A frozen collection belongs to a version that never changes.
    public var isFrozen: Bool { _core?.instance.isFrozen ?? false }

    /// Returns an iterator over the current elements, which later changes do not affect.
    public func makeIterator() -> RealmCollectionIterator<Element> {
        _core.map { RealmCollectionIterator($0) } ?? RealmCollectionIterator(_unmanaged)
    }

    /// The first element, or `nil` if there is none.
    public var first: Element? {
        guard let core = _core else { return _unmanaged.first }
        return core.storedFirst.map { Element._decode($0, in: core.reference(at: 0)) }
    }

    /// The last element, or `nil` if there is none.
    public var last: Element? {
        let count = self.count
        return count == 0 ? nil : element(count - 1)
    }

    /// Returns a frozen version of the collection, which can be used on any thread.
    ///
    /// The program stops if the collection is unmanaged, or if a write transaction is open.
    public func freeze() -> Self { frozenByMoving() }

    /// Returns the collection in the realm of the current thread.
    ///
    /// The result is `nil` if its owner was deleted.
    public func thaw() -> Self? { thawedByMoving() }

    /// Returns the same collection in another realm of its file.
    ///
    /// The result is `nil` if its owner does not exist there.
    public func _moved(to realm: Realm) -> Self? {
        guard let core = _core else {
            misuse("the collection is unmanaged: add its object to a realm first")
        }
        guard core.instance.file === realm.instance.file else {
            misuse("a collection can only be found again in a realm of its own file")
        }
        guard !core.isStale else { return nil }
        let moved = core.moved(to: realm.instance)
        return moved.isInvalidated ? nil : Self._make(moved)
    }

    /// Returns the element at a position.
    ///
    /// The program stops if there is none.
    func element(_ index: Int) -> Element {
        guard let core = _core else {
            let elements = _unmanaged
            guard elements.indices.contains(index) else { outOfBounds(index, elements.count) }
            return elements[index]
        }
        return Element._decode(core.stored(index), in: core.reference(at: index))
    }

    /// Returns the core of the collection.
    ///
    /// The program stops if it is unmanaged.
    func managedCore(for work: @autoclosure () -> String) -> _CollectionCore {
        guard let core = _core else {
            misuse(
                "\(work()) needs a collection that is in a realm: add the object that has it with "
                    + "realm.add() first")
        }
        return core
    }
}
