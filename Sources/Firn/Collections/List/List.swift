import FirnEngine
import FirnValues

/// An ordered collection that is a property of an object.
///
///     class Person: Object {
///         @Persisted var dogs: List<Dog>
///         @Persisted var notes: List<String>
///     }
public final class List<Element: RealmCollectionValue>: RealmCollection {
    /// The elements while it is unmanaged.
    public private(set) var _unmanaged: [Element] = []
    private var core: PropertyCore?

    /// Makes an empty unmanaged list.
    public init() {}

    init(_ core: PropertyCore) { self.core = core }

    /// What it stands for in a realm; `nil` while it is unmanaged.
    public var _core: _CollectionCore? { core }

    /// The list that stands for what a core does.
    public static func _make(_ core: _CollectionCore) -> List {
        guard let core = core as? PropertyCore else { misuse("a list that is no property") }
        return List(core)
    }

    /// The element at a position.
    public subscript(position: Int) -> Element {
        get { element(position) }
        set {
            guard let core else {
                guard _unmanaged.indices.contains(position) else {
                    outOfBounds(position, _unmanaged.count)
                }
                _unmanaged[position] = newValue
                return
            }
            core.edit(with: newValue) { .replace(position, $0) }
        }
    }

    /// Whether both are the same list of the same object; unmanaged ones, the same instance.
    public static func == (left: List, right: List) -> Bool {
        guard let first = left.core, let second = right.core else { return left === right }
        return first.instance === second.instance && first.row == second.row
            && first.place == second.place && first.owner.schema.id == second.owner.schema.id
    }

    /// Adds an element behind the last one.
    public func append(_ element: Element) {
        guard let core else {
            _unmanaged.append(element)
            return
        }
        core.edit(with: element) { .append($0) }
    }
}

extension List: _Persistable {
    /// What the property is declared as.
    public static var _declaration: _PropertyDeclaration { Element._element.collected(in: .list) }

    /// An empty list.
    public static func _initial() -> List { List() }

    /// The list of a managed object.
    public static func _get(_ object: ObjectBase, _ place: Int) -> List {
        List(PropertyCore(object, place))
    }

    /// Gives the list of a managed object other elements.
    public static func _set(_ object: ObjectBase, _ place: Int, to value: List) {
        let own = _get(object, place)
        guard own != value else { return }
        let elements = Array(value)
        own.core?.edit(.clear)
        for element in elements { own.append(element) }
    }

    /// What the database stores for the list of an object that is being added.
    public func _stored(_ adding: _ObjectAdding) -> _StoredValue {
        _StoredValue(.list(map { $0._encode(adding).value }))
    }

    /// Makes of a list or an array a list; `nil` if an element is of another kind.
    public static func _converted(_ value: Any) -> List? {
        if let value = value as? List { return value }
        guard let values = value as? any Sequence else { return nil }
        let list = List()
        for value in values {
            guard let element = Element._element(from: value) else { return nil }
            list.append(element)
        }
        return list
    }
}
