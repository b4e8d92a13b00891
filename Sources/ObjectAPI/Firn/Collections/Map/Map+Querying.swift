import FirnValues

/// Searching and sorting the values.
///
/// The results do not include the keys.
extension Map {
    /// The values as a collection.
    var valueCollection: AnyRealmCollection<Value> {
        guard let core else { return AnyRealmCollection(List(unmanaged: values)) }
        return AnyRealmCollection._make(MapValuesCore(core))
    }

    /// Returns the objects that satisfy a condition.
    ///
    /// - Parameters:
    ///   - predicateFormat: The condition, as in ``RealmCollection/filter(_:_:)``.
    ///   - args: The arguments for `%@`, `%K` and `$0` in the condition.
    public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value> {
        valueCollection.filter(predicateFormat, arguments: args)
    }

    /// Returns the objects that satisfy a condition that the compiler checks.
    public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
        valueCollection.where(isIncluded)
    }

    /// Returns the objects sorted by a property.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
        valueCollection.sorted(byKeyPath: keyPath, ascending: ascending)
    }

    /// Returns the objects sorted by several properties.
    public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value>
    where S.Iterator.Element == SortDescriptor {
        valueCollection.sorted(by: sortDescriptors)
    }

    /// Returns a Boolean value that indicates whether any entry satisfies a condition.
    public func contains(
        where predicate: (_ key: Key, _ value: Value) throws -> Bool
    ) rethrows -> Bool {
        for (key, value) in self where try predicate(key, value) { return true }
        return false
    }

    /// Returns the lowest value of a property, or `nil` if no object has a value.
    public func min<T: MinMaxType>(ofProperty property: String) -> T? {
        valueCollection.min(ofProperty: property)
    }

    /// Returns the highest value of a property, or `nil` if no object has a value.
    public func max<T: MinMaxType>(ofProperty property: String) -> T? {
        valueCollection.max(ofProperty: property)
    }

    /// Returns the sum of the values of a property, ignoring nil, or 0 if there are none.
    public func sum<T: RealmCollectionValue>(ofProperty property: String) -> T
    where T.PersistedType: AddableType {
        valueCollection.sum(ofProperty: property)
    }

    /// Returns the average of the values of a property, ignoring nil, or `nil` if there are none.
    public func average<T: RealmCollectionValue>(ofProperty property: String) -> T?
    where T.PersistedType: AddableType {
        valueCollection.average(ofProperty: property)
    }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: KeypathSortable {
    /// Returns the objects sorted by a property.
    public func sorted<T: SortableType>(
        by keyPath: KeyPath<Value.Wrapped, T>, ascending: Bool = true
    ) -> Results<Value> {
        sorted(byKeyPath: Value.Wrapped.name(of: keyPath), ascending: ascending)
    }

    /// Returns the lowest value of a property, or `nil` if no object has a value.
    public func min<T: MinMaxType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? {
        min(ofProperty: Value.Wrapped.name(of: keyPath))
    }

    /// Returns the highest value of a property, or `nil` if no object has a value.
    public func max<T: MinMaxType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? {
        max(ofProperty: Value.Wrapped.name(of: keyPath))
    }

    /// Returns the sum of the values of a property, ignoring nil, or 0 if there are none.
    public func sum<T: RealmCollectionValue>(of keyPath: KeyPath<Value.Wrapped, T>) -> T
    where T.PersistedType: AddableType {
        sum(ofProperty: Value.Wrapped.name(of: keyPath))
    }

    /// Returns the average of the values of a property, ignoring nil, or `nil` if there are none.
    public func average<T: RealmCollectionValue>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
    where T.PersistedType: AddableType {
        average(ofProperty: Value.Wrapped.name(of: keyPath))
    }
}

extension Map where Value: SortableType {
    /// Returns the values in sorted order.
    ///
    /// Nil is the lowest value.
    public func sorted(ascending: Bool = true) -> Results<Value> {
        valueCollection.sorted(byKeyPath: "self", ascending: ascending)
    }
}

extension Map where Value: MinMaxType {
    /// Returns the lowest value, or `nil` if there is none.
    public func min() -> Value? { valueCollection.min(ofProperty: "self") }

    /// Returns the highest value, or `nil` if there is none.
    public func max() -> Value? { valueCollection.max(ofProperty: "self") }
}

extension Map where Value.PersistedType: AddableType {
    /// Returns the sum of the values, ignoring nil, or 0 if there are none.
    public func sum() -> Value { valueCollection.sum(ofProperty: "self") }

    /// Returns the average of the values, ignoring nil, or `nil` if there are none.
    public func average<T: RealmCollectionValue>() -> T?
    where T.PersistedType: AddableType { valueCollection.average(ofProperty: "self") }
}
