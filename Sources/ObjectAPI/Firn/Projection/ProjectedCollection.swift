import FirnValues

/// The values of one property of each element of a list or set of objects.
///
///     class PersonProjection: Projection<Person> {
///         @Projected(\Person.friends.projectTo.firstName) var names: ProjectedCollection<String>
///     }
///
/// The collection is live: it always has as many elements as the list or set.
public struct ProjectedCollection<Element>: RandomAccessCollection, CustomStringConvertible {
    let elements: ProjectedElements<Element>

    init(_ elements: ProjectedElements<Element>) { self.elements = elements }

    /// The first position, which is always 0.
    public var startIndex: Int { 0 }

    /// The number of elements.
    public var endIndex: Int { elements.count }

    /// Accesses the value at a position, which must exist.
    ///
    /// Setting a value sets the property of the object and requires a write transaction.
    public subscript(position: Int) -> Element {
        get { elements.value(at: position) }
        nonmutating set { elements.set(newValue, at: position) }
    }

    /// Returns the position of the first element whose object satisfies a condition.
    ///
    /// The result is `nil` if no object satisfies the condition.
    ///
    /// - Parameters:
    ///   - predicateFormat: A condition on the properties of the objects, as in
    ///     ``RealmCollection/filter(_:_:)``.
    ///   - args: The arguments for `%@`, `%K` and `$0` in the condition.
    public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
        elements.index(predicateFormat, args)
    }

    /// A textual representation of the values with their positions.
    public var description: String {
        let shown = enumerated().map { "\t[\($0)] \($1)" }
        return "ProjectedCollection<\(Element.self)> {\n" + shown.joined(separator: "\n") + "\n}"
    }
}

/// The values of a projected collection of any type.
protocol _ProjectedValues {
    /// The paths of the persisted properties of the objects that are shown.
    var _origins: [String] { get }
}

extension ProjectedCollection: _ProjectedValues {
    var _origins: [String] { elements.origins }
}

extension ProjectedCollection: ThreadConfined {
    /// The realm of the objects, or `nil` while they are unmanaged.
    public var realm: Realm? { elements.core.map { Realm($0.instance) } }

    /// A Boolean value that indicates whether the owner was deleted or the realm was invalidated.
    public var isInvalidated: Bool { elements.core?.isInvalidated ?? false }

    /// A Boolean value that indicates whether the collection is frozen.
    ///
    /// A frozen collection belongs to a version that never changes.
    public var isFrozen: Bool { elements.core?.instance.isFrozen ?? false }

    /// Returns a frozen version of the values, which can be used on any thread.
    public func freeze() -> ProjectedCollection { frozenByMoving() }

    /// Returns the values in the realm of the current thread, or `nil` if the owner was deleted.
    public func thaw() -> ProjectedCollection? { thawedByMoving() }

    /// Returns the same values in another realm of their file.
    ///
    /// The result is `nil` if the owner does not exist there.
    public func _moved(to realm: Realm) -> ProjectedCollection? {
        elements.moved(to: realm).map { ProjectedCollection($0) }
    }
}

extension ProjectedCollection where Element: Equatable {
    /// Returns the position of the first element with a value, or `nil` if there is none.
    ///
    /// - Complexity: O(elements)
    public func index(of object: Element) -> Int? { firstIndex(of: object) }
}

/// The values of one property of objects of any class.
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

/// The result of `projectTo`, with the properties of the elements of a collection.
@dynamicMemberLookup
public struct CollectionElementMapper<Element: ObjectBase & RealmCollectionValue> {
    private let collection: AnyRealmCollection<Element>

    init(_ collection: AnyRealmCollection<Element>) { self.collection = collection }

    /// Returns the values of a property of each element.
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
