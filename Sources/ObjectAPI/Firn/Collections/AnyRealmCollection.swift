import FirnValues

/// A type-erased collection of a realm, such as ``Results`` or ``List``.
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
    private enum Base {
        case managed(_CollectionCore)
        /// A base that is read on each access.
        ///
        /// An unmanaged list may change or become managed.
        case unmanaged(ObjectIdentifier?, () -> (core: _CollectionCore?, elements: [Element]))
    }

    private let base: Base

    /// Creates a collection that wraps another collection.
    public init<C: RealmCollection>(_ base: C) where C.Element == Element {
        if let core = base._core {
            self.base = .managed(core)
        } else {
            let identity = C.self is AnyObject.Type ? ObjectIdentifier(base as AnyObject) : nil
            self.base = .unmanaged(identity) { (base._core, base._unmanaged) }
        }
    }

    private init(_ core: _CollectionCore) { base = .managed(core) }

    /// The core of the collection in a realm, or `nil` while it is unmanaged.
    public var _core: _CollectionCore? {
        switch base {
        case .managed(let core): core
        case .unmanaged(_, let read): read().core
        }
    }

    /// The elements while the collection is unmanaged.
    public var _unmanaged: [Element] {
        switch base {
        case .managed: []
        case .unmanaged(_, let read): read().elements
        }
    }

    /// Returns the collection of a core.
    public static func _make(_ core: _CollectionCore) -> AnyRealmCollection {
        AnyRealmCollection(core)
    }

    /// Accesses the element at a position, which must exist.
    public subscript(position: Int) -> Element { element(position) }

    /// Returns a Boolean value that indicates whether both wrap the same collection.
    ///
    /// Unmanaged collections are equal if they have the same elements in the same order.
    public static func == (left: AnyRealmCollection, right: AnyRealmCollection) -> Bool {
        if let first = left._core, let second = right._core {
            return first === second || first.isSame(as: second)
        }
        guard left._core == nil, right._core == nil else { return false }
        if case .unmanaged(let first?, _) = left.base,
            case .unmanaged(let second?, _) = right.base, first == second
        {
            return true
        }
        return left._unmanaged.hasSameElements(as: right._unmanaged)
    }
}

extension AnyRealmCollection: Encodable where Element: Encodable {}
