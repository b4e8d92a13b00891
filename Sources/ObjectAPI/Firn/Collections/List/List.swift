import FirnEngine
import FirnValues

/// An ordered collection in a property of an object.
///
///     class Person: Object {
///         @Persisted var dogs: List<Dog>
///         @Persisted var notes: List<String>
///     }
///
/// An unmanaged list holds its elements in memory, and can be changed at any time. Once its object
/// is added to a realm, the same list reads and writes the database, and can only be changed in a
/// write transaction. Unmanaged objects that are inserted into such a list are added to its realm.
///
/// Embedded objects are stored within the list. Appending an embedded object stores it, and
/// removing it deletes it.
public final class List<Element: RealmCollectionValue>: RealmCollection {
    /// The elements while the list is unmanaged.
    public internal(set) var _unmanaged: [Element] = []
    /// The core of the list in a realm.
    var core: EditableCore?
    /// Whether the list only records key paths, with one element for every position.
    var isRecording = false

    /// Creates an empty unmanaged list.
    public init() {}

    init(_ core: EditableCore) { self.core = core }

    init(unmanaged elements: [Element]) { _unmanaged = elements }

    /// The core of the list in a realm, or `nil` while it is unmanaged.
    public var _core: _CollectionCore? { core }

    /// Returns the list of a core.
    public static func _make(_ core: _CollectionCore) -> List {
        guard let core = core as? EditableCore else { misuse("a list that is stored nowhere") }
        return List(core)
    }

    /// Returns a Boolean value that indicates whether both are the same list of the same object.
    ///
    /// Unmanaged lists are equal if they have the same elements in the same order.
    public static func == (left: List, right: List) -> Bool {
        switch (left.core, right.core) {
        case (let first?, let second?): first.isSame(as: second)
        case (nil, nil): left === right || left._unmanaged.hasSameElements(as: right._unmanaged)
        case (_?, nil), (nil, _?): false
        }
    }
}

extension List: MutableCollection {
    /// Accesses the element at a position.
    ///
    /// Setting an element of a managed list requires a write transaction. The program stops if the
    /// list does not have the position.
    ///
    /// - Complexity: O(1) for an unmanaged or short list, O(log elements) for a long list
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

    /// Accesses the elements in a range of positions.
    ///
    /// Setting the range is equivalent to ``replaceSubrange(_:with:)``.
    public subscript(bounds: Range<Int>) -> Slice<List> {
        get {
            check(bounds)
            return Slice(base: self, bounds: bounds)
        }
        set { replaceSubrange(bounds, with: newValue) }
    }

    /// Stops the program if the list does not have a position.
    func check(_ position: Int) {
        guard position >= 0, position < count else { outOfBounds(position, count) }
    }

    /// Stops the program if the list does not have a range of positions.
    func check(_ bounds: Range<Int>) {
        let count = count
        guard bounds.lowerBound >= 0 else { outOfBounds(bounds.lowerBound, count) }
        guard bounds.upperBound <= count else { outOfBounds(bounds.upperBound, count) }
    }
}

extension List: Encodable where Element: Encodable {
    /// Encodes the elements in their order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}

extension List: Decodable where Element: Decodable {
    /// Creates an unmanaged list by decoding its elements.
    public convenience init(from decoder: any Decoder) throws {
        self.init()
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd { _unmanaged.append(try container.decode(Element.self)) }
    }
}
