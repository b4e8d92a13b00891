import FirnQuery
import FirnSyntax
import FirnValues

/// Queries for lists, sets and inverses.
///
/// A comparison with a collection is satisfied if any element satisfies it.
extension Query where T: RealmCollection {
    /// The number of elements.
    public var count: Query<Int> { attribute("@count") }

    /// Returns a query that tests whether an element is equal to a value.
    public static func == (left: Query, right: T.Element) -> Query<Bool> {
        Query<Bool>(.comparing(.any(left.node), .equal, [], .value(right)))
    }

    /// Returns a query that tests whether an element is different from a value.
    public static func != (left: Query, right: T.Element) -> Query<Bool> {
        Query<Bool>(.comparing(.any(left.node), .notEqual, [], .value(right)))
    }

    /// Stops the program, because collections are not compared with each other.
    public static func == (left: Query, right: Query) -> Query<Bool> { refuseCollections() }

    /// Stops the program, because collections are not compared with each other.
    public static func != (left: Query, right: Query) -> Query<Bool> { refuseCollections() }

    /// Returns a query that tests whether the collection contains a value.
    public func contains(_ value: T.Element) -> Query<Bool> { self == value }

    /// Returns a query that tests whether the collection contains any of several values.
    public func containsAny<S: Sequence>(in values: S) -> Query<Bool>
    where S.Element == T.Element {
        Query<Bool>(.comparing(.any(node), .oneOf, [], .values(Array(values))))
    }
}

extension Query where T: RealmCollection, T.Element: SortableType {
    /// Returns a query that tests whether an element is less than a value.
    public static func < (left: Query, right: T.Element) -> Query<Bool> {
        Query<Bool>(.comparison(.any(left.node), .less, [], .value(right)))
    }

    /// Returns a query that tests whether an element is less than or equal to a value.
    public static func <= (left: Query, right: T.Element) -> Query<Bool> {
        Query<Bool>(.comparison(.any(left.node), .lessOrEqual, [], .value(right)))
    }

    /// Returns a query that tests whether an element is greater than a value.
    public static func > (left: Query, right: T.Element) -> Query<Bool> {
        Query<Bool>(.comparison(.any(left.node), .greater, [], .value(right)))
    }

    /// Returns a query that tests whether an element is greater than or equal to a value.
    public static func >= (left: Query, right: T.Element) -> Query<Bool> {
        Query<Bool>(.comparison(.any(left.node), .greaterOrEqual, [], .value(right)))
    }
}

/// Aggregates of the elements.
extension Query where T: RealmCollection, T.Element.PersistedType: MinMaxType {
    /// The lowest element, or nil if there is none.
    public var min: Query<T.Element> { attribute("@min") }

    /// The highest element, or nil if there is none.
    public var max: Query<T.Element> { attribute("@max") }
}

/// Aggregates of the elements.
extension Query where T: RealmCollection, T.Element.PersistedType: AddableType {
    /// The sum of the elements, or 0 if there are none.
    public var sum: Query<T.Element> { attribute("@sum") }

    /// The average of the elements, or nil if there are none.
    public var avg: Query<T.Element> { attribute("@avg") }
}

/// Range tests of all elements.
extension Query where T: RealmCollection, T.Element: SortableType & Comparable {
    /// Returns a query that tests whether all elements are in a range, including both ends.
    ///
    /// The test fails for an empty collection.
    public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> {
        everyValue(from: range.lowerBound, through: range.upperBound)
    }

    /// Returns a query that tests whether all elements are in a range, excluding its upper end.
    ///
    /// The test fails for an empty collection.
    public func contains(_ range: Range<T.Element>) -> Query<Bool> {
        everyValue(from: range.lowerBound, upTo: range.upperBound)
    }
}

/// Range tests of all elements.
extension Query
where T: RealmCollection, T.Element: OptionalProtocol & SortableType, T.Element.Wrapped: Comparable
{
    /// Returns a query that tests whether all elements are in a range, including both ends.
    ///
    /// Elements that are nil are ignored. The test fails if there are no others.
    public func contains(_ range: ClosedRange<T.Element.Wrapped>) -> Query<Bool> {
        everyValue(from: range.lowerBound, through: range.upperBound)
    }

    /// Returns a query that tests whether all elements are in a range, excluding its upper end.
    ///
    /// Elements that are nil are ignored. The test fails if there are no others.
    public func contains(_ range: Range<T.Element.Wrapped>) -> Query<Bool> {
        everyValue(from: range.lowerBound, upTo: range.upperBound)
    }
}

/// Aggregates over a property of all elements: `$0.dogs.age.max > 10`.
extension Query where T: RealmCollectionValue, T.PersistedType: MinMaxType {
    /// The lowest value, or nil if there is none.
    public var min: Query { attribute("@min") }

    /// The highest value, or nil if there is none.
    public var max: Query { attribute("@max") }
}

/// Aggregates over a property of all elements: `$0.dogs.age.sum > 10`.
extension Query where T: RealmCollectionValue, T.PersistedType: AddableType {
    /// The sum of the values, or 0 if there are none.
    public var sum: Query { attribute("@sum") }

    /// The average of the values, or nil if there are none.
    public var avg: Query { attribute("@avg") }
}

/// Stops the program, because a condition compares two collections.
func refuseCollections() -> Never {
    misuse(
        "a condition compares two collections: compare one with an element, or use contains() or "
            + "containsAny(in:)")
}

extension Query {
    /// Returns a query that tests whether the lowest and highest values are in a closed range.
    func everyValue(from lower: Any, through upper: Any) -> Query<Bool> {
        every(lower, .lessOrEqual, upper)
    }

    /// Returns a query that tests whether the lowest and highest values are in a range.
    func everyValue(from lower: Any, upTo upper: Any) -> Query<Bool> { every(lower, .less, upper) }

    private func every(
        _ lower: Any, _ below: Comparison.Operator, _ upper: Any
    ) -> Query<Bool> {
        let lowest: Query = attribute("@min")
        let highest: Query = attribute("@max")
        return lowest.comparison(.greaterOrEqual, .value(lower))
            && highest.comparison(below, .value(upper))
    }

    /// Returns the path to a property of this value.
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

    /// Returns the condition for the objects of a chain.
    func predicate(for chain: ResultsCore) -> Predicate {
        QueryLowering(instance: chain.instance).predicate(node)
    }
}
