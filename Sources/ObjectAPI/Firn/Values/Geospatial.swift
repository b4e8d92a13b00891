package import FirnQuery
import FirnSyntax
import FirnValues

/// A region that can contain points: ``GeoBox``, ``GeoCircle`` or ``GeoPolygon``.
///
/// The earth is treated as a sphere. A region can also be an argument of a query text:
///
///     shops.filter("location IN %@", region)
public protocol Geospatial: Sendable {
    /// Internal.
    ///
    /// The region in the form that the engine uses.
    var _region: _GeoRegion { get }
}

/// Internal.
///
/// A region in the form that the engine uses.
public struct _GeoRegion: Hashable, Sendable {
    package let region: GeoRegion

    package init(_ region: GeoRegion) { self.region = region }

    /// The region as an argument of the query language.
    var argument: Value { .string(Canonical.region(region)) }
}
