import FirnEngine
import FirnValues

/// A collection without duplicates that is a property of an object.
///
///     class Person: Object {
///         @Persisted var tags: MutableSet<String>
///     }
///
/// A set that a program makes itself keeps its elements in memory, and can be changed at any time.
/// Once its object is added to a realm, the same set reads and writes the database, and can only be
/// changed in a write transaction. Objects that come into such a set are added to its realm.
///
/// The order of the elements means nothing, and changes when elements come or go. Embedded objects
/// cannot be elements.
public final class MutableSet<Element: RealmCollectionValue>: RealmCollection {
    /// The elements while it is unmanaged.
    public private(set) var _unmanaged: [Element] = []
    /// Where each of the unmanaged elements stands.
    private var positions: [Element: Int] = [:]
    /// What it stands for in a realm.
    var core: EditableCore?
    /// Whether it only records key paths: its one element is at every position.
    var isRecording = false

    /// Makes an empty unmanaged set.
    public init() {}

    init(_ core: EditableCore) { self.core = core }

    init(unmanaged elements: some Sequence<Element>) {
        for element in elements { insertUnmanaged(element) }
    }

    /// What it stands for in a realm; `nil` while it is unmanaged.
    public var _core: _CollectionCore? { core }

    /// The set that stands for what a core does.
    public static func _make(_ core: _CollectionCore) -> MutableSet {
        guard let core = core as? EditableCore else { misuse("a set that is stored nowhere") }
        return MutableSet(core)
    }

    /// The element at a position, in an order that means nothing.
    ///
    /// - Complexity: O(1) for an unmanaged and for a small set, O(log elements) for a large one
    public subscript(position: Int) -> Element { element(isRecording ? 0 : position) }

    /// Whether both are the same set of the same object; unmanaged ones, whether they have the same
    /// elements.
    public static func == (left: MutableSet, right: MutableSet) -> Bool {
        switch (left.core, right.core) {
        case (let first?, let second?): first.isSame(as: second)
        case (nil, nil): left === right || Set(left._unmanaged) == Set(right._unmanaged)
        case (_?, nil), (nil, _?): false
        }
    }

    // MARK: Unmanaged elements

    func insertUnmanaged(_ element: Element) {
        guard positions[element] == nil else { return }
        positions[element] = _unmanaged.count
        _unmanaged.append(element)
    }

    /// The last element takes the place of the one that goes.
    func removeUnmanaged(_ element: Element) {
        guard let position = positions.removeValue(forKey: element),
            let last = _unmanaged.popLast(), position < _unmanaged.count
        else { return }
        _unmanaged[position] = last
        positions[last] = position
    }

    func positionUnmanaged(_ element: Element) -> Int? { positions[element] }

    func removeAllUnmanaged() {
        _unmanaged = []
        positions = [:]
    }
}

extension MutableSet {
    /// Where an element is; `nil` if it is not there.
    ///
    /// - Complexity: O(1) for an unmanaged set, O(log elements) for a managed one
    public func index(of element: Element) -> Int? {
        guard let core else { return positionUnmanaged(element) }
        guard let value = LinkLookup.value(of: element, in: core.instance) else { return nil }
        return core.reading { view throws(StoreError) in try view.position(of: value) }
    }

    /// Where an element is; `nil` if it is not there.
    public func firstIndex(of element: Element) -> Int? { index(of: element) }

    /// Whether an element is there.
    ///
    /// - Complexity: O(1) for an unmanaged set, O(log elements) for a managed one
    public func contains(_ element: Element) -> Bool { index(of: element) != nil }
}
