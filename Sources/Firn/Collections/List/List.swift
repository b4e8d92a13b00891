import FirnEngine
import FirnValues

/// An ordered collection that is a property of an object.
///
///     class Person: Object {
///         @Persisted var dogs: List<Dog>
///         @Persisted var notes: List<String>
///     }
///
/// A list that a program makes itself keeps its elements in memory, and can be changed at any time.
/// Once its object is added to a realm, the same list reads and writes the database, and can only
/// be changed in a write transaction. Objects that come into such a list are added to its realm.
///
/// Embedded objects live in the list: one that is appended gets its place in the database there,
/// and one that is removed is deleted.
public final class List<Element: RealmCollectionValue>: RealmCollection {
    /// The elements while it is unmanaged.
    public internal(set) var _unmanaged: [Element] = []
    /// What it stands for in a realm.
    var core: EditableCore?
    /// Whether it only records key paths: its one element is at every position.
    var isRecording = false

    /// Makes an empty unmanaged list.
    public init() {}

    init(_ core: EditableCore) { self.core = core }

    init(unmanaged elements: [Element]) { _unmanaged = elements }

    /// What it stands for in a realm; `nil` while it is unmanaged.
    public var _core: _CollectionCore? { core }

    /// The list that stands for what a core does.
    public static func _make(_ core: _CollectionCore) -> List {
        guard let core = core as? EditableCore else { misuse("a list that is stored nowhere") }
        return List(core)
    }

    /// Whether both are the same list of the same object; unmanaged ones, whether they have the same
    /// elements in the same order.
    public static func == (left: List, right: List) -> Bool {
        switch (left.core, right.core) {
        case (let first?, let second?): first.isSame(as: second)
        case (nil, nil): left === right || left._unmanaged == right._unmanaged
        case (_?, nil), (nil, _?): false
        }
    }
}

extension List: MutableCollection {
    /// The element at a position.
    ///
    /// Setting it in a managed list needs a write transaction. The program stops for a position that
    /// the list does not have.
    ///
    /// - Complexity: O(1) for an unmanaged and for a short list, O(log elements) for a long one
    public subscript(position: Int) -> Element {
        get { element(isRecording ? 0 : position) }
        set {
            guard let core else {
                check(position)
                _unmanaged[position] = newValue
                return
            }
            if core.mayLink, let there = core.instance.embeddedLink(of: newValue),
                core.stored(position).value == there
            {
                return
            }
            core.edit(with: newValue) { .replace(position, $0) }
        }
    }

    /// The elements of a range of positions.
    ///
    /// Setting it is ``replaceSubrange(_:with:)``.
    public subscript(bounds: Range<Int>) -> Slice<List> {
        get {
            check(bounds)
            return Slice(base: self, bounds: bounds)
        }
        set { replaceSubrange(bounds, with: newValue) }
    }

    /// Stops the program for a position that the list does not have.
    func check(_ position: Int) {
        guard position >= 0, position < count else { outOfBounds(position, count) }
    }

    /// Stops the program for positions that the list does not have.
    func check(_ bounds: Range<Int>) {
        let count = count
        guard bounds.lowerBound >= 0 else { outOfBounds(bounds.lowerBound, count) }
        guard bounds.upperBound <= count else { outOfBounds(bounds.upperBound, count) }
    }
}
