/// A vector in space; one of length 1 stands for a point of a sphere.
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

    /// The same direction with length 1; nil without a direction.
    var normalized: SphereVector? {
        let length = dot(self).squareRoot()
        guard length > 0, length.isFinite else { return nil }
        return SphereVector(x: x / length, y: y / length, z: z / length)
    }

    /// Whether the turn from `a` over `b` to `c` goes left, seen from outside.
    ///
    /// The same three points in another order get the same answer, or the opposite one if the order
    /// turns the other way: what is decided about an edge does not depend on which of two regions
    /// beside it asks. Points on one great circle turn somehow, but always alike.
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

    /// Whether the shortest way from `a` to `b` and the one from `c` to `d` cross.
    static func cross(
        _ a: SphereVector, _ b: SphereVector, _ c: SphereVector, _ d: SphereVector
    ) -> Bool {
        let side = turnsLeft(a, c, b)
        return turnsLeft(b, d, a) == side && turnsLeft(c, b, d) == side
            && turnsLeft(d, a, c) == side
    }
}
