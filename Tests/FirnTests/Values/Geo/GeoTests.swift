import Firn
import Testing

@Suite("Points, regions and distances")
struct GeoTests {
    @Test("Coordinates out of range are refused")
    func points() {
        #expect(GeoPoint(latitude: 90, longitude: -180)?.longitude == -180)
        #expect(GeoPoint(latitude: 48.8, longitude: 2.3, altitude: 35)?.altitude == 35)
        #expect(GeoPoint(latitude: 90.5, longitude: 0) == nil)
        #expect(GeoPoint(latitude: 0, longitude: 180.5) == nil)
        #expect(GeoPoint(latitude: 0, longitude: 0, altitude: -1) == nil)
        #expect(GeoPoint(latitude: .nan, longitude: 0) == nil)
        #expect(GeoBox(bottomLeft: (91, 0), topRight: (92, 0)) == nil)
        #expect(GeoCircle(center: (91, 0), radiusInRadians: 1) == nil)
        #expect(GeoCircle(center: (0, 0), radiusInRadians: -1) == nil)
    }

    @Test("A polygon needs closed rings")
    func polygons() {
        let hole = [(4.0, 4.0), (4, 6), (6, 6), (4, 4)]
        #expect(GeoPolygon(outerRing: square)?.outerRing.count == 5)
        #expect(GeoPolygon(outerRing: square, holes: hole)?.holes.count == 1)
        let other = [(7.0, 7.0), (7, 8), (8, 8), (7, 7)]
        #expect(GeoPolygon(outerRing: square, holes: [hole, other])?.holes.count == 2)
        #expect(GeoPolygon(outerRing: square, holes: [hole, hole])?.holes.count == 2)
        #expect(GeoPolygon(outerRing: square, holes: [(0, 0), (1, 1), (0, 0)]) == nil)
        #expect(GeoPolygon(outerRing: Array(square.dropLast())) == nil)
        #expect(GeoPolygon(outerRing: Array(square.prefix(3))) == nil)
        #expect(GeoPolygon(outerRing: square, holes: [(91.0, 0.0)]) == nil)
        let points = square.compactMap { GeoPoint(latitude: $0.0, longitude: $0.1) }
        #expect(GeoPolygon(outerRing: points) == GeoPolygon(outerRing: square))
    }

    /// The reference creates such polygons, too, and refuses them in queries.
    @Test("A query with a polygon whose edges cross or overlap stops the program")
    func crossings() async {
        await stops([[(0, 0), (10, 10), (0, 10), (10, 0), (0, 0)]], "ring 1 has edges that cross")
        // There and back again.
        await stops(
            [[(0, 0), (0, 10), (10, 10), (20, 20), (10, 10), (0, 0)]], "ring 1 has edges that cross"
        )
        // The corners of the hole are inside of the arrow, and one of its edges leaves it.
        await stops(
            [
                [(0, 0), (20, 10), (0, 20), (10, 10), (0, 0)],
                [(5, 4), (5, 16), (15, 10), (5, 4)],
            ], "ring 2 has edges that cross")
        await stops(
            [square, [(24, 4), (24, 6), (26, 6), (24, 4)]], "ring 2 is a hole that is not inside")
        let hole = [(4.0, 4.0), (4, 6), (6, 6), (4, 4)]
        await stops([square, hole, hole], "ring 3 has edges that cross or repeat others")
        await stops(
            [
                square, [(2, 2), (2, 8), (8, 8), (8, 2), (2, 2)],
                [(4, 4), (4, 6), (6, 6), (6, 4), (4, 4)],
            ],
            "ring 3 is a hole inside of another hole")
        await stops(
            [square, [(2, 2), (2, 6), (6, 6), (2, 2)], [(3, 3), (3, 7), (7, 7), (3, 3)]],
            "ring 3 has edges that cross")
    }

    @Test("The holes of a polygon may touch")
    func touching() throws {
        let polygon = try #require(
            GeoPolygon(
                outerRing: square, holes: [(2, 2), (2, 4), (4, 4), (2, 2)],
                [(4, 4), (4, 6), (6, 6), (4, 4)]))
        #expect(polygon._region == polygon._region)
    }

    private func stops(_ rings: [[(Double, Double)]], _ message: String) async {
        let corners = rings.map { $0.map { [$0.0, $0.1] } }
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [corners = corners as [[[Double]]]] in
            let rings = corners.map { $0.map { ($0[0], $0[1]) } }
            let polygon = GeoPolygon(outerRing: rings[0], holes: Array(rings.dropFirst()))
            _ = polygon?._region
        }.says("a GeoPolygon cannot be searched: ", message)
    }

    private let square = [(0.0, 0.0), (0, 10), (10, 10), (10, 0), (0, 0)]

    @Test("Distances convert between units")
    func distances() throws {
        let distance = try #require(Distance.kilometers(1_609.344))
        #expect(abs(distance.asMiles() - 1_000) < 1e-3)
        #expect(abs(distance.asKilometers() - 1_609.344) < 1e-9)
        #expect(abs(try #require(Distance.degrees(180)).radians - .pi) < 1e-12)
        #expect(abs(try #require(Distance.radians(.pi)).asDegrees() - 180) < 1e-12)
        #expect(try #require(Distance.miles(1)) < distance)
        #expect(Distance.kilometers(-1) == nil)
        #expect(Distance.miles(-0.5) == nil)
        #expect(Distance.degrees(-1) == nil)
        #expect(Distance.radians(.nan) == nil)
        #expect(GeoCircle(center: (0, 0), radius: distance)?.radiusInRadians == distance.radians)
    }
}
