import FirnEngine
import FirnValues

/// A collection without duplicates in a property of an object.
///
///     class Person: Object {
///         @Persisted var tags: MutableSet<String>
///     }
///
/// An unmanaged set holds its elements in memory, and can be changed at any time. Once its object
/// is added to a realm, the same set reads and writes the database, and can only be changed in a
/// write transaction. Unmanaged objects that are inserted into such a set are added to its realm.
///
/// The order of the elements is unspecified, and changes when elements are added or removed.
/// Embedded objects cannot be elements.
public final class MutableSet<Element: RealmCollectionValue>: RealmCollection {
    /// The elements while the set is unmanaged.
    public private(set) var _unmanaged: [Element] = []
    /// The position of each unmanaged element.
    private var positions: [ElementKey<Element>: Int] = [:]
    /// The core of the set in a realm.
    var core: EditableCore?
    /// Whether the set only records key paths, with one element for every position.
    var isRecording = false

    /// Creates an empty unmanaged set.
    public init() {}

    init(_ core: EditableCore) { self.core = core }

    init(unmanaged elements: some Sequence<Element>) {
        for element in elements { insertUnmanaged(element) }
    }

    /// The core of the set in a realm, or `nil` while it is unmanaged.
    public var _core: _CollectionCore? { core }

    /// Returns the set of a core.
    public static func _make(_ core: _CollectionCore) -> MutableSet {
        guard let core = core as? EditableCore else { misuse("a set that is stored nowhere") }
        return MutableSet(core)
    }

    /// Accesses the element at a position, in an unspecified order.
    ///
    /// - Complexity: O(1) for an unmanaged or small set, O(log elements) for a large set
    public subscript(position: Int) -> Element { element(isRecording ? 0 : position) }

    /// Returns a Boolean value that indicates whether both are the same set of the same object.
    ///
    /// Unmanaged sets are equal if they have the same elements.
    public static func == (left: MutableSet, right: MutableSet) -> Bool {
        switch (left.core, right.core) {
        case (let first?, let second?): first.isSame(as: second)
        case (nil, nil): left === right || left.positions.keys == right.positions.keys
        case (_?, nil), (nil, _?): false
        }
    }

    // MARK: Unmanaged elements

    func insertUnmanaged(_ element: Element) {
        let key = ElementKey(element)
        guard positions[key] == nil else { return }
        positions[key] = _unmanaged.count
        _unmanaged.append(element)
    }

    /// Removes an element.
    ///
    /// The last element takes its position.
    func removeUnmanaged(_ element: Element) {
        guard let position = positions.removeValue(forKey: ElementKey(element)),
            let last = _unmanaged.popLast(), position < _unmanaged.count
        else { return }
        _unmanaged[position] = last
        positions[ElementKey(last)] = position
    }

    func positionUnmanaged(_ element: Element) -> Int? {
        positions[ElementKey(element)]
    }

    func removeAllUnmanaged() {
        _unmanaged = []
        positions = [:]
    }
}

extension MutableSet {
    /// Returns the position of an element, or `nil` if the set does not contain it.
    ///
    /// - Complexity: O(1) for an unmanaged set, O(log elements) for a managed one
    public func index(of element: Element) -> Int? {
        guard let core else { return positionUnmanaged(element) }
        guard let value = LinkLookup.value(of: element, in: core.instance) else { return nil }
        return core.reading { view throws(StoreError) in try view.position(of: value) }
    }

    /// Returns the position of an element, or `nil` if the set does not contain it.
    public func firstIndex(of element: Element) -> Int? { index(of: element) }

    /// Returns a Boolean value that indicates whether the set contains an element.
    ///
    /// - Complexity: O(1) for an unmanaged set, O(log elements) for a managed one
    public func contains(_ element: Element) -> Bool { index(of: element) != nil }
}
