import FirnQuery
import FirnSyntax
import FirnValues

/// Queries for maps.
///
/// A comparison with the values of a map is satisfied if any value satisfies it.
extension Query where T: RealmKeyedCollection {
    /// The number of entries.
    public var count: Query<Int> { attribute("@count") }

    /// The keys.
    ///
    /// A comparison is satisfied if any key satisfies it.
    public var keys: Query<String> { step(.attribute("@keys"), entering: true) }

    /// The values.
    ///
    /// A comparison is satisfied if any value satisfies it.
    public var values: Query<T.Value> { step(.attribute("@values"), entering: true) }

    /// Accesses the value of a key, or nil if there is none.
    public subscript(key: T.Key) -> Query<T.Value> { step(.index(.key(key._mapKey))) }

    /// Stops the program, because collections are not compared with each other.
    public static func == (left: Query, right: Query) -> Query<Bool> { refuseCollections() }

    /// Stops the program, because collections are not compared with each other.
    public static func != (left: Query, right: Query) -> Query<Bool> { refuseCollections() }

    /// Returns a query that tests whether the map contains a value.
    public func contains(_ value: T.Value) -> Query<Bool> { values == value }

    /// Returns a query that tests whether the map contains any of several values.
    public func containsAny<S: Sequence>(in values: S) -> Query<Bool>
    where S.Element == T.Value {
        Query<Bool>(.comparing(.any(node), .oneOf, [], .values(Array(values))))
    }
}

/// Aggregates of the values.
extension Query where T: RealmKeyedCollection, T.Value.PersistedType: MinMaxType {
    /// The lowest value, or nil if there is none.
    public var min: Query<T.Value> { attribute("@min") }

    /// The highest value, or nil if there is none.
    public var max: Query<T.Value> { attribute("@max") }
}

/// Aggregates of the values.
extension Query where T: RealmKeyedCollection, T.Value.PersistedType: AddableType {
    /// The sum of the values, or 0 if there are none.
    public var sum: Query<T.Value> { attribute("@sum") }

    /// The average of the values, or nil if there are none.
    public var avg: Query<T.Value> { attribute("@avg") }
}

/// Ranges of the values.
extension Query where T: RealmKeyedCollection, T.Value: SortableType & Comparable {
    /// Returns a query that tests whether all values are in a range, including both ends.
    ///
    /// The test fails for an empty map.
    public func contains(_ range: ClosedRange<T.Value>) -> Query<Bool> {
        everyValue(from: range.lowerBound, through: range.upperBound)
    }

    /// Returns a query that tests whether all values are in a range, excluding its upper end.
    ///
    /// The test fails for an empty map.
    public func contains(_ range: Range<T.Value>) -> Query<Bool> {
        everyValue(from: range.lowerBound, upTo: range.upperBound)
    }
}

/// Ranges of the values.
extension Query
where T: RealmKeyedCollection, T.Value: OptionalProtocol & SortableType, T.Value.Wrapped: Comparable
{
    /// Returns a query that tests whether all values are in a range, including both ends.
    ///
    /// Values that are nil are ignored. The test fails if there are no others.
    public func contains(_ range: ClosedRange<T.Value.Wrapped>) -> Query<Bool> {
        everyValue(from: range.lowerBound, through: range.upperBound)
    }

    /// Returns a query that tests whether all values are in a range, excluding its upper end.
    ///
    /// Values that are nil are ignored. The test fails if there are no others.
    public func contains(_ range: Range<T.Value.Wrapped>) -> Query<Bool> {
        everyValue(from: range.lowerBound, upTo: range.upperBound)
    }
}

extension Query
where
    T: RealmKeyedCollection, T.Value: OptionalProtocol,
    T.Value.Wrapped: KeypathSortable
{
    /// Accesses a property of the values.
    ///
    /// A comparison is satisfied if any value satisfies it.
    public subscript<V>(dynamicMember member: KeyPath<T.Value.Wrapped, V>) -> Query<V> {
        self.member(T.Value.Wrapped.name(of: member), V.self)
    }
}
