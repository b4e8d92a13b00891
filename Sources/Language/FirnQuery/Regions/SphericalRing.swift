import FirnValues

/// A closed line on the sphere with the area that it encloses, which lies in the same hemisphere.
///
/// The edges are shortest paths (great circles), not straight lines on a flat map.
///
/// Containment is tested by counting how often the path from an outside point to the tested point
/// crosses the line, as in S2 (Google's S2 Geometry, S2Loop::Contains). An even number means
/// outside. Polygons refuse lines that cross themselves.
struct SphericalRing: Hashable, Sendable {
    /// The vertices, without the repeated first one at the end.
    let vertices: [SphereVector]
    /// The center of a hemisphere that contains all vertices, and therefore the edges between them.
    let middle: SphereVector
    /// The cosine of the largest distance of a vertex from the center; more than 0.
    private let nearest: Double
    /// A point on the edge of the hemisphere.
    ///
    /// It and its antipode are outside the ring.
    private let outside: SphereVector

    /// Creates a ring, or `nil` unless it has three distinct vertices that lie in one hemisphere.
    init?(_ positions: [GeoPosition]) {
        var vertices: [SphereVector] = []
        for position in positions where vertices.last != position.direction {
            vertices.append(position.direction)
        }
        if vertices.count > 1, vertices.first == vertices.last { vertices.removeLast() }
        guard Set(vertices).count >= 3, let middle = Self.middle(of: vertices),
            let outside = Self.outside(middle)
        else { return nil }
        self.vertices = vertices
        self.middle = middle
        self.outside = outside
        nearest = vertices.reduce(1) { min($0, $1.dot(middle)) }
    }

    /// Finds the center of a hemisphere that contains all vertices.
    ///
    /// The center is moved toward the farthest vertex until all vertices are less than 90 degrees
    /// away. This is the perceptron rule, which ends soon unless there is hardly any such center.
    private static func middle(of vertices: [SphereVector]) -> SphereVector? {
        var sum = vertices.reduce(SphereVector(x: 0, y: 0, z: 0), +)
        for _ in 0..<1_000 {
            guard let middle = sum.normalized else {
                sum = sum + (vertices.first ?? sum)
                continue
            }
            guard let farthest = vertices.min(by: { $0.dot(middle) < $1.dot(middle) }) else {
                return nil
            }
            if farthest.dot(middle) > 1e-9 { return middle }
            sum = sum + farthest
        }
        return nil
    }

    /// Returns a point 90 degrees from the center, in an unusual direction.
    ///
    /// The direction ensures that paths from the point do not follow meridians or parallels.
    private static func outside(_ middle: SphereVector) -> SphereVector? {
        let odd = SphereVector(x: -0.362_8, y: 0.764_1, z: 0.533_3)
        return
            (middle.cross(odd).normalized
            ?? middle.cross(SphereVector(x: 0.911, y: 0.127, z: -0.393)).normalized)
    }

    /// Returns whether a point is inside the ring, or is one of its vertices.
    ///
    /// A point on an edge counts as being on one of its two sides.
    ///
    /// - Complexity: O(number of vertices)
    func contains(_ point: SphereVector) -> Bool {
        // The turns and the distances are accurate to about 1e-15.
        guard point.dot(middle) >= nearest - 1e-14 else { return false }
        var isInside = false
        var previous = vertices[vertices.count - 1]
        for vertex in vertices {
            if vertex == point { return true }
            if SphereVector.cross(outside, point, previous, vertex) { isInside.toggle() }
            previous = vertex
        }
        return isInside
    }

    /// Returns whether all vertices of another ring are inside this ring.
    func containsVertices(of other: SphericalRing) -> Bool {
        other.vertices.allSatisfy(contains)
    }
}
