import FirnValues

/// Accessing properties by name, as key-value coding does.
extension ObjectBase {
    /// Returns the value of a property, or `nil` if it has none.
    ///
    /// - Parameter key: A persisted property. The program stops if it does not exist.
    public final func value(forKey key: String) -> Any? { self[key] }

    /// Returns the value at the end of a path across links, or `nil` if there is none.
    ///
    /// - Parameter keyPath: Properties separated by periods. A property that is a collection may be
    ///   followed by an operator, as in ``RealmCollection/value(forKeyPath:)``.
    public final func value(forKeyPath keyPath: String) -> Any? {
        KeyPathValues.value(at: keyPath.split(separator: ".").map { String($0) }[...], of: self)
    }

    /// Sets a property, which requires a write transaction if the object is managed.
    ///
    /// - Parameters:
    ///   - value: A value of the type of the property, or `nil` if that is allowed. The program
    ///     stops if the value has a different type.
    ///   - key: A persisted property. The program stops if it does not exist.
    public final func setValue(_ value: Any?, forKey key: String) { self[key] = value }

    /// Sets the property at the end of a path across links.
    ///
    /// Nothing is set if a link is nil.
    ///
    /// - Parameters:
    ///   - value: A value of the type of the property, or `nil` if that is allowed.
    ///   - keyPath: Properties separated by periods. The program stops if one does not exist.
    public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
        let parts = keyPath.split(separator: ".").map { String($0) }
        guard let key = parts.last else { return }
        switch KeyPathValues.value(at: parts.dropLast(), of: self) {
        case let object as ObjectBase: object[key] = value
        case let collection as any RealmCollection: collection.setValue(value, forKey: key)
        case let map as any RealmKeyedCollection: map.setValue(value, forKey: key)
        default: return
        }
    }

    /// Returns the values of several properties, without those that are nil.
    public final func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        Dictionary(
            keys.compactMap { key in self[key].map { (key, $0) } }, uniquingKeysWith: { $1 })
    }

    /// Sets several properties, in the order of their names.
    public final func setValuesForKeys(_ values: [String: Any]) {
        for key in values.keys.sorted() { self[key] = values[key] }
    }
}
