import FirnEngine
import FirnValues

/// Entries that come and go. Managed maps need a write transaction.
extension Map {
    /// Gives a key a value, whether it has one or not.
    ///
    /// An object that is in no realm is added to that of the map. The program stops for a key with a
    /// point in it or with `$` in front.
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

    /// Removes a key, if it is there.
    ///
    /// An object stays in the realm; an embedded object is deleted.
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

    /// Adds entries.
    ///
    ///     ages.merge(["Ann": 7, "Bob": 8]) { old, new in max(old, new) }
    ///
    /// - Parameters:
    ///   - sequence: keys with values.
    ///   - combine: gives the value of a key that is there already, of the old value and the new.
    public func merge<S: Sequence>(
        _ sequence: S, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows where S.Element == (key: Key, value: Value) {
        for (key, value) in Array(sequence) { try merge(value, forKey: key, combine) }
    }

    /// Adds entries.
    ///
    /// - Parameters:
    ///   - sequence: keys with values.
    ///   - combine: gives the value of a key that is there already, of the old value and the new.
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
    /// Why this cannot be the key of a map; `nil` if it can.
    var problemAsMapKey: String? {
        if utf8.first == UInt8(ascii: "$") { return "the key \"\(self)\" must not begin with $" }
        if utf8.contains(UInt8(ascii: ".")) {
            return "the key \"\(self)\" must not have a point in it"
        }
        return nil
    }
}

/// Entries by name, with values of any type.
extension Map {
    /// The value of a key; `nil` if there is none.
    public func object(forKey key: Key) -> Any? { self[key].flatMap { isNothing($0) ? nil : $0 } }

    /// The value of a key; `nil` if there is none.
    public func value(forKey key: String) -> Any? { object(forKey: Key(_mapKey: key)) }

    /// The value of a key, or what is at the end of a path of properties that begins at it.
    ///
    /// - Parameter keyPath: a key, and names of properties behind points: `"rex.owner.name"`.
    public func value(forKeyPath keyPath: String) -> Any? {
        let parts = keyPath.split(separator: ".").map { String($0) }
        guard let key = parts.first else { return nil }
        return parts.dropFirst().reduce(value(forKey: key)) { next, name in
            (next as? ObjectBase)?[name]
        }
    }

    /// Gives a key a value.
    ///
    /// - Parameters:
    ///   - value: of the type of the values; `nil` removes the key. The program stops for a value of
    ///     another type.
    ///   - key: as of ``updateValue(_:forKey:)``.
    public func setValue(_ value: Any?, forKey key: String) {
        guard let value else { return removeObject(for: Key(_mapKey: key)) }
        guard let element = Value._element(from: value) else {
            misuse("a \(type(of: value)) is no value of a Map<String, \(Value.self)>")
        }
        updateValue(element, forKey: Key(_mapKey: key))
    }
}
