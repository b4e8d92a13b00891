import FirnQuery

extension Query where T: RealmCollectionValue {
    /// Whether a property has a value.
    public static func == (left: Query, right: T) -> Query<Bool> {
        left.comparison(.equal, .value(right))
    }

    /// Whether a property has another value.
    public static func != (left: Query, right: T) -> Query<Bool> {
        left.comparison(.notEqual, .value(right))
    }

    /// Whether two properties have the same value.
    public static func == (left: Query, right: Query) -> Query<Bool> {
        left.comparison(.equal, right.node)
    }

    /// Whether two properties have different values.
    public static func != (left: Query, right: Query) -> Query<Bool> {
        left.comparison(.notEqual, right.node)
    }

    /// Whether a property has one of several values.
    public func `in`<S: Sequence>(_ values: S) -> Query<Bool> where S.Element == T {
        comparison(.oneOf, .values(Array(values)))
    }
}

/// The same, for a property that may be nil and one that may not.
extension Query where T: _OptionalCapable {
    /// Whether two properties have the same value.
    public static func == (left: Query, right: Query<T?>) -> Query<Bool> {
        left.comparison(.equal, right.node)
    }

    /// Whether two properties have different values.
    public static func != (left: Query, right: Query<T?>) -> Query<Bool> {
        left.comparison(.notEqual, right.node)
    }

    /// Whether two properties have the same value.
    public static func == (left: Query<T?>, right: Query) -> Query<Bool> {
        left.comparison(.equal, right.node)
    }

    /// Whether two properties have different values.
    public static func != (left: Query<T?>, right: Query) -> Query<Bool> {
        left.comparison(.notEqual, right.node)
    }
}

/// Nil is neither lower nor higher than anything.
extension Query where T: SortableType {
    /// Whether a property is lower than a value.
    public static func < (left: Query, right: T) -> Query<Bool> {
        left.comparison(.less, .value(right))
    }

    /// Whether a property is lower than a value or equal to it.
    public static func <= (left: Query, right: T) -> Query<Bool> {
        left.comparison(.lessOrEqual, .value(right))
    }

    /// Whether a property is higher than a value.
    public static func > (left: Query, right: T) -> Query<Bool> {
        left.comparison(.greater, .value(right))
    }

    /// Whether a property is higher than a value or equal to it.
    public static func >= (left: Query, right: T) -> Query<Bool> {
        left.comparison(.greaterOrEqual, .value(right))
    }

    /// Whether a property is lower than another one.
    public static func < (left: Query, right: Query) -> Query<Bool> {
        left.comparison(.less, right.node)
    }

    /// Whether a property is lower than another one or equal to it.
    public static func <= (left: Query, right: Query) -> Query<Bool> {
        left.comparison(.lessOrEqual, right.node)
    }

    /// Whether a property is higher than another one.
    public static func > (left: Query, right: Query) -> Query<Bool> {
        left.comparison(.greater, right.node)
    }

    /// Whether a property is higher than another one or equal to it.
    public static func >= (left: Query, right: Query) -> Query<Bool> {
        left.comparison(.greaterOrEqual, right.node)
    }

    fileprivate func between(_ lower: Any, _ upper: Any) -> Query<Bool> {
        comparison(.between, .values([lower, upper]))
    }

    /// One element of a collection must lie between both: two comparisons are only right for single
    /// values.
    fileprivate func below(_ lower: Any, _ upper: Any) -> Query<Bool> {
        if case .path(let path) = node, path.stepsToCollection != nil {
            return Query<Bool>(.within(node, lower, upper))
        }
        return comparison(.greaterOrEqual, .value(lower)) && comparison(.less, .value(upper))
    }
}

extension Query where T: SortableType & Comparable {
    /// Whether a property lies in a range, both ends included.
    public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
        between(range.lowerBound, range.upperBound)
    }

    /// Whether a property lies in a range without its upper end.
    public func contains(_ range: Range<T>) -> Query<Bool> {
        below(range.lowerBound, range.upperBound)
    }
}

extension Query where T: OptionalProtocol & SortableType, T.Wrapped: Comparable {
    /// Whether a property lies in a range, both ends included.
    public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> {
        between(range.lowerBound, range.upperBound)
    }

    /// Whether a property lies in a range without its upper end.
    public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> {
        below(range.lowerBound, range.upperBound)
    }
}
