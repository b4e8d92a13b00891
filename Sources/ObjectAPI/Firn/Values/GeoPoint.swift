package import FirnQuery
import FirnValues

/// A point on the earth, for geospatial queries with ``Query/geoWithin(_:)``.
///
/// An object does not store a point. Instead it has an embedded object of a class with the
/// following two properties, as in GeoJSON. The name of the class is arbitrary.
///
///     class Location: EmbeddedObject {
///         @Persisted var type: String = "Point"
///         @Persisted var coordinates: List<Double>    // longitude, latitude
///     }
public struct GeoPoint: Hashable, Sendable {
    package let position: GeoPosition
    /// The altitude in meters, which queries ignore.
    public let altitude: Double

    /// Creates a point.
    ///
    /// - Parameters:
    ///   - latitude: The latitude in degrees, from -90 to 90. Positive values are north of the
    ///     equator.
    ///   - longitude: The longitude in degrees, from -180 to 180. Positive values are east of
    ///     Greenwich.
    ///   - altitude: The altitude in meters, at least 0.
    /// - Returns: `nil` if a number is out of range or NaN.
    public init?(latitude: Double, longitude: Double, altitude: Double = 0) {
        guard let position = GeoPosition(longitude: longitude, latitude: latitude), altitude >= 0
        else { return nil }
        self.position = position
        self.altitude = altitude
    }

    init?(_ degrees: (latitude: Double, longitude: Double)) {
        self.init(latitude: degrees.latitude, longitude: degrees.longitude)
    }

    /// The latitude in degrees.
    ///
    /// Positive values are north of the equator.
    public var latitude: Double { position.latitude }

    /// The longitude in degrees.
    ///
    /// Positive values are east of Greenwich.
    public var longitude: Double { position.longitude }
}
