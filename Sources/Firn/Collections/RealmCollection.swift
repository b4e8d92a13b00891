/// What all ordered collections of a realm have in common: ``Results``, ``List``, ``MutableSet``,
/// ``LinkingObjects`` and ``AnyRealmCollection``.
public protocol RealmCollection: RandomAccessCollection, Equatable
where Element: RealmCollectionValue, Index == Int {
    /// What it stands for in a realm; `nil` while it is unmanaged.
    var _core: _CollectionCore? { get }
    /// The elements while it is unmanaged.
    var _unmanaged: [Element] { get }
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
