import FirnPlatform
import FirnValues

/// A region of the surface of the earth, which is modeled as a sphere.
package enum GeoRegion: Hashable, Sendable {
    /// The area between two parallels and two meridians.
    ///
    /// It extends eastward from the first corner to the second, possibly across the antimeridian.
    case box(bottomLeft: GeoPosition, topRight: GeoPosition)
    case circle(Circle)
    case polygon(Polygon)

    package struct Circle: Hashable, Sendable {
        package let center: GeoPosition
        /// The radius as an angle at the center of the earth; pi is half of the circumference.
        package let radiusInRadians: Double
        private let direction: SphereVector
        /// The squared length of the chord from the center to the edge.
        private let reach: Double

        /// Creates a circle, or `nil` for a radius that is negative or NaN.
        package init?(center: GeoPosition, radiusInRadians: Double) {
            guard radiusInRadians >= 0 else { return nil }
            self.center = center
            self.radiusInRadians = radiusInRadians
            direction = center.direction
            let half = Trigonometry.sine(min(radiusInRadians, .pi) / 2)
            reach = radiusInRadians >= .pi ? .infinity : 4 * half * half
        }

        fileprivate func contains(_ position: GeoPosition) -> Bool {
            let way = position.direction - direction
            return way.dot(way) <= reach
        }
    }

    package struct Polygon: Hashable, Sendable {
        /// The outer ring, followed by its holes.
        ///
        /// Each ring repeats its first position at the end.
        package let rings: [[GeoPosition]]
        private let outer: SphericalRing
        private let holes: [SphericalRing]

        package init(outerRing: [GeoPosition], holes: [[GeoPosition]]) throws(GeoRegionError) {
            rings = [outerRing] + holes
            outer = try Self.ring(outerRing, 1)
            var inner: [SphericalRing] = []
            for (index, hole) in holes.enumerated() {
                inner.append(try Self.ring(hole, index + 2))
                guard outer.containsVertices(of: inner[index]) else {
                    throw .holeOutside(ring: index + 2)
                }
            }
            self.holes = inner
            let edges = RingEdges([outer.vertices] + inner.map(\.vertices), around: outer.middle)
            if let number = edges.firstConflict() { throw .crossing(ring: number) }
            for (index, hole) in inner.enumerated() {
                let others = inner.indices.filter { $0 != index }
                guard !others.contains(where: { inner[$0].containsVertices(of: hole) }) else {
                    throw .holeInHole(ring: index + 2)
                }
            }
        }

        private static func ring(
            _ positions: [GeoPosition], _ number: Int
        ) throws(GeoRegionError) -> SphericalRing {
            guard positions.count >= 4 else { throw .tooShort(ring: number) }
            guard positions.first == positions.last else { throw .open(ring: number) }
            guard Set(positions).count >= 3 else { throw .tooShort(ring: number) }
            guard let ring = SphericalRing(positions) else { throw .tooLarge(ring: number) }
            return ring
        }

        fileprivate func contains(_ position: GeoPosition) -> Bool {
            let point = position.direction
            return outer.contains(point) && !holes.contains { $0.contains(point) }
        }
    }

    /// Returns whether a position is in the region.
    ///
    /// Boxes and circles include their edges. A polygon includes its vertices; any other point on
    /// an edge that two polygons share is in exactly one of them.
    ///
    /// - Complexity: O(1); for a polygon, O(number of its vertices)
    package func contains(_ position: GeoPosition) -> Bool {
        switch self {
        case .box(let low, let high):
            guard position.latitude >= low.latitude, position.latitude <= high.latitude else {
                return false
            }
            // At a pole, all longitudes are the same location. Elsewhere, -180 and 180 are.
            if abs(position.latitude) == 90 { return true }
            if Self.spans(low, high, position.longitude) { return true }
            return abs(position.longitude) == 180 && Self.spans(low, high, -position.longitude)
        case .circle(let circle): return circle.contains(position)
        case .polygon(let polygon): return polygon.contains(position)
        }
    }

    private static func spans(
        _ low: GeoPosition, _ high: GeoPosition, _ longitude: Double
    ) -> Bool {
        if low.longitude <= high.longitude {
            return longitude >= low.longitude && longitude <= high.longitude
        }
        return longitude >= low.longitude || longitude <= high.longitude
    }
}

/// An error in the rings of a polygon, which are numbered from 1.
package enum GeoRegionError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooShort(ring: Int)
    case open(ring: Int)
    case holeOutside(ring: Int)
    case tooLarge(ring: Int)
    case crossing(ring: Int)
    case holeInHole(ring: Int)

    package var description: String {
        switch self {
        case .tooShort(let ring):
            "ring \(ring) has fewer than three different corners and the first one again"
        case .open(let ring): "ring \(ring) does not end where it begins"
        case .holeOutside(let ring): "ring \(ring) is a hole that is not inside of the first ring"
        case .crossing(let ring): "ring \(ring) has edges that cross or repeat others"
        case .holeInHole(let ring): "ring \(ring) is a hole inside of another hole"
        case .tooLarge(let ring): "ring \(ring) does not fit into one half of the earth"
        }
    }
}
