/// Finding and ordering values; the keys are left behind.
extension Map {
    /// The values as a collection.
    var valueCollection: AnyRealmCollection<Value> {
        guard let core else { return AnyRealmCollection(List(unmanaged: values)) }
        return AnyRealmCollection._make(MapValuesCore(core))
    }

    /// The objects that satisfy a condition.
    ///
    /// - Parameters:
    ///   - predicateFormat: as in ``RealmCollection/filter(_:_:)``.
    ///   - args: for `%@`, `%K` and `$0` in it.
    public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value> {
        valueCollection.filter(predicateFormat, arguments: args)
    }

    /// The objects that satisfy a condition that the compiler checks.
    public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
        valueCollection.where(isIncluded)
    }

    /// The objects in the order of a property.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
        valueCollection.sorted(byKeyPath: keyPath, ascending: ascending)
    }

    /// The objects in the order of several properties.
    public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value>
    where S.Iterator.Element == SortDescriptor {
        valueCollection.sorted(by: sortDescriptors)
    }

    /// Whether any entry satisfies a condition.
    public func contains(
        where predicate: (_ key: Key, _ value: Value) throws -> Bool
    ) rethrows -> Bool {
        for (key, value) in self where try predicate(key, value) { return true }
        return false
    }

    /// The lowest value of a property; `nil` if no object has one.
    public func min<T: MinMaxType>(ofProperty property: String) -> T? {
        valueCollection.min(ofProperty: property)
    }

    /// The highest value of a property; `nil` if no object has one.
    public func max<T: MinMaxType>(ofProperty property: String) -> T? {
        valueCollection.max(ofProperty: property)
    }

    /// The sum of the values of a property, nil left out; 0 of nothing.
    public func sum<T: AddableType>(ofProperty property: String) -> T {
        valueCollection.sum(ofProperty: property)
    }

    /// The average of the values of a property, nil left out; `nil` of nothing.
    public func average<T: AddableType>(ofProperty property: String) -> T? {
        valueCollection.average(ofProperty: property)
    }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: KeypathSortable {
    /// The objects in the order of a property.
    public func sorted<T: SortableType>(
        by keyPath: KeyPath<Value.Wrapped, T>, ascending: Bool = true
    ) -> Results<Value> {
        sorted(byKeyPath: Value.Wrapped.name(of: keyPath), ascending: ascending)
    }

    /// The lowest value of a property; `nil` if no object has one.
    public func min<T: MinMaxType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? {
        min(ofProperty: Value.Wrapped.name(of: keyPath))
    }

    /// The highest value of a property; `nil` if no object has one.
    public func max<T: MinMaxType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? {
        max(ofProperty: Value.Wrapped.name(of: keyPath))
    }

    /// The sum of the values of a property, nil left out; 0 of nothing.
    public func sum<T: AddableType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T {
        sum(ofProperty: Value.Wrapped.name(of: keyPath))
    }

    /// The average of the values of a property, nil left out; `nil` of nothing.
    public func average<T: AddableType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? {
        average(ofProperty: Value.Wrapped.name(of: keyPath))
    }
}

extension Map where Value: SortableType {
    /// The values in their order, nil first.
    public func sorted(ascending: Bool = true) -> Results<Value> {
        valueCollection.sorted(byKeyPath: "self", ascending: ascending)
    }
}

extension Map where Value: MinMaxType {
    /// The lowest value; `nil` if there is none.
    public func min() -> Value? { valueCollection.min(ofProperty: "self") }

    /// The highest value; `nil` if there is none.
    public func max() -> Value? { valueCollection.max(ofProperty: "self") }
}

extension Map where Value: AddableType {
    /// The sum, nil left out; 0 of nothing.
    public func sum() -> Value { valueCollection.sum(ofProperty: "self") }

    /// The average, nil left out; `nil` of nothing.
    public func average<T: AddableType>() -> T? { valueCollection.average(ofProperty: "self") }
}
