import FirnQuery
import FirnValues

/// The region of all points within a distance from a center.
///
///     if let near = Distance.kilometers(5) {
///         let region = GeoCircle(center: (48.858, 2.294), radius: near)
///     }
public struct GeoCircle: Hashable, Sendable, Geospatial {
    /// The center of the circle.
    public let center: GeoPoint
    private let circle: GeoRegion.Circle

    /// Creates a circle.
    ///
    /// - Parameters:
    ///   - center: The center of the circle.
    ///   - radiusInRadians: The radius as an angle at the center of the earth, at least 0. From pi
    ///     on, the circle is the whole earth.
    /// - Returns: `nil` if the radius is negative or NaN.
    public init?(center: GeoPoint, radiusInRadians: Double) {
        guard
            let circle = GeoRegion.Circle(
                center: center.position, radiusInRadians: radiusInRadians)
        else { return nil }
        self.center = center
        self.circle = circle
    }

    /// Creates a circle.
    ///
    /// - Parameters:
    ///   - center: The center of the circle.
    ///   - radius: The radius of the circle.
    public init(center: GeoPoint, radius: Distance) {
        guard let circle = GeoCircle(center: center, radiusInRadians: radius.radians) else {
            misuse("a distance that is negative: no Distance is")
        }
        self = circle
    }

    /// Creates a circle around a point in degrees.
    ///
    /// - Parameters:
    ///   - center: The latitude and longitude of the center.
    ///   - radiusInRadians: The radius as an angle at the center of the earth.
    /// - Returns: `nil` if the center is not valid, or if the radius is negative or NaN.
    public init?(center: (Double, Double), radiusInRadians: Double) {
        guard let center = GeoPoint(center) else { return nil }
        self.init(center: center, radiusInRadians: radiusInRadians)
    }

    /// Creates a circle around a point in degrees.
    ///
    /// - Parameters:
    ///   - center: The latitude and longitude of the center.
    ///   - radius: The radius of the circle.
    /// - Returns: `nil` if the center is not valid.
    public init?(center: (Double, Double), radius: Distance) {
        guard let center = GeoPoint(center) else { return nil }
        self.init(center: center, radius: radius)
    }

    /// The radius as an angle at the center of the earth, in radians.
    public var radiusInRadians: Double { circle.radiusInRadians }

    /// Internal.
    ///
    /// The region in the form that the engine uses.
    public var _region: _GeoRegion { _GeoRegion(.circle(circle)) }
}
