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
}
