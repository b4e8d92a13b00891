/// What each element of a list or set of objects has in one property.
///
///     class PersonProjection: Projection<Person> {
///         @Projected(\Person.friends.projectTo.firstName) var names: ProjectedCollection<String>
///     }
///
/// It is live: it always has as many elements as the collection.
public struct ProjectedCollection<Element>: RandomAccessCollection, CustomStringConvertible {
    let elements: ProjectedElements<Element>

    init(_ elements: ProjectedElements<Element>) { self.elements = elements }

    /// Always 0.
    public var startIndex: Int { 0 }

    /// The number of elements.
    public var endIndex: Int { elements.count }

    /// The value of an element; the program stops if there is none at the position.
    ///
    /// Setting it sets the property of the object, in a write transaction.
    public subscript(position: Int) -> Element {
        get { elements.value(at: position) }
        nonmutating set { elements.set(newValue, at: position) }
    }

    /// The position of the first element whose object satisfies a condition; `nil` if none does.
    ///
    /// - Parameters:
    ///   - predicateFormat: about the properties of the objects, as in
    ///     ``RealmCollection/filter(_:_:)``.
    ///   - args: for `%@`, `%K` and `$0` in it.
    public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
        elements.index(predicateFormat, args)
    }

    /// The values with their positions.
    public var description: String {
        let shown = enumerated().map { "\t[\($0)] \($1)" }
        return "ProjectedCollection<\(Element.self)> {\n" + shown.joined(separator: "\n") + "\n}"
    }
}

/// The values of a projected collection, whatever they are.
protocol _ProjectedValues {
    /// The paths of the persisted properties of the objects that they show.
    var _origins: [String] { get }
}

extension ProjectedCollection: _ProjectedValues {
    var _origins: [String] { elements.origins }
}

extension ProjectedCollection: ThreadConfined {
    /// The realm of the objects; `nil` while they are unmanaged.
    public var realm: Realm? { elements.core.map { Realm($0.instance) } }

    /// Whether the owner of the objects was deleted, or the realm was invalidated.
    public var isInvalidated: Bool { elements.core?.isInvalidated ?? false }

    /// Whether it is of a version that never changes.
    public var isFrozen: Bool { elements.core?.instance.isFrozen ?? false }

    /// The values as they are now, for ever, for use everywhere.
    public func freeze() -> ProjectedCollection { frozenByMoving() }

    /// The values of the realm of this thread; `nil` if the owner was deleted.
    public func thaw() -> ProjectedCollection? { thawedByMoving() }

    /// The same in another realm of its file; `nil` if its owner is not there.
    public func _moved(to realm: Realm) -> ProjectedCollection? {
        elements.moved(to: realm).map { ProjectedCollection($0) }
    }
}

extension ProjectedCollection where Element: Equatable {
    /// The position of the first element with a value; `nil` if none has it.
    ///
    /// - Complexity: O(elements)
    public func index(of object: Element) -> Int? { firstIndex(of: object) }
}

/// The values of one property of objects, whatever their class is.
class ProjectedElements<Value> {
    var count: Int { misuse("a projection without elements") }
    var core: _CollectionCore? { misuse("a projection without elements") }
    /// The paths of the persisted properties that are shown.
    var origins: [String] { misuse("a projection without elements") }
    func moved(to realm: Realm) -> ProjectedElements<Value>? {
        misuse("a projection without elements")
    }
    func value(at index: Int) -> Value { misuse("a projection without elements") }
    func set(_ value: Value, at index: Int) { misuse("a projection without elements") }
    func index(_ text: String, _ arguments: [Any]) -> Int? {
        misuse("a projection without elements")
    }
}

/// The values of one property of the objects of a collection.
final class MappedElements<Object: RealmCollectionValue, Value>: ProjectedElements<Value> {
    private let collection: AnyRealmCollection<Object>
    private let keyPath: KeyPath<Object, Value>

    init(_ collection: AnyRealmCollection<Object>, _ keyPath: KeyPath<Object, Value>) {
        self.collection = collection
        self.keyPath = keyPath
    }

    override var count: Int { collection.count }
    override var core: _CollectionCore? { collection._core }
    override var origins: [String] { KeyPathNames.origins(of: keyPath) }

    override func moved(to realm: Realm) -> ProjectedElements<Value>? {
        collection._moved(to: realm).map { MappedElements($0, keyPath) }
    }

    override func value(at index: Int) -> Value { collection[index][keyPath: keyPath] }

    override func set(_ value: Value, at index: Int) {
        guard let writable = keyPath as? ReferenceWritableKeyPath<Object, Value> else {
            misuse("\(keyPath) can only be read: set the property of the object")
        }
        collection[index][keyPath: writable] = value
    }

    override func index(_ text: String, _ arguments: [Any]) -> Int? {
        collection.index(matching: text, arguments: arguments)
    }
}

/// What `projectTo` gives: the properties of the elements of a collection.
@dynamicMemberLookup
public struct CollectionElementMapper<Element: ObjectBase & RealmCollectionValue> {
    private let collection: AnyRealmCollection<Element>

    init(_ collection: AnyRealmCollection<Element>) { self.collection = collection }

    /// What each element has in a property.
    public subscript<V>(dynamicMember member: KeyPath<Element, V>) -> ProjectedCollection<V> {
        ProjectedCollection(MappedElements(collection, member))
    }
}

extension RealmCollection where Element: ObjectBase {
    /// The properties of the elements, for the key path of a ``Projected`` property.
    ///
    ///     @Projected(\Person.friends.projectTo.firstName) var names: ProjectedCollection<String>
    public var projectTo: CollectionElementMapper<Element> {
        CollectionElementMapper(AnyRealmCollection(self))
    }
}
