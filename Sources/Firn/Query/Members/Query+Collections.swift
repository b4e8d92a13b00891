import FirnQuery

/// A list, a set or an inverse; a comparison with it holds if it does for any element.
extension Query where T: RealmCollection {
    /// How many elements there are.
    public var count: Query<Int> { attribute("@count") }

    /// Whether an element has a value.
    public static func == (left: Query, right: T.Element) -> Query<Bool> {
        Query<Bool>(.comparison(.any(left.node), .equal, [], .value(right)))
    }

    /// Whether an element has another value.
    public static func != (left: Query, right: T.Element) -> Query<Bool> {
        Query<Bool>(.comparison(.any(left.node), .notEqual, [], .value(right)))
    }

    /// Whether a value is an element.
    public func contains(_ value: T.Element) -> Query<Bool> { self == value }

    /// Whether any of several values is an element.
    public func containsAny<S: Sequence>(in values: S) -> Query<Bool>
    where S.Element == T.Element {
        Query<Bool>(.comparison(.any(node), .oneOf, [], .values(Array(values))))
    }
}

extension Query where T: RealmCollection, T.Element: SortableType {
    /// Whether an element is lower than a value.
    public static func < (left: Query, right: T.Element) -> Query<Bool> {
        Query<Bool>(.comparison(.any(left.node), .less, [], .value(right)))
    }

    /// Whether an element is lower than a value or equal to it.
    public static func <= (left: Query, right: T.Element) -> Query<Bool> {
        Query<Bool>(.comparison(.any(left.node), .lessOrEqual, [], .value(right)))
    }

    /// Whether an element is higher than a value.
    public static func > (left: Query, right: T.Element) -> Query<Bool> {
        Query<Bool>(.comparison(.any(left.node), .greater, [], .value(right)))
    }

    /// Whether an element is higher than a value or equal to it.
    public static func >= (left: Query, right: T.Element) -> Query<Bool> {
        Query<Bool>(.comparison(.any(left.node), .greaterOrEqual, [], .value(right)))
    }
}

extension Query where T: RealmCollection, T.Element: MinMaxType & SortableType {
    /// The lowest element; nil of none.
    public var min: Query<T.Element> { attribute("@min") }

    /// The highest element; nil of none.
    public var max: Query<T.Element> { attribute("@max") }

}

extension Query where T: RealmCollection, T.Element: MinMaxType & SortableType & Comparable {
    /// Whether there are elements and all of them lie in a range, both ends included.
    public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> {
        min >= range.lowerBound && max <= range.upperBound
    }

    /// Whether there are elements and all of them lie in a range without its upper end.
    public func contains(_ range: Range<T.Element>) -> Query<Bool> {
        min >= range.lowerBound && max < range.upperBound
    }
}

extension Query where T: RealmCollection, T.Element: AddableType {
    /// The sum of the elements; 0 of none.
    public var sum: Query<T.Element> { attribute("@sum") }

    /// The average of the elements; nil of none.
    public var avg: Query<T.Element> { attribute("@avg") }
}

/// One value over a property of all elements: `$0.dogs.age.max > 10`.
extension Query where T: MinMaxType {
    /// The lowest value; nil of none.
    public var min: Query { attribute("@min") }

    /// The highest value; nil of none.
    public var max: Query { attribute("@max") }
}

/// One value over a property of all elements: `$0.dogs.age.sum > 10`.
extension Query where T: AddableType {
    /// The sum of the values; 0 of none.
    public var sum: Query { attribute("@sum") }

    /// The average of the values; nil of none.
    public var avg: Query { attribute("@avg") }
}

extension Query {
    /// The way to a property of what this stands for.
    func member<V>(_ name: String, _ type: V.Type) -> Query<V> {
        guard case .path(var path) = node else {
            misuse("\"\(name)\" is asked for of a condition: only objects have properties")
        }
        path.append(name.split(separator: ".").map { .name(String($0)) })
        if V.self is any RealmCollection.Type || V.self is any RealmKeyedCollection.Type {
            path.enterCollection()
        }
        return Query<V>(.path(path))
    }

    /// The condition for the objects of a chain.
    func predicate(for chain: ResultsCore) -> Predicate {
        QueryLowering(instance: chain.instance).predicate(node)
    }
}
