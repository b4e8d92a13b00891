import FirnQuery
import FirnSyntax
import FirnValues

extension Query where T: RealmCollectionValue {
    /// Returns a query that tests whether a property is equal to a value.
    public static func == (left: Query, right: T) -> Query<Bool> {
        left.comparison(.equal, .value(right))
    }

    /// Returns a query that tests whether a property is different from a value.
    public static func != (left: Query, right: T) -> Query<Bool> {
        left.comparison(.notEqual, .value(right))
    }

    /// Returns a query that tests whether two properties are equal.
    public static func == (left: Query, right: Query) -> Query<Bool> {
        left.comparison(.equal, right.node)
    }

    /// Returns a query that tests whether two properties are different.
    public static func != (left: Query, right: Query) -> Query<Bool> {
        left.comparison(.notEqual, right.node)
    }

    /// Returns a query that tests whether a property is equal to one of several values.
    public func `in`<S: Sequence>(_ values: S) -> Query<Bool> where S.Element == T {
        comparison(.oneOf, .values(Array(values)))
    }
}

/// Comparisons of an optional property with one that is not optional.
extension Query where T: _OptionalCapable {
    /// Returns a query that tests whether two properties are equal.
    public static func == (left: Query, right: Query<T?>) -> Query<Bool> {
        left.comparison(.equal, right.node)
    }

    /// Returns a query that tests whether two properties are different.
    public static func != (left: Query, right: Query<T?>) -> Query<Bool> {
        left.comparison(.notEqual, right.node)
    }

    /// Returns a query that tests whether two properties are equal.
    public static func == (left: Query<T?>, right: Query) -> Query<Bool> {
        left.comparison(.equal, right.node)
    }

    /// Returns a query that tests whether two properties are different.
    public static func != (left: Query<T?>, right: Query) -> Query<Bool> {
        left.comparison(.notEqual, right.node)
    }
}

/// Ordered comparisons.
///
/// Nil is neither less nor greater than any value.
extension Query where T: SortableType {
    /// Returns a query that tests whether a property is less than a value.
    public static func < (left: Query, right: T) -> Query<Bool> {
        left.comparison(.less, .value(right))
    }

    /// Returns a query that tests whether a property is less than or equal to a value.
    public static func <= (left: Query, right: T) -> Query<Bool> {
        left.comparison(.lessOrEqual, .value(right))
    }

    /// Returns a query that tests whether a property is greater than a value.
    public static func > (left: Query, right: T) -> Query<Bool> {
        left.comparison(.greater, .value(right))
    }

    /// Returns a query that tests whether a property is greater than or equal to a value.
    public static func >= (left: Query, right: T) -> Query<Bool> {
        left.comparison(.greaterOrEqual, .value(right))
    }

    /// Returns a query that tests whether a property is less than another one.
    public static func < (left: Query, right: Query) -> Query<Bool> {
        left.comparison(.less, right.node)
    }

    /// Returns a query that tests whether a property is less than or equal to another one.
    public static func <= (left: Query, right: Query) -> Query<Bool> {
        left.comparison(.lessOrEqual, right.node)
    }

    /// Returns a query that tests whether a property is greater than another one.
    public static func > (left: Query, right: Query) -> Query<Bool> {
        left.comparison(.greater, right.node)
    }

    /// Returns a query that tests whether a property is greater than or equal to another one.
    public static func >= (left: Query, right: Query) -> Query<Bool> {
        left.comparison(.greaterOrEqual, right.node)
    }

    fileprivate func between(_ lower: Any, _ upper: Any) -> Query<Bool> {
        comparison(.between, .values([lower, upper]))
    }

    /// Returns a query that tests whether a single element of a collection is in a range.
    ///
    /// Two separate comparisons would be correct only for single values.
    fileprivate func below(_ lower: Any, _ upper: Any) -> Query<Bool> {
        if case .path(let path) = node, path.stepsToCollection != nil {
            return Query<Bool>(.within(node, lower, upper))
        }
        return comparison(.greaterOrEqual, .value(lower)) && comparison(.less, .value(upper))
    }
}

extension Query where T: SortableType & Comparable {
    /// Returns a query that tests whether a property is in a range, including both ends.
    public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
        between(range.lowerBound, range.upperBound)
    }

    /// Returns a query that tests whether a property is in a range, excluding its upper end.
    public func contains(_ range: Range<T>) -> Query<Bool> {
        below(range.lowerBound, range.upperBound)
    }
}

extension Query where T: OptionalProtocol & SortableType, T.Wrapped: Comparable {
    /// Returns a query that tests whether a property is in a range, including both ends.
    public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> {
        between(range.lowerBound, range.upperBound)
    }

    /// Returns a query that tests whether a property is in a range, excluding its upper end.
    public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> {
        below(range.lowerBound, range.upperBound)
    }
}

extension Query where T: OptionalProtocol, T.Wrapped: EmbeddedObject {
    /// Returns a query that tests whether a location is in a region.
    ///
    ///     shops.where { $0.location.geoWithin(GeoCircle(center: center, radius: near)) }
    ///
    /// A location is an embedded object with a String `type` that is "Point", and a `List<Double>`
    /// named `coordinates` that contains its longitude and latitude (see ``GeoPoint``). An object
    /// without a location is in no region.
    ///
    /// - Parameter region: A ``GeoBox``, ``GeoCircle`` or ``GeoPolygon``.
    public func geoWithin<Region: Geospatial>(_ region: Region) -> Query<Bool> {
        comparison(.geoWithin, .value(region))
    }
}
