/// A collection of a realm whose kind does not matter: ``Results``, ``List`` and so on.
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
    private enum Base {
        case managed(_CollectionCore)
        /// Asked anew each time: an unmanaged list may change, and become managed.
        case unmanaged(ObjectIdentifier?, () -> (core: _CollectionCore?, elements: [Element]))
    }

    private let base: Base

    /// Stands for another collection.
    public init<C: RealmCollection>(_ base: C) where C.Element == Element {
        if let core = base._core {
            self.base = .managed(core)
        } else {
            let identity = C.self is AnyObject.Type ? ObjectIdentifier(base as AnyObject) : nil
            self.base = .unmanaged(identity) { (base._core, base._unmanaged) }
        }
    }

    private init(_ core: _CollectionCore) { base = .managed(core) }

    /// What it stands for in a realm; `nil` while it is unmanaged.
    public var _core: _CollectionCore? {
        switch base {
        case .managed(let core): core
        case .unmanaged(_, let read): read().core
        }
    }

    /// The elements while it is unmanaged.
    public var _unmanaged: [Element] {
        switch base {
        case .managed: []
        case .unmanaged(_, let read): read().elements
        }
    }

    /// The collection that stands for something in a realm.
    public static func _make(_ core: _CollectionCore) -> AnyRealmCollection {
        AnyRealmCollection(core)
    }

    /// The element at a position; stops the program if there is none.
    public subscript(position: Int) -> Element { element(position) }

    /// Whether both stand for the same collection; unmanaged ones, whether they have the same elements
    /// in the same order.
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
        return left._unmanaged == right._unmanaged
    }
}

extension AnyRealmCollection: Encodable where Element: Encodable {}
