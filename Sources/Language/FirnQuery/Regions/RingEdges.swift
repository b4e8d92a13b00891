import FirnValues

/// The edges of the rings of a polygon, to find out whether they cross or repeat each other.
///
/// The rings are projected from the center of the sphere to a plane, on which shortest paths are
/// straight lines.
struct RingEdges {
    private struct Point: Hashable {
        let x: Double
        let y: Double
    }

    private struct Edge {
        let from: Point
        let to: Point
        let ring: Int

        var left: Double { min(from.x, to.x) }
        var right: Double { max(from.x, to.x) }
        var bottom: Double { min(from.y, to.y) }
        var top: Double { max(from.y, to.y) }

        /// Returns whether the edges have a common point in the interior of both.
        func crosses(_ other: Edge) -> Bool {
            guard bottom <= other.top, other.bottom <= top else { return false }
            let (first, second) = (side(of: other.from), side(of: other.to))
            guard first * second < 0 else { return false }
            return other.side(of: from) * other.side(of: to) < 0
        }

        /// Returns a number that is positive for points on the left, and 0 for both ends of the
        /// edge.
        private func side(of point: Point) -> Double {
            let area = (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)
            // A corner on an edge touches it, and rounding must not make that a crossing.
            let scale = abs(to.x - from.x) + abs(to.y - from.y)
            return abs(area) <= 1e-14 * scale ? 0 : area
        }

        func isSame(as other: Edge) -> Bool {
            from == other.from && to == other.to || from == other.to && to == other.from
        }
    }

    /// The edges in the order of their left ends.
    private let edges: [Edge]

    /// Projects rings that lie in the hemisphere around a center.
    init(_ rings: [[SphereVector]], around center: SphereVector) {
        let aside = center.cross(SphereVector(x: -0.362_8, y: 0.764_1, z: 0.533_3)).normalized
        let across = aside ?? SphereVector(x: 1, y: 0, z: 0)
        let up = center.cross(across)
        var edges: [Edge] = []
        for (number, ring) in rings.enumerated() {
            let points = ring.map { vertex in
                let height = vertex.dot(center)
                return Point(x: vertex.dot(across) / height, y: vertex.dot(up) / height)
            }
            for (from, to) in zip(points, points.dropFirst() + points.prefix(1)) {
                edges.append(Edge(from: from, to: to, ring: number))
            }
        }
        self.edges = edges.sorted { $0.left < $1.left }
    }

    /// Returns the number of a ring, counted from 1, that crosses or repeats itself or another ring.
    ///
    /// - Complexity: O(n log n) for n edges if few of them overlap from left to right, at most O(n²)
    func firstConflict() -> Int? {
        // The edges that may still meet the next one.
        var open: [Edge] = []
        for edge in edges {
            open.removeAll { $0.right < edge.left }
            for other in open where edge.isSame(as: other) || edge.crosses(other) {
                return max(edge.ring, other.ring) + 1
            }
            open.append(edge)
        }
        return nil
    }
}
