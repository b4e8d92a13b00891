import FirnEngine
import FirnValues

/// A collection of key-value pairs in a property of an object.
///
///     class Person: Object {
///         @Persisted var nicknames: Map<String, String>
///         @Persisted var pets: Map<String, Dog?>
///     }
///
/// An unmanaged map holds its entries in memory, and can be changed at any time. Once its object is
/// added to a realm, the same map reads and writes the database, and can only be changed in a write
/// transaction. Unmanaged objects that are inserted into such a map are added to its realm.
///
/// A key must not contain a period or start with `$`. Values that are objects must be optional: if
/// an object is deleted, its key remains with the value nil. The order of the entries is
/// unspecified.
public final class Map<Key: _MapKey, Value: RealmCollectionValue>: RealmKeyedCollection {
    /// A key and its value.
    public typealias Element = (key: Key, value: Value)
    /// An iterator over the entries.
    public typealias Iterator = MapIterator<Key, Value>

    /// The entries while the map is unmanaged.
    var unmanaged: TextMap<Value> = [:]
    /// The core of the map in a realm.
    var core: EditableCore?
    /// Whether the map only records key paths, with one value for every key.
    var isRecording = false

    /// Creates an empty unmanaged map.
    public init() {}

    init(_ core: EditableCore) { self.core = core }

    init(unmanaged entries: TextMap<Value>) { unmanaged = entries }

    /// The realm of the map, or `nil` while it is unmanaged.
    public var realm: Realm? { core.map { Realm($0.instance) } }

    /// A Boolean value that indicates whether the owner was deleted or the realm was invalidated.
    public var isInvalidated: Bool { core?.isInvalidated ?? false }

    /// A Boolean value that indicates whether the map belongs to a version that never changes.
    public var isFrozen: Bool { core?.instance.isFrozen ?? false }

    /// The number of entries.
    public var count: Int { core?.count ?? unmanaged.count }

    /// A Boolean value that indicates whether the map has no entries.
    public var isEmpty: Bool { count == 0 }

    /// The current keys.
    ///
    /// - Complexity: O(entries)
    public var keys: [Key] {
        guard let core else { return unmanaged.orderedKeys.map { Key(_mapKey: $0) } }
        return core.reading { view throws(StoreError) in
            try view.entries().map { Key(_mapKey: $0.key) }
        }
    }

    /// The current values, in the order of ``keys``.
    ///
    /// - Complexity: O(entries)
    public var values: [Value] { map(\.value) }

    /// Accesses the value of a key, or `nil` if there is none.
    ///
    /// Setting `nil` removes the key. To keep a key with the value nil, use
    /// ``updateValue(_:forKey:)``. Setting a value in a managed map requires a write transaction.
    /// The program stops if a map cannot have the key.
    ///
    /// - Complexity: O(log entries)
    public subscript(key: Key) -> Value? {
        get {
            let name = key._mapKey
            guard let core else { return recordedValue ?? unmanaged[name] }
            let value = core.reading { view throws(StoreError) in
                try view.element(forKey: name)
            }
            return value.map {
                Value._decode(_StoredValue($0), in: core.reference(forKey: name))
            }
        }
        set {
            if let newValue { updateValue(newValue, forKey: key) } else { removeObject(for: key) }
        }
    }

    /// Returns an iterator over the current entries, which later changes do not affect.
    public func makeIterator() -> MapIterator<Key, Value> {
        guard let core else {
            return MapIterator(
                unmanaged.orderedKeys.compactMap { key in
                    unmanaged[key].map { (Key(_mapKey: key), $0) }
                })
        }
        let entries = core.reading { view throws(StoreError) in try view.entries() }
        return MapIterator(core, entries)
    }
}

extension Map {
    /// Returns the entries as tuples of a key and a value, which is the map itself.
    ///
    ///     for (name, pet) in person.pets.asKeyValueSequence() { print(name, pet?.age ?? 0) }
    ///
    /// In Realm, a loop over the map itself yields entries of a different type.
    public func asKeyValueSequence() -> Map { self }
}

/// An iterator over the entries of a ``Map``.
public struct MapIterator<Key: _MapKey, Value: RealmCollectionValue>: IteratorProtocol {
    private var stored: [(key: String, value: FirnValues.Value)] = []
    private var unmanaged: [(Key, Value)] = []
    private let core: EditableCore?
    private var position = 0

    init(_ unmanaged: [(Key, Value)]) {
        self.unmanaged = unmanaged
        core = nil
    }

    init(_ core: EditableCore, _ stored: [(key: String, value: FirnValues.Value)]) {
        self.core = core
        self.stored = stored
    }

    /// Returns the next entry, or `nil` after the last one.
    public mutating func next() -> (key: Key, value: Value)? {
        defer { position += 1 }
        guard let core else {
            return position < unmanaged.count ? unmanaged[position] : nil
        }
        guard position < stored.count else { return nil }
        let (key, value) = stored[position]
        return (
            Key(_mapKey: key),
            Value._decode(_StoredValue(value), in: core.reference(forKey: key))
        )
    }
}

extension Map: Equatable {
    /// Returns a Boolean value that indicates whether both are the same map of the same object.
    ///
    /// Unmanaged maps are equal if they have the same entries.
    public static func == (left: Map, right: Map) -> Bool {
        switch (left.core, right.core) {
        case (let first?, let second?): first.isSame(as: second)
        case (nil, nil):
            left === right
                || left.unmanaged.mapValues { ElementKey($0) }
                    == right.unmanaged.mapValues { ElementKey($0) }
        case (_?, nil), (nil, _?): false
        }
    }
}

extension Map {
    /// Returns a frozen version of the map, which can be used on any thread.
    ///
    /// The program stops if the map is unmanaged, or if a write transaction is open.
    public func freeze() -> Map { frozenByMoving() }

    /// Returns the map in the realm of the current thread, or `nil` if its owner was deleted.
    public func thaw() -> Map? { thawedByMoving() }

    /// Returns the same map in another realm of its file.
    ///
    /// The result is `nil` if its owner does not exist there.
    public func _moved(to realm: Realm) -> Map? {
        guard let core else { misuse("the map is unmanaged: add its object to a realm first") }
        guard core.instance.file === realm.instance.file else {
            misuse("a map can only be found again in a realm of its own file")
        }
        guard !core.isStale else { return nil }
        let moved = core.moved(to: realm.instance)
        guard !moved.isInvalidated else { return nil }
        return (moved as? EditableCore).map { Map($0) }
    }
}

extension TextMap {
    /// The keys in the order of their bytes, as in the database.
    var orderedKeys: [String] { keys.sorted() }

    /// Returns a map with transformed values, which are created in the order of the keys.
    ///
    /// Creating a value may add an object to a realm, and the order of rows must not depend on the
    /// order of a dictionary.
    func mappingInOrder<Other>(_ transform: (Element) -> Other) -> TextMap<Other> {
        guard count > 1 else { return mapValues(transform) }
        var result = TextMap<Other>(minimumCapacity: count)
        for (key, value) in sorted(by: { $0.key < $1.key }) { result[key] = transform(value) }
        return result
    }
}
