import FirnQuery
import FirnValues

/// The region between two parallels and two meridians.
///
/// The box extends eastward from the left corner to the right one, and may cross the antimeridian.
/// Its edges are part of the region.
///
///     let manhattan = GeoBox(bottomLeft: (40.70, -74.02), topRight: (40.88, -73.91))
public struct GeoBox: Hashable, Sendable, Geospatial {
    /// The southwest corner.
    public let bottomLeft: GeoPoint
    /// The northeast corner.
    public let topRight: GeoPoint

    /// Creates a box.
    ///
    /// A box whose first corner lies north of the second is a programming error. A query that uses
    /// it stops the program.
    ///
    /// - Parameters:
    ///   - bottomLeft: The southwest corner.
    ///   - topRight: The northeast corner.
    public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
        self.bottomLeft = bottomLeft
        self.topRight = topRight
    }

    /// Creates a box from corners in degrees.
    ///
    /// - Parameters:
    ///   - bottomLeft: The latitude and longitude of the southwest corner.
    ///   - topRight: The latitude and longitude of the northeast corner.
    /// - Returns: `nil` if the numbers are not valid coordinates.
    public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
        guard let bottomLeft = GeoPoint(bottomLeft), let topRight = GeoPoint(topRight) else {
            return nil
        }
        self.init(bottomLeft: bottomLeft, topRight: topRight)
    }

    /// Internal.
    ///
    /// The region in the form that the engine uses.
    public var _region: _GeoRegion {
        _GeoRegion(.box(bottomLeft: bottomLeft.position, topRight: topRight.position))
    }
}
