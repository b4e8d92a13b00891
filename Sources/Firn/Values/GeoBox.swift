import FirnQuery

/// The region between two parallels and two meridians.
///
/// It reaches eastwards from the left corner to the right one, also over the line where the date
/// changes. Its edges belong to it.
///
///     let manhattan = GeoBox(bottomLeft: (40.70, -74.02), topRight: (40.88, -73.91))
public struct GeoBox: Hashable, Sendable, Geospatial {
    /// The corner in the south west.
    public let bottomLeft: GeoPoint
    /// The corner in the north east.
    public let topRight: GeoPoint

    /// Makes a box.
    ///
    /// One whose first corner lies north of the second is a mistake of the program, which a condition
    /// with it stops for.
    ///
    /// - Parameters:
    ///   - bottomLeft: the corner in the south west.
    ///   - topRight: the corner in the north east.
    public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
        self.bottomLeft = bottomLeft
        self.topRight = topRight
    }

    /// Makes a box of corners in degrees.
    ///
    /// - Parameters:
    ///   - bottomLeft: the latitude and the longitude of the corner in the south west.
    ///   - topRight: the latitude and the longitude of the corner in the north east.
    /// - Returns: `nil` for numbers that are no place.
    public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
        guard let bottomLeft = GeoPoint(bottomLeft), let topRight = GeoPoint(topRight) else {
            return nil
        }
        self.init(bottomLeft: bottomLeft, topRight: topRight)
    }

    /// Not for programs.
    public var _region: _GeoRegion {
        _GeoRegion(.box(bottomLeft: bottomLeft.position, topRight: topRight.position))
    }
}
