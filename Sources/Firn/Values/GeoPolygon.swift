import FirnQuery

/// The region inside of a ring of places, without its holes.
///
/// A ring begins and ends with the same place and fits into one half of the earth; what it encloses
/// lies in that half. Its edges are the shortest ways between its corners, which are no straight
/// lines on most maps.
public struct GeoPolygon: Hashable, Sendable, Geospatial {
    /// The corners, the first one again at the end.
    public let outerRing: [GeoPoint]
    /// What is left out, each as the outer ring is.
    public let holes: [[GeoPoint]]
    private let polygon: GeoRegion.Polygon

    /// Makes a polygon.
    ///
    /// - Parameters:
    ///   - outerRing: the corners, at least three different ones and the first one again.
    ///   - holes: rings inside of the outer one.
    /// - Returns: `nil` for rings that are no rings, that do not fit into one half of the earth, and
    ///   for holes that are not inside of the outer ring.
    /// - Complexity: O(corners of the outer ring * corners of the holes)
    public init?(outerRing: [GeoPoint], holes: [[GeoPoint]] = []) {
        guard
            let polygon = try? GeoRegion.Polygon(
                outerRing: outerRing.map(\.position),
                holes: holes.map { $0.map(\.position) })
        else { return nil }
        self.outerRing = outerRing
        self.holes = holes
        self.polygon = polygon
    }

    /// Makes a polygon.
    ///
    /// - Parameters:
    ///   - outerRing: the corners, at least three different ones and the first one again.
    ///   - holes: rings inside of the outer one.
    /// - Returns: `nil` as ``init(outerRing:holes:)-([GeoPoint],[[GeoPoint]])`` does.
    public init?(outerRing: [GeoPoint], holes: [GeoPoint]...) {
        self.init(outerRing: outerRing, holes: holes)
    }

    /// Makes a polygon of places in degrees.
    ///
    /// - Parameters:
    ///   - outerRing: the latitudes and longitudes of the corners, the first one again at the end.
    ///   - holes: rings inside of the outer one.
    /// - Returns: `nil` for numbers that are no place, and as
    ///   ``init(outerRing:holes:)-([GeoPoint],[[GeoPoint]])`` does.
    public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]] = []) {
        guard let outer = GeoPolygon.points(outerRing) else { return nil }
        var inner: [[GeoPoint]] = []
        for hole in holes {
            guard let points = GeoPolygon.points(hole) else { return nil }
            inner.append(points)
        }
        self.init(outerRing: outer, holes: inner)
    }

    /// Makes a polygon of places in degrees.
    ///
    /// - Parameters:
    ///   - outerRing: the latitudes and longitudes of the corners, the first one again at the end.
    ///   - holes: rings inside of the outer one.
    /// - Returns: `nil` for numbers that are no place, and as
    ///   ``init(outerRing:holes:)-([GeoPoint],[[GeoPoint]])`` does.
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

    /// Not for programs.
    public var _region: _GeoRegion { _GeoRegion(.polygon(polygon)) }
}
