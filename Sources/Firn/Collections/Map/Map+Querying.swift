import FirnQuery

/// Finding values, and putting them in an order.
///
/// What comes out are the values without their keys; objects that were deleted are left out.
extension Map {
    /// The values as a collection, which knows how to search and to sort.
    private var elements: List<Value> { core.map { List($0) } ?? List(unmanaged: values) }

    /// The objects that satisfy a condition.
    ///
    /// - Parameters:
    ///   - predicateFormat: in the query language of Firn, which has the predicates of
    ///     `NSPredicate`. The program stops if it is wrong, and for values that are no objects.
    ///   - args: for `%@`, `%K` and `$0`, `$1` and so on in it.
    /// - Complexity: O(1); the objects are searched when they are asked for
    public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value> {
        let chain = elements.managedCore(for: "filter").chain(for: "filter")
        return Results(chain.adding(chain.stages(predicateFormat, args)))
    }

    /// The objects that satisfy a condition that the compiler checks.
    ///
    ///     person.pets.where { $0.age > 3 }
    public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
        elements.where(isIncluded)
    }

    /// The values in the order of a property; of values that are no objects, `"self"`.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
        elements.sorted(byKeyPath: keyPath, ascending: ascending)
    }

    /// The values in the order of several properties: by the first, then the second, and so on.
    public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value>
    where S.Element == SortDescriptor {
        elements.sorted(by: sortDescriptors)
    }

    /// The lowest value of a property; `nil` if no object has one.
    public func min<T: MinMaxType>(ofProperty property: String) -> T? {
        elements.min(ofProperty: property)
    }

    /// The highest value of a property; `nil` if no object has one.
    public func max<T: MinMaxType>(ofProperty property: String) -> T? {
        elements.max(ofProperty: property)
    }

    /// The sum of the values of a property, nil left out; 0 of nothing.
    public func sum<T: AddableType>(ofProperty property: String) -> T {
        elements.sum(ofProperty: property)
    }

    /// The average of the values of a property, nil left out; `nil` of nothing.
    public func average<T: AddableType>(ofProperty property: String) -> T? {
        elements.average(ofProperty: property)
    }
}

/// By the key paths of properties.
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

/// One value over all values that are no objects.
extension Map where Value: MinMaxType {
    /// The lowest value; `nil` if there is none.
    public func min() -> Value? { min(ofProperty: "self") }

    /// The highest value; `nil` if there is none.
    public func max() -> Value? { max(ofProperty: "self") }
}

extension Map where Value: AddableType {
    /// The sum, nil left out; 0 of nothing.
    public func sum() -> Value { sum(ofProperty: "self") }

    /// The average, nil left out; `nil` of nothing.
    public func average<T: AddableType>() -> T? { average(ofProperty: "self") }
}

extension Map where Value: SortableType {
    /// The values in their order, nil first.
    public func sorted(ascending: Bool = true) -> Results<Value> {
        sorted(byKeyPath: "self", ascending: ascending)
    }
}
