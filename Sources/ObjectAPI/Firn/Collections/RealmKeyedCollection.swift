import FirnValues

/// A type that can be the key of a ``Map``, which is only String.
public protocol _MapKey: Hashable, Sendable {
    /// The stored form of the key.
    var _mapKey: String { get }
    /// Creates a key from its stored form.
    init(_mapKey: String)
}

extension String: _MapKey {
    /// The string itself.
    public var _mapKey: String { self }

    /// Creates a key, which is the string itself.
    public init(_mapKey: String) { self = _mapKey }
}

/// A collection of values that are accessed by keys, such as ``Map``.
public protocol RealmKeyedCollection: Sequence, ThreadConfined, CustomStringConvertible
where Element == (key: Key, value: Value) {
    /// The type of the keys, which is String.
    associatedtype Key: _MapKey
    /// The type of the values.
    associatedtype Value: RealmCollectionValue

    /// The number of entries.
    var count: Int { get }
    /// The current keys.
    var keys: [Key] { get }
    /// The current values, in the order of ``keys``.
    var values: [Value] { get }
    /// Accesses the value of a key, or `nil` if there is none.
    ///
    /// Setting `nil` removes the key.
    subscript(key: Key) -> Value? { get set }
    /// Sets the value of a key.
    func updateValue(_ value: Value, forKey key: Key)
    /// Removes a key if it exists.
    func removeObject(for key: Key)
    /// Removes all keys.
    func removeAll()

    /// Returns the value of a key, or `nil` if there is none.
    func value(forKey key: String) -> Any?
    /// Returns the value of a key, or of a path of properties that starts with a key.
    func value(forKeyPath keyPath: String) -> Any?
    /// Sets the value of a key, or removes the key if the value is `nil`.
    func setValue(_ value: Any?, forKey key: String)

    /// Returns the objects that satisfy a condition.
    func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value>
    /// Returns the objects that satisfy a condition that the compiler checks.
    func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value>
    /// Returns a Boolean value that indicates whether any entry satisfies a condition.
    func contains(where predicate: (_ key: Key, _ value: Value) throws -> Bool) rethrows -> Bool
    /// Returns the objects sorted by a property.
    func sorted(byKeyPath keyPath: String, ascending: Bool) -> Results<Value>
    /// Returns the objects sorted by several properties.
    func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value>
    where S.Iterator.Element == SortDescriptor

    /// Returns the lowest value of a property, or `nil` if no object has a value.
    func min<T: MinMaxType>(ofProperty property: String) -> T?
    /// Returns the highest value of a property, or `nil` if no object has a value.
    func max<T: MinMaxType>(ofProperty property: String) -> T?
    /// Returns the sum of the values of a property, ignoring nil, or 0 if there are none.
    func sum<T: RealmCollectionValue>(ofProperty property: String) -> T
    where T.PersistedType: AddableType
    /// Returns the average of the values of a property, ignoring nil, or `nil` if there are none.
    func average<T: RealmCollectionValue>(ofProperty property: String) -> T?
    where T.PersistedType: AddableType
}
