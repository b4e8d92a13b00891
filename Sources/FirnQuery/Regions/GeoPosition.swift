import FirnPlatform

/// A place on the earth, which counts as a sphere; how high it lies does not matter.
package struct GeoPosition: Hashable, Sendable {
    /// In degrees, -180 to 180, east of Greenwich positive.
    package let longitude: Double
    /// In degrees, -90 to 90, north of the equator positive.
    package let latitude: Double

    /// Nil for numbers that are no place; a NaN is none.
    package init?(longitude: Double, latitude: Double) {
        guard abs(longitude) <= 180, abs(latitude) <= 90 else { return nil }
        self.longitude = longitude
        self.latitude = latitude
    }

    /// The way from the middle of the earth to it, of length 1.
    var direction: SphereVector {
        let (longitude, latitude) = (longitude * .pi / 180, latitude * .pi / 180)
        let cosine = Trigonometry.cosine(latitude)
        return SphereVector(
            x: cosine * Trigonometry.cosine(longitude), y: cosine * Trigonometry.sine(longitude),
            z: Trigonometry.sine(latitude))
    }
}
