import FirnValues

/// A vector in three dimensions.
///
/// A unit vector represents a point on a sphere.
struct SphereVector: Hashable {
    let x: Double
    let y: Double
    let z: Double

    func dot(_ other: SphereVector) -> Double { x * other.x + y * other.y + z * other.z }

    func cross(_ other: SphereVector) -> SphereVector {
        SphereVector(
            x: y * other.z - z * other.y, y: z * other.x - x * other.z,
            z: x * other.y - y * other.x)
    }

    static func + (left: SphereVector, right: SphereVector) -> SphereVector {
        SphereVector(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
    }

    static func - (left: SphereVector, right: SphereVector) -> SphereVector {
        SphereVector(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
    }

    /// The unit vector in the same direction; `nil` for a vector without a direction.
    var normalized: SphereVector? {
        let length = dot(self).squareRoot()
        guard length > 0, length.isFinite else { return nil }
        return SphereVector(x: x / length, y: y / length, z: z / length)
    }

    /// Returns whether the turn from `a` via `b` to `c` is to the left, seen from outside.
    ///
    /// For the same three points in another order, the answer is the same, or the opposite if the
    /// orientation of the order is reversed. A decision about an edge is therefore the same for
    /// both regions that share it. For points on one great circle, the answer is arbitrary but
    /// consistent.
    static func turnsLeft(_ a: SphereVector, _ b: SphereVector, _ c: SphereVector) -> Bool {
        var (a, b, c) = (a, b, c)
        var isSwapped = false
        if b.precedes(a) {
            swap(&a, &b)
            isSwapped.toggle()
        }
        if c.precedes(b) {
            swap(&b, &c)
            isSwapped.toggle()
        }
        if b.precedes(a) {
            swap(&a, &b)
            isSwapped.toggle()
        }
        return (a.cross(b).dot(c) >= 0) != isSwapped
    }

    private func precedes(_ other: SphereVector) -> Bool {
        if x != other.x { return x < other.x }
        return y != other.y ? y < other.y : z < other.z
    }

    /// Returns whether the shortest path from `a` to `b` crosses the shortest path from `c` to `d`.
    static func cross(
        _ a: SphereVector, _ b: SphereVector, _ c: SphereVector, _ d: SphereVector
    ) -> Bool {
        let side = turnsLeft(a, c, b)
        return turnsLeft(b, d, a) == side && turnsLeft(c, b, d) == side
            && turnsLeft(d, a, c) == side
    }
}
