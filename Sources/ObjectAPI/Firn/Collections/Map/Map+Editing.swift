import FirnEngine
import FirnValues

/// Changing entries.
///
/// Managed maps require a write transaction.
extension Map {
    /// Sets the value of a key, which is added if necessary.
    ///
    /// An unmanaged object is added to the realm of the map. The program stops if the key contains
    /// a period or starts with `$`.
    ///
    /// - Complexity: O(log entries)
    public func updateValue(_ value: Value, forKey key: Key) {
        let name = checked(key)
        guard let core else {
            unmanaged[name] = value
            return
        }
        if core.mayLink, let there = core.instance.embeddedLink(of: value),
            core.reading({ view throws(StoreError) in try view.element(forKey: name) }) == there
        {
            return
        }
        core.edit(with: value) { .put(name, $0) }
    }

    /// Removes a key if it exists.
    ///
    /// An object remains in the realm. An embedded object is deleted.
    ///
    /// - Complexity: O(log entries)
    public func removeObject(for key: Key) {
        guard let core else {
            unmanaged[key._mapKey] = nil
            return
        }
        core.edit(.drop(key._mapKey))
    }

    /// Removes all keys.
    ///
    /// - Complexity: O(entries)
    public func removeAll() {
        guard let core else { return unmanaged.removeAll() }
        core.edit(.clear)
    }

    /// Merges entries into the map.
    ///
    ///     ages.merge(["Ann": 7, "Bob": 8]) { old, new in max(old, new) }
    ///
    /// - Parameters:
    ///   - sequence: The keys and their values.
    ///   - combine: A closure that combines the old and the new value of an existing key.
    public func merge<S: Sequence>(
        _ sequence: S, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows where S.Element == (key: Key, value: Value) {
        for (key, value) in Array(sequence) { try merge(value, forKey: key, combine) }
    }

    /// Merges entries into the map.
    ///
    /// - Parameters:
    ///   - sequence: The keys and their values.
    ///   - combine: A closure that combines the old and the new value of an existing key.
    public func merge<S: Sequence>(
        _ sequence: S, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows where S.Element == (Key, Value) {
        for (key, value) in Array(sequence) { try merge(value, forKey: key, combine) }
    }

    private func merge(
        _ value: Value, forKey key: Key, _ combine: (Value, Value) throws -> Value
    ) rethrows {
        guard let old = self[key] else { return updateValue(value, forKey: key) }
        updateValue(try combine(old, value), forKey: key)
    }

    private func checked(_ key: Key) -> String {
        let name = key._mapKey
        if let problem = name.problemAsMapKey { misuse(problem) }
        return name
    }
}

extension String {
    /// The reason why this string cannot be the key of a map, or `nil` if it can.
    var problemAsMapKey: String? {
        if utf8.first == UInt8(ascii: "$") { return "the key \"\(self)\" must not begin with $" }
        if utf8.contains(UInt8(ascii: ".")) {
            return "the key \"\(self)\" must not have a point in it"
        }
        return nil
    }
}

/// Accessing entries by name, with values of any type.
extension Map {
    /// Returns the value of a key, or `nil` if there is none.
    public func object(forKey key: Key) -> Any? { self[key].flatMap { isNothing($0) ? nil : $0 } }

    /// Returns the value of a key, or `nil` if there is none.
    public func value(forKey key: String) -> Any? { object(forKey: Key(_mapKey: key)) }

    /// Sets the value of a key.
    ///
    /// - Parameters:
    ///   - value: A value of the type of the map's values, or `nil` to remove the key. The program
    ///     stops if the value has a different type.
    ///   - key: The key, as in ``updateValue(_:forKey:)``.
    public func setValue(_ value: Any?, forKey key: String) {
        guard let value else { return removeObject(for: Key(_mapKey: key)) }
        guard let element = Value._element(from: value) else {
            misuse("a \(type(of: value)) is not a value of a Map<String, \(Value.self)>")
        }
        updateValue(element, forKey: Key(_mapKey: key))
    }
}
