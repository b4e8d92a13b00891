import FirnEngine
import FirnValues

/// Values by keys, as a property of an object.
///
///     class Person: Object {
///         @Persisted var nicknames: Map<String, String>
///         @Persisted var pets: Map<String, Dog?>
///     }
///
/// A map that a program makes itself keeps its entries in memory, and can be changed at any time.
/// Once its object is added to a realm, the same map reads and writes the database, and can only be
/// changed in a write transaction. Objects that come into such a map are added to its realm.
///
/// Keys have no point in them and do not begin with `$`. Values that are objects must be optional:
/// a key whose object is deleted stays, with nil. The order of the entries means nothing.
public final class Map<Key: _MapKey, Value: RealmCollectionValue>: RealmKeyedCollection {
    /// A key and its value.
    public typealias Element = (key: Key, value: Value)
    /// Goes through the entries.
    public typealias Iterator = MapIterator<Key, Value>

    /// The entries while it is unmanaged.
    var unmanaged: [String: Value] = [:]
    /// What it stands for in a realm.
    var core: EditableCore?
    /// Whether it only records key paths: every key has its one value.
    var isRecording = false

    /// Makes an empty unmanaged map.
    public init() {}

    init(_ core: EditableCore) { self.core = core }

    init(unmanaged entries: [String: Value]) { unmanaged = entries }

    /// The realm; `nil` while it is unmanaged.
    public var realm: Realm? { core.map { Realm($0.instance) } }

    /// Whether its owner was deleted, or its realm was invalidated.
    public var isInvalidated: Bool { core?.isInvalidated ?? false }

    /// Whether it is of a version that never changes.
    public var isFrozen: Bool { core?.instance.isFrozen ?? false }

    /// How many entries there are.
    public var count: Int { core?.count ?? unmanaged.count }

    /// Whether there are none.
    public var isEmpty: Bool { count == 0 }

    /// The keys that there are now.
    ///
    /// - Complexity: O(entries)
    public var keys: [Key] {
        guard let core else { return unmanaged.orderedKeys.map { Key(_mapKey: $0) } }
        return core.reading { view throws(StoreError) in
            try view.entries().map { Key(_mapKey: $0.key) }
        }
    }

    /// The values that there are now, in the order of ``keys``.
    ///
    /// - Complexity: O(entries)
    public var values: [Value] { map(\.value) }

    /// The value of a key; `nil` if there is none.
    ///
    /// Setting `nil` removes the key. Setting it in a managed map needs a write transaction. The program stops for a key that a map
    /// cannot have. To keep a key with nil, use ``updateValue(_:forKey:)``.
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

    /// Goes through the entries that are there now, whatever happens to them meanwhile.
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
    /// The entries as tuples of a key and a value, which a map has anyway.
    ///
    ///     for (name, pet) in person.pets.asKeyValueSequence() { print(name, pet?.age ?? 0) }
    ///
    /// In Realm a loop over the map itself has entries of another type.
    public func asKeyValueSequence() -> Map { self }
}

/// Goes through the entries of a ``Map``.
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

    /// The next entry; `nil` behind the last.
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
    /// Whether both are the same map of the same object; unmanaged ones, whether they have the same
    /// entries.
    public static func == (left: Map, right: Map) -> Bool {
        switch (left.core, right.core) {
        case (let first?, let second?): first.isSame(as: second)
        case (nil, nil): left === right || left.unmanaged == right.unmanaged
        case (_?, nil), (nil, _?): false
        }
    }
}

extension Map {
    /// The map as it is now, for ever, for use everywhere.
    ///
    /// The program stops for an unmanaged map, and in a write transaction.
    public func freeze() -> Map { frozenByMoving() }

    /// The map of the realm of this thread; `nil` if its owner was deleted.
    public func thaw() -> Map? { thawedByMoving() }

    /// The same map in another realm of its file; `nil` if its owner is not there.
    public func _moved(to realm: Realm) -> Map? {
        guard let core else { misuse("an unmanaged map is in no realm") }
        guard core.instance.file === realm.instance.file else {
            misuse("a map can only be found again in a realm of its own file")
        }
        guard !core.isStale else { return nil }
        let moved = core.moved(to: realm.instance)
        guard !moved.isInvalidated else { return nil }
        return (moved as? EditableCore).map { Map($0) }
    }
}

extension Dictionary where Key == String {
    /// The keys by their bytes, as the database has them.
    var orderedKeys: [String] {
        keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Other values for the same keys, made in the order of the keys.
    ///
    /// What is made may be added to a realm, whose rows must not depend on the order of a dictionary.
    func mappingInOrder<Other>(_ transform: (Value) -> Other) -> [String: Other] {
        guard count > 1 else { return mapValues(transform) }
        var result: [String: Other] = [:]
        for key in orderedKeys {
            if let value = self[key] { result[key] = transform(value) }
        }
        return result
    }
}
