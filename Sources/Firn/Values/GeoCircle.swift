import FirnQuery

/// The region of all places up to some distance from a center.
///
///     if let near = Distance.kilometers(5) {
///         let region = GeoCircle(center: (48.858, 2.294), radius: near)
///     }
public struct GeoCircle: Hashable, Sendable, Geospatial {
    /// The place in the middle.
    public let center: GeoPoint
    private let circle: GeoRegion.Circle

    /// Makes a circle.
    ///
    /// - Parameters:
    ///   - center: the place in the middle.
    ///   - radiusInRadians: the distance to the edge as an angle from the middle of the earth, at
    ///     least 0; from pi on the circle is the whole earth.
    /// - Returns: `nil` for a radius that is negative or no number.
    public init?(center: GeoPoint, radiusInRadians: Double) {
        guard
            let circle = GeoRegion.Circle(
                center: center.position, radiusInRadians: radiusInRadians)
        else { return nil }
        self.center = center
        self.circle = circle
    }

    /// Makes a circle.
    ///
    /// - Parameters:
    ///   - center: the place in the middle.
    ///   - radius: the distance to the edge.
    public init(center: GeoPoint, radius: Distance) {
        guard let circle = GeoCircle(center: center, radiusInRadians: radius.radians) else {
            misuse("a distance that is negative: no Distance is")
        }
        self = circle
    }

    /// Makes a circle around a place in degrees.
    ///
    /// - Parameters:
    ///   - center: the latitude and the longitude of the place in the middle.
    ///   - radiusInRadians: the distance to the edge as an angle from the middle of the earth.
    /// - Returns: `nil` for a center that is no place and a radius that is negative.
    public init?(center: (Double, Double), radiusInRadians: Double) {
        guard let center = GeoPoint(center) else { return nil }
        self.init(center: center, radiusInRadians: radiusInRadians)
    }

    /// Makes a circle around a place in degrees.
    ///
    /// - Parameters:
    ///   - center: the latitude and the longitude of the place in the middle.
    ///   - radius: the distance to the edge.
    /// - Returns: `nil` for a center that is no place.
    public init?(center: (Double, Double), radius: Distance) {
        guard let center = GeoPoint(center) else { return nil }
        self.init(center: center, radius: radius)
    }

    /// The distance to the edge as an angle from the middle of the earth.
    public var radiusInRadians: Double { circle.radiusInRadians }

    /// Not for programs.
    public var _region: _GeoRegion { _GeoRegion(.circle(circle)) }
}
