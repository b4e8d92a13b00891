import FirnEngine
import FirnValues

extension Map: _Persistable {
    /// The declaration of the property.
    public static var _declaration: _PropertyDeclaration {
        let element = Value._element
        if element.type.base == .link, !element.type.isOptional {
            // A custom type provides a value for a missing object.
            if Value.self is any _CustomPersistable.Type {
                return element.optional.collected(in: .map)
            }
            misuse(
                "a Map<String, \(Value.self)> must be a Map<String, \(Value.self)?>: a key whose "
                    + "object is deleted stays, with nil")
        }
        return element.collected(in: .map)
    }

    /// Returns an empty map.
    public static func _initial() -> Map { Map() }

    /// Returns the map of a managed object.
    public static func _get(_ object: ObjectBase, _ index: Int) -> Map {
        Map(PropertyCore(object, index))
    }

    /// Replaces the entries of the map of a managed object.
    public static func _set(_ object: ObjectBase, _ index: Int, to value: Map) {
        let own = PropertyCore(object, index)
        if let other = value.core, other.isSame(as: own) { return }
        let entries = Array(value)
        own.changing { transaction, links throws(StoreError) in
            var stored: TextMap<FirnValues.Value> = [:]
            for (key, value) in entries { stored[key._mapKey] = try links.encoded(value) }
            try own.replaceAll(with: .map(stored), transaction)
        }
    }

    /// Returns the stored form of the map of an object that is being added.
    public func _stored(_ links: _LinkEncoder) -> _StoredValue {
        _StoredValue(.map(entries.mappingInOrder { $0._encode(links).value }))
    }

    /// Converts a map or a dictionary to a map, or returns `nil` if a value has a different type.
    public static func _converted(_ value: Any) -> Map? {
        if let value = value as? Map { return value }
        if isNothing(value) { return Map() }
        guard !(value is any RealmKeyedCollection), let entries = Firn.entries(in: value) else {
            return nil
        }
        let map = Map()
        for (key, value) in entries {
            guard let element = Value._element(from: value) else { return nil }
            map.updateValue(element, forKey: Key(_mapKey: key))
        }
        return map
    }

    /// Returns `true`, because programs hold maps themselves.
    public static var _isReference: Bool { true }

    /// Returns the map that the property already has, with the entries of this one.
    public func _assigned(over old: Map?) -> Map {
        guard let old, old.core == nil else { return Map(unmanaged: entries) }
        if old !== self { old.unmanaged = entries }
        return old
    }

    /// Makes this the map of a managed object.
    public func _becomeManaged(_ object: ObjectBase, _ index: Int) {
        core = PropertyCore(object, index)
        unmanaged = [:]
    }

    /// The entries of the map.
    var entries: TextMap<Value> {
        guard core != nil else { return unmanaged }
        return TextMap(map { ($0.key._mapKey, $0.value) }) { first, _ in first }
    }
}

extension Map: Encodable where Value: Encodable {
    /// Encodes the values by their keys.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MapCodingKey.self)
        for (key, value) in self {
            try container.encode(value, forKey: MapCodingKey(stringValue: key._mapKey))
        }
    }
}

extension Map: Decodable where Value: Decodable {
    /// Creates an unmanaged map by decoding its values.
    ///
    /// - Throws: `DecodingError`, also if a map cannot have a key.
    public convenience init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: MapCodingKey.self)
        for key in container.allKeys {
            if let problem = key.stringValue.problemAsMapKey {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: problem)
            }
            unmanaged[key.stringValue] = try container.decode(Value.self, forKey: key)
        }
    }
}

/// A coding key for a key of a map.
private struct MapCodingKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
}

extension Map: RecordingCollection {
    /// Returns a map of a recording object.
    public static func _traced(_ trace: _Trace) -> Map {
        let map = Map()
        if let sample = Value._sample(trace) {
            map.unmanaged = ["": sample]
            map.isRecording = true
        }
        return map
    }

    var recordedElement: Any? { recordedValue }

    /// The value for every key of a map of a recording object.
    var recordedValue: Value? { isRecording ? unmanaged[""] : nil }
}
