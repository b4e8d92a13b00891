/// A closed line on the sphere with what it encloses: the part in the same half of the earth.
///
/// Its edges are shortest ways (great circles), not lines of a flat map.
///
/// Whether a point is inside is found by counting how often the way to it from a point outside
/// crosses the line, as S2 does (Google's S2 Geometry, S2Loop::Contains): even is outside. So a line
/// that crosses itself has parts that are not inside.
struct SphericalRing: Hashable, Sendable {
    /// Without the repeated first one at the end.
    private let vertices: [SphereVector]
    /// The middle of a half of the earth that all vertices lie in, and so do the ways between them.
    private let middle: SphereVector
    /// The cosine of the largest distance of a vertex from the middle; more than 0.
    private let nearest: Double
    /// On the edge of that half: outside of the ring, and so is the point opposite to it.
    private let outside: SphereVector

    /// Nil without three different vertices, and if no half of the earth holds all of them.
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

    /// Turns towards the vertex that is farthest away until all of them are less than a quarter of
    /// the way round away (the perceptron rule: it ends soon unless hardly any such point exists).
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

    /// A point a quarter of the way round away, in a direction that no map has: the ways from it run
    /// along no meridian and no parallel.
    private static func outside(_ middle: SphereVector) -> SphereVector? {
        let odd = SphereVector(x: -0.362_8, y: 0.764_1, z: 0.533_3)
        return
            (middle.cross(odd).normalized
            ?? middle.cross(SphereVector(x: 0.911, y: 0.127, z: -0.393)).normalized)
    }

    /// Whether a point lies inside, or is a vertex.
    ///
    /// On an edge it counts to one of the two sides.
    ///
    /// - Complexity: O(number of vertices)
    func contains(_ point: SphereVector) -> Bool {
        // The turns are exact to some 1e-15, the distances too.
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

    /// Whether all vertices of another ring lie inside.
    func containsVertices(of other: SphericalRing) -> Bool {
        other.vertices.allSatisfy(contains)
    }
}
