import FirnPlatform
import FirnValues

/// A location on the earth, which is modeled as a sphere.
///
/// The altitude is ignored.
package struct GeoPosition: Hashable, Sendable {
    /// The longitude in degrees, -180 to 180, positive east of Greenwich.
    package let longitude: Double
    /// The latitude in degrees, -90 to 90, positive north of the equator.
    package let latitude: Double

    /// Creates a position, or `nil` for numbers that are not a valid location, including NaN.
    package init?(longitude: Double, latitude: Double) {
        guard abs(longitude) <= 180, abs(latitude) <= 90 else { return nil }
        self.longitude = longitude
        self.latitude = latitude
    }

    /// The unit vector from the center of the earth to the position.
    var direction: SphereVector {
        let (longitude, latitude) = (longitude * .pi / 180, latitude * .pi / 180)
        let cosine = Trigonometry.cosine(latitude)
        return SphereVector(
            x: cosine * Trigonometry.cosine(longitude), y: cosine * Trigonometry.sine(longitude),
            z: Trigonometry.sine(latitude))
    }
}
