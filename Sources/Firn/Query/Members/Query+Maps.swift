import FirnQuery

/// A map; a comparison with its values holds if it does for any of them.
extension Query where T: RealmKeyedCollection {
    /// How many entries there are.
    public var count: Query<Int> { attribute("@count") }

    /// The keys: a comparison with them holds if it does for any.
    public var keys: Query<String> { step(.attribute("@keys"), entering: true) }

    /// The values: a comparison with them holds if it does for any.
    public var values: Query<T.Value> { step(.attribute("@values"), entering: true) }

    /// The value of a key; nil if there is none.
    public subscript(key: T.Key) -> Query<T.Value> { step(.index(.key(key._mapKey))) }

    /// Whether a value is there under any key.
    public func contains(_ value: T.Value) -> Query<Bool> { values == value }

    /// Whether any of several values is there.
    public func containsAny<S: Sequence>(in values: S) -> Query<Bool>
    where S.Element == T.Value {
        Query<Bool>(.comparison(.any(node), .oneOf, [], .values(Array(values))))
    }
}

extension Query where T: RealmKeyedCollection, T.Value: MinMaxType {
    /// The lowest value; nil of none.
    public var min: Query<T.Value> { attribute("@min") }

    /// The highest value; nil of none.
    public var max: Query<T.Value> { attribute("@max") }
}

extension Query where T: RealmKeyedCollection, T.Value: MinMaxType & SortableType & Comparable {
    /// Whether there are values and all of them lie in a range, both ends included.
    public func contains(_ range: ClosedRange<T.Value>) -> Query<Bool> {
        min >= range.lowerBound && max <= range.upperBound
    }

    /// Whether there are values and all of them lie in a range without its upper end.
    public func contains(_ range: Range<T.Value>) -> Query<Bool> {
        min >= range.lowerBound && max < range.upperBound
    }
}

extension Query where T: RealmKeyedCollection, T.Value: AddableType {
    /// The sum of the values; 0 of none.
    public var sum: Query<T.Value> { attribute("@sum") }

    /// The average of the values; nil of none.
    public var avg: Query<T.Value> { attribute("@avg") }
}

extension Query
where
    T: RealmKeyedCollection, T.Value: OptionalProtocol,
    T.Value.Wrapped: KeypathSortable
{
    /// A property of the values: a comparison with it holds if it does for any of them.
    public subscript<V>(dynamicMember member: KeyPath<T.Value.Wrapped, V>) -> Query<V> {
        self.member(T.Value.Wrapped.name(of: member), V.self)
    }
}
