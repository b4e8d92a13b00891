import FirnQuery
import FirnValues

/// The region inside a ring of points, without its holes.
///
/// A ring begins and ends with the same point and fits into one hemisphere, which contains the
/// enclosed region. Its edges are the shortest paths between its corners, which are not straight
/// lines on most maps.
public struct GeoPolygon: Hashable, Sendable, Geospatial {
    /// The corners.
    ///
    /// The last corner is equal to the first.
    public let outerRing: [GeoPoint]
    /// The rings that are excluded from the region, in the same form as the outer ring.
    public let holes: [[GeoPoint]]

    /// Creates a polygon.
    ///
    /// A query stops the program if a ring does not fit into one hemisphere, if edges cross or repeat
    /// others, or if a hole is inside another hole or not inside the outer ring.
    ///
    /// - Parameters:
    ///   - outerRing: At least three different corners, followed by the first corner.
    ///   - holes: The rings inside the outer ring.
    /// - Returns: `nil` if a ring has too few corners or is not closed.
    /// - Complexity: O(corners)
    public init?(outerRing: [GeoPoint], holes: [[GeoPoint]] = []) {
        guard ([outerRing] + holes).allSatisfy(GeoPolygon.isRing) else { return nil }
        self.outerRing = outerRing
        self.holes = holes
    }

    private static func isRing(_ points: [GeoPoint]) -> Bool {
        let positions = points.map(\.position)
        return positions.count >= 4 && positions.first == positions.last
            && Set(positions).count >= 3
    }

    /// Creates a polygon.
    ///
    /// - Parameters:
    ///   - outerRing: At least three different corners, followed by the first corner.
    ///   - holes: The rings inside the outer ring.
    /// - Returns: `nil` under the conditions of
    ///   ``init(outerRing:holes:)-([GeoPoint],[[GeoPoint]])``.
    public init?(outerRing: [GeoPoint], holes: [GeoPoint]...) {
        self.init(outerRing: outerRing, holes: holes)
    }

    /// Creates a polygon from points in degrees.
    ///
    /// - Parameters:
    ///   - outerRing: The latitudes and longitudes of the corners, followed by those of the first
    ///     corner.
    ///   - holes: The rings inside the outer ring.
    /// - Returns: `nil` if the numbers are not valid coordinates, or under the conditions of
    ///   ``init(outerRing:holes:)-([GeoPoint],[[GeoPoint]])``.
    public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]] = []) {
        guard let outer = GeoPolygon.points(outerRing) else { return nil }
        var inner: [[GeoPoint]] = []
        for hole in holes {
            guard let points = GeoPolygon.points(hole) else { return nil }
            inner.append(points)
        }
        self.init(outerRing: outer, holes: inner)
    }

    /// Creates a polygon from points in degrees.
    ///
    /// - Parameters:
    ///   - outerRing: The latitudes and longitudes of the corners, followed by those of the first
    ///     corner.
    ///   - holes: The rings inside the outer ring.
    /// - Returns: `nil` if the numbers are not valid coordinates, or under the conditions of
    ///   ``init(outerRing:holes:)-([GeoPoint],[[GeoPoint]])``.
    public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
        self.init(outerRing: outerRing, holes: holes)
    }

    private static func points(_ ring: [(Double, Double)]) -> [GeoPoint]? {
        var points: [GeoPoint] = []
        for corner in ring {
            guard let point = GeoPoint(corner) else { return nil }
            points.append(point)
        }
        return points
    }

    /// Internal.
    ///
    /// The region in the form that the engine uses.
    public var _region: _GeoRegion {
        do throws(GeoRegionError) {
            return _GeoRegion(
                .polygon(
                    try GeoRegion.Polygon(
                        outerRing: outerRing.map(\.position),
                        holes: holes.map { $0.map(\.position) })))
        } catch { misuse("a GeoPolygon cannot be searched: \(error)") }
    }
}
