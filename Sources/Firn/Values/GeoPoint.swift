package import FirnQuery

/// A place on the earth, for conditions on places: see ``Query/geoWithin(_:)``.
///
/// A point is not a property of an object. What an object has is an embedded object of a class with
/// these two properties, as GeoJSON has them; the name of the class is free:
///
///     class Location: EmbeddedObject {
///         @Persisted var type: String = "Point"
///         @Persisted var coordinates: List<Double>    // longitude, latitude
///     }
public struct GeoPoint: Hashable, Sendable {
    package let position: GeoPosition
    /// How high the place lies, in meters; conditions do not look at it.
    public let altitude: Double

    /// Makes a point.
    ///
    /// - Parameters:
    ///   - latitude: in degrees, -90 to 90, north of the equator positive.
    ///   - longitude: in degrees, -180 to 180, east of Greenwich positive.
    ///   - altitude: in meters, at least 0.
    /// - Returns: `nil` for numbers outside of these ranges, and for those that are no numbers.
    public init?(latitude: Double, longitude: Double, altitude: Double = 0) {
        guard let position = GeoPosition(longitude: longitude, latitude: latitude), altitude >= 0
        else { return nil }
        self.position = position
        self.altitude = altitude
    }

    init?(_ degrees: (latitude: Double, longitude: Double)) {
        self.init(latitude: degrees.latitude, longitude: degrees.longitude)
    }

    /// In degrees, north of the equator positive.
    public var latitude: Double { position.latitude }

    /// In degrees, east of Greenwich positive.
    public var longitude: Double { position.longitude }
}
