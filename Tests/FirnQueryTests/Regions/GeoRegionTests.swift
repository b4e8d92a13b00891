import FirnQuery
import FirnTesting
import Testing

@Suite("Regions of the earth")
struct GeoRegionTests {
    private func place(_ longitude: Double, _ latitude: Double) throws -> GeoPosition {
        try #require(GeoPosition(longitude: longitude, latitude: latitude))
    }

    private func ring(_ corners: [(Double, Double)]) throws -> [GeoPosition] {
        try (corners + corners.prefix(1)).map { try place($0.0, $0.1) }
    }

    private func polygon(
        _ corners: [(Double, Double)], holes: [[(Double, Double)]] = []
    ) throws -> GeoRegion {
        .polygon(
            try GeoRegion.Polygon(
                outerRing: try ring(corners), holes: try holes.map { try ring($0) }))
    }

    private func circle(_ center: GeoPosition, _ radians: Double) throws -> GeoRegion {
        .circle(try #require(GeoRegion.Circle(center: center, radiusInRadians: radians)))
    }

    @Test("Coordinates beyond the poles, beyond 180 degrees and NaN are refused")
    func positions() {
        for (longitude, latitude) in [
            (180.5, 0), (-181, 0), (0, 90.1), (0, -91), (.nan, 0), (0, .nan), (.infinity, 0),
        ] {
            #expect(GeoPosition(longitude: longitude, latitude: latitude) == nil)
        }
        #expect(GeoPosition(longitude: -180, latitude: 90) != nil)
    }

    @Test("A box contains its edges, and extends eastwards across the date line")
    func boxes() throws {
        let box = GeoRegion.box(
            bottomLeft: try place(-74.02, 40.70), topRight: try place(-73.91, 41))
        #expect(box.contains(try place(-73.97, 40.78)))
        #expect(box.contains(try place(-74.02, 40.70)))
        #expect(!box.contains(try place(-73.90, 40.78)))
        #expect(!box.contains(try place(-73.97, 40.69)))
        let fiji = GeoRegion.box(bottomLeft: try place(176, -20), topRight: try place(-178, -15))
        #expect(fiji.contains(try place(178, -18)))
        #expect(fiji.contains(try place(-179, -18)))
        #expect(fiji.contains(try place(180, -18)))
        #expect(fiji.contains(try place(-180, -18)))
        #expect(!fiji.contains(try place(0, -18)))
        let east = GeoRegion.box(bottomLeft: try place(170, 0), topRight: try place(180, 90))
        #expect(east.contains(try place(-180, 5)))
        #expect(east.contains(try place(0, 90)), "the pole has every longitude")
    }

    /// Paris and London are 343.5 km apart on a sphere of 6,371 km.
    @Test("A circle contains all points up to its radius")
    func circles() throws {
        let paris = try place(2.3522, 48.8566)
        let london = try place(-0.1276, 51.5072)
        #expect(try circle(paris, 344.0 / 6_371).contains(london))
        #expect(try !circle(paris, 343.0 / 6_371).contains(london))
        #expect(try circle(paris, 0).contains(paris))
        let meter = 1 / 6_371_000.0
        let twoMeters = try place(2.3522, 48.8566 + 2 * meter * 180 / .pi)
        #expect(try circle(paris, 2.000_1 * meter).contains(twoMeters))
        #expect(try !circle(paris, 1.999_9 * meter).contains(twoMeters))
        let opposite = try place(2.3522 - 180, -48.8566)
        #expect(try circle(paris, .pi).contains(opposite))
        #expect(try circle(paris, .infinity).contains(opposite))
        #expect(try !circle(paris, 3.14).contains(opposite))
        #expect(GeoRegion.Circle(center: paris, radiusInRadians: -1) == nil)
        #expect(GeoRegion.Circle(center: paris, radiusInRadians: .nan) == nil)
    }

    @Test(
        "A polygon contains the interior of its ring without the holes, in either direction")
    func polygons() throws {
        let corners = [(0.0, 0.0), (10, 0), (10, 10), (0, 10)]
        let hole = [(4.0, 4.0), (6, 4), (6, 6), (4, 6)]
        for corners in [corners, corners.reversed()] {
            for hole in [hole, hole.reversed()] {
                let region = try polygon(corners, holes: [hole])
                #expect(region.contains(try place(2, 2)))
                #expect(region.contains(try place(0, 0)), "a corner")
                #expect(!region.contains(try place(5, 5)), "in the hole")
                #expect(!region.contains(try place(11, 5)))
                #expect(!region.contains(try place(-175, -5)), "on the other side of the earth")
            }
        }
        // The center of a simple ring.
        #expect(try polygon([(-1, -1), (1, -1), (1, 1), (-1, 1)]).contains(try place(0, 0)))
        let pole = try polygon([(0, 60), (90, 60), (180, 60), (-90, 60)])
        #expect(pole.contains(try place(123, 89)))
        #expect(!pole.contains(try place(123, 20)))
        let pacific = try polygon([(170, -10), (-170, -10), (-170, 10), (170, 10)])
        #expect(pacific.contains(try place(180, 0)))
        #expect(!pacific.contains(try place(0, 0)))
    }

    /// The shortest way between 60 N, 60 W and 60 N, 60 E passes 73.9 N at Greenwich.
    @Test("Edges are shortest paths, not parallels")
    func edges() throws {
        let region = try polygon([(-60, 60), (0, 0), (60, 60)])
        #expect(region.contains(try place(0, 73)))
        #expect(!region.contains(try place(0, 75)))
    }

    @Test("Invalid rings are refused")
    func wrongRings() throws {
        func error(_ rings: [[GeoPosition]]) -> GeoRegionError? {
            do {
                _ = try GeoRegion.Polygon(outerRing: rings[0], holes: Array(rings.dropFirst()))
                return nil
            } catch { return error }
        }
        let square = try ring([(0, 0), (10, 0), (10, 10), (0, 10)])
        #expect(error([[]]) == .tooShort(ring: 1))
        #expect(error([Array(square.prefix(3))]) == .tooShort(ring: 1))
        #expect(error([Array(square.prefix(4))]) == .open(ring: 1))
        #expect(error([try ring([(0, 0), (1, 1), (0, 0), (1, 1)])]) == .tooShort(ring: 1))
        #expect(
            error([square, try ring([(20, 20), (21, 20), (21, 21)])]) == .holeOutside(ring: 2))
        #expect(error([square, Array(square.prefix(2))]) == .tooShort(ring: 2))
        #expect(error([try ring([(0, 0), (90, 0), (180, 0), (-90, 0)])]) == .tooLarge(ring: 1))
        #expect(error([try ring([(0, 0), (10, 10), (10, 0), (0, 10)])]) == .crossing(ring: 1))
        let hole = try ring([(2, 2), (8, 2), (8, 8), (2, 8)])
        #expect(error([square, hole, hole]) == .crossing(ring: 3))
        #expect(
            error([square, hole, try ring([(1, 4), (9, 4), (9, 6), (1, 6)])])
                == .crossing(ring: 3))
        #expect(
            error([square, hole, try ring([(4, 4), (6, 4), (5, 6)])]) == .holeInHole(ring: 3))
    }

    /// A spiral of many corners, none of whose edges meet, and the same with its ends exchanged.
    @Test("Edges of long rings are checked for crossings")
    func longRings() throws {
        let turns = 500
        let outward = (0..<turns).map { index -> (Double, Double) in
            let side = unit(Double(index) / 20 * 2 * .pi)
            let distance = 1 + Double(index) / 50
            return (distance * side.0, distance * side.1)
        }
        let back = outward.reversed().map { ($0.0 * 1.01, $0.1 * 1.01) }
        #expect(throws: Never.self) { try polygon(outward + back) }
        #expect(throws: GeoRegionError.crossing(ring: 1)) {
            try polygon(outward + Array(back.dropLast()) + [(0, 30)])
        }
    }

    @Test("Invalid regions are described")
    func descriptions() {
        #expect(
            "\(GeoRegionError.crossing(ring: 2))" == "ring 2 has edges that cross or repeat others")
        #expect(
            "\(GeoRegionError.holeInHole(ring: 3))" == "ring 3 is a hole inside of another hole")
    }

    /// The eight faces between the poles and the equator cover the earth: a point in none of them,
    /// or in two, would be a hole or an overlap of every map made of polygons. Points on the edges,
    /// which are meridians and the equator, are in one face as well; only the corners are in four.
    @Test("Every point is in exactly one of the faces that cover the earth")
    func covering() throws {
        let equator = [0.0, 90, 180, -90]
        var faces: [GeoRegion] = []
        for pole in [90.0, -90] {
            for index in 0..<4 {
                faces.append(
                    try polygon([(0, pole), (equator[index], 0), (equator[(index + 1) % 4], 0)]))
            }
        }
        for longitude in stride(from: -180.0, through: 175, by: 5) {
            for latitude in stride(from: -85.0, through: 85, by: 5) {
                if latitude == 0, longitude.truncatingRemainder(dividingBy: 90) == 0 { continue }
                let position = try place(longitude, latitude)
                #expect(faces.count { $0.contains(position) } == 1, "\(longitude) \(latitude)")
            }
        }
        var random = SplitMix64(seed: TestScale.firstSeed)
        for _ in 0..<20_000 {
            let position = try place(
                .random(in: -180...180, using: &random), .random(in: -90...90, using: &random))
            #expect(faces.count { $0.contains(position) } == 1, "\(position)")
        }
    }

    /// A fan of triangles equals the polygon that they form.
    @Test("A polygon contains the same points as the triangles that form it")
    func triangles() throws {
        var random = SplitMix64(seed: TestScale.firstSeed &+ 1)
        for _ in 0..<50 {
            let center = (
                Double.random(in: -179...179, using: &random),
                Double.random(in: -45...45, using: &random)
            )
            let count = Int.random(in: 3...12, using: &random)
            let corners = (0..<count).map { index in
                let angle = (Double(index) + 0.3) / Double(count) * 2 * .pi
                return corner(center, angle, .random(in: 1...15, using: &random))
            }
            let whole = try polygon(corners)
            let triangles = try (0..<count).map {
                try polygon([center, corners[$0], corners[($0 + 1) % count]])
            }
            // A triangle around the center would be the complement of the others.
            guard count > 3 else { continue }
            for _ in 0..<200 {
                let spot = corner(
                    center, .random(in: 0...6.28, using: &random),
                    .random(in: 0...20, using: &random))
                let position = try place(spot.0, spot.1)
                let isInside = triangles.contains { $0.contains(position) }
                #expect(whole.contains(position) == isInside, "\(position) of \(corners)")
            }
        }
    }

    /// A point some degrees away from a center, roughly.
    private func corner(
        _ center: (Double, Double), _ angle: Double, _ degrees: Double
    ) -> (Double, Double) {
        let longitude = center.0 + degrees * unit(angle).0
        let wrapped =
            longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
        return (wrapped, center.1 + degrees * unit(angle).1)
    }

    private func unit(_ angle: Double) -> (Double, Double) {
        // A diamond instead of a circle: its corners surround the center just as well.
        let turn = (angle / (2 * .pi)).truncatingRemainder(dividingBy: 1) * 4
        switch turn {
        case ..<1: return (1 - turn, turn)
        case ..<2: return (1 - turn, 2 - turn)
        case ..<3: return (turn - 3, 2 - turn)
        default: return (turn - 3, turn - 4)
        }
    }
}
