package import FirnQuery
import FirnValues

/// A region that places can lie in: ``GeoBox``, ``GeoCircle`` or ``GeoPolygon``.
///
/// The earth counts as a sphere. A region is also an argument of a condition that is a text:
///
///     shops.filter("location IN %@", region)
public protocol Geospatial: Sendable {
    /// Not for programs: the region as the engine knows it.
    var _region: _GeoRegion { get }
}

/// Not for programs: a region as the engine knows it.
public struct _GeoRegion: Hashable, Sendable {
    package let region: GeoRegion

    package init(_ region: GeoRegion) { self.region = region }

    /// As an argument of the query language.
    var argument: Value { .string(Canonical.region(region)) }
}
