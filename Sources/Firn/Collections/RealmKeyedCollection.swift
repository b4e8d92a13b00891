/// A type that can be the key of a ``Map``: only String.
public protocol _MapKey: Hashable, Sendable {
    /// The key as the database stores it.
    var _mapKey: String { get }
    /// Makes a key of what the database stores.
    init(_mapKey: String)
}

extension String: _MapKey {
    /// The string itself.
    public var _mapKey: String { self }

    /// The string itself.
    public init(_mapKey: String) { self = _mapKey }
}

/// A collection of values that are found by keys: ``Map``.
public protocol RealmKeyedCollection: Sequence, ThreadConfined, CustomStringConvertible
where Element == (key: Key, value: Value) {
    /// The type of the keys: String.
    associatedtype Key: _MapKey
    /// The type of the values.
    associatedtype Value: RealmCollectionValue

    /// How many entries there are.
    var count: Int { get }
    /// The keys that there are now.
    var keys: [Key] { get }
    /// The values that there are now, in the order of ``keys``.
    var values: [Value] { get }
    /// The value of a key; `nil` if there is none. Setting `nil` removes the key.
    subscript(key: Key) -> Value? { get set }
    /// Gives a key a value.
    func updateValue(_ value: Value, forKey key: Key)
    /// Removes a key, if it is there.
    func removeObject(for key: Key)
    /// Removes all keys.
    func removeAll()

    /// The value of a key; `nil` if there is none.
    func value(forKey key: String) -> Any?
    /// The value of a key, or what is at the end of a path of properties that begins at it.
    func value(forKeyPath keyPath: String) -> Any?
    /// Gives a key a value of the type of the values; `nil` removes it.
    func setValue(_ value: Any?, forKey key: String)

    /// The objects that satisfy a condition.
    func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value>
    /// The objects that satisfy a condition that the compiler checks.
    func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value>
    /// Whether any entry satisfies a condition.
    func contains(where predicate: (_ key: Key, _ value: Value) throws -> Bool) rethrows -> Bool
    /// The objects in the order of a property.
    func sorted(byKeyPath keyPath: String, ascending: Bool) -> Results<Value>
    /// The objects in the order of several properties.
    func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value>
    where S.Iterator.Element == SortDescriptor

    /// The lowest value of a property; `nil` if no object has one.
    func min<T: MinMaxType>(ofProperty property: String) -> T?
    /// The highest value of a property; `nil` if no object has one.
    func max<T: MinMaxType>(ofProperty property: String) -> T?
    /// The sum of the values of a property, nil left out; 0 of nothing.
    func sum<T: AddableType>(ofProperty property: String) -> T
    /// The average of the values of a property, nil left out; `nil` of nothing.
    func average<T: AddableType>(ofProperty property: String) -> T?
}
