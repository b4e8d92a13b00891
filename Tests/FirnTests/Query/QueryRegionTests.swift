import Firn
import FirnTesting
import Testing

class GeoTown: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var location: GeoSpot?
    @Persisted var gates: List<GeoSpot>

    convenience init(_ name: String, _ latitude: Double, _ longitude: Double) {
        self.init()
        self.name = name
        location = GeoSpot(latitude, longitude)
        gates.append(GeoSpot(latitude + 1, longitude))
    }
}

class GeoSpot: EmbeddedObject {
    @Persisted var type = "Point"
    @Persisted var coordinates: List<Double>

    convenience init(_ latitude: Double, _ longitude: Double) {
        self.init()
        coordinates.append(objectsIn: [longitude, latitude])
    }
}

class GeoOffice: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var town: GeoTown?
}

private final class GeoPlace: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted var type = "Point"
    @Persisted var coordinates: List<Double>
}

private final class GeoLink: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted var place: GeoPlace?
}

@Suite("Conditions on points")
struct QueryRegionTests {
    private let realm: Realm
    private let around = GeoCircle(center: (48.8566, 2.3522), radiusInRadians: 350 / 6_371.0)
    private let europe = GeoBox(bottomLeft: (35, -10), topRight: (60, 30))

    init() throws {
        realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: "places \(UInt64.random(in: 0...(.max)))",
                objectTypes: [GeoTown.self, GeoSpot.self, GeoOffice.self]))
        try realm.write {
            let paris = GeoTown("Paris", 48.8566, 2.3522)
            realm.add([
                paris, GeoTown("London", 51.5072, -0.1276), GeoTown("Rome", 41.8967, 12.4822),
                GeoTown("Suva", -18.1248, 178.4501),
            ])
            let nowhere = GeoTown("Nowhere", 0, 0)
            nowhere.location = nil
            let half = GeoTown("Half", 48, 2)
            half.location?.coordinates.removeLast()
            let line = GeoTown("Line", 48, 2)
            line.location?.type = "LineString"
            let beyond = GeoTown("Beyond", 148, 2)
            realm.add([nowhere, half, line, beyond])
            realm.create(GeoOffice.self, value: ["id": 1, "town": paris])
            realm.create(GeoOffice.self, value: ["id": 2])
        }
    }

    private func names(_ towns: Results<GeoTown>) -> [String] { towns.map(\.name).sorted() }

    @Test("A condition finds only the points in a box, a circle or a polygon")
    func regions() throws {
        let towns = realm.objects(GeoTown.self)
        let circle = try #require(around)
        let box = try #require(europe)
        let polygon = try #require(
            GeoPolygon(outerRing: [(40, 0), (40, 20), (55, 20), (55, 0), (40, 0)]))
        #expect(names(towns.where { $0.location.geoWithin(circle) }) == ["London", "Paris"])
        #expect(names(towns.where { $0.location.geoWithin(box) }) == ["London", "Paris", "Rome"])
        #expect(names(towns.where { $0.location.geoWithin(polygon) }) == ["Paris", "Rome"])
        #expect(
            names(towns.where { !$0.location.geoWithin(box) })
                == ["Beyond", "Half", "Line", "Nowhere", "Suva"])
        #expect(
            names(towns.where { $0.location.geoWithin(circle) && $0.name != "Paris" }) == ["London"]
        )
        let offices = realm.objects(GeoOffice.self)
        #expect(offices.where { $0.town.location.geoWithin(circle) }.map(\.id) == [1])
        #expect(offices.where { !$0.town.location.geoWithin(circle) }.map(\.id) == [2])
    }

    @Test("A region can be an argument or part of the query string")
    func texts() throws {
        let towns = realm.objects(GeoTown.self)
        let circle = try #require(around)
        #expect(names(towns.filter("location IN %@", circle)) == ["London", "Paris"])
        #expect(names(towns.filter("location GEOWITHIN %@", circle)) == ["London", "Paris"])
        #expect(
            names(towns.filter("location geoWithin geoBox([-10, 35], [30, 60])"))
                == ["London", "Paris", "Rome"])
        #expect(names(towns.filter("ANY gates GEOWITHIN %@", circle)) == ["Half", "Line", "Paris"])
        #expect(
            names(
                towns.filter(
                    "SUBQUERY(gates, $g, $g GEOWITHIN geoCircle([2.3522, 49.8566], 0.001)).@count "
                        + "> 0"))
                == ["Paris"])
        let query = Query<GeoTown>._constructForTesting().location.geoWithin(circle)
        let (text, arguments) = query._constructPredicate()
        #expect(text == "location GEOWITHIN %@")
        #expect(names(towns.filter(text, arguments: arguments)) == ["London", "Paris"])
    }

    @Test("A region condition on a top-level class stops the program")
    func topLevel() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([GeoLink.self, GeoPlace.self])
            guard let box = GeoBox(bottomLeft: (0, 0), topRight: (40, 10)) else { return }
            _ = realm.objects(GeoLink.self).filter("place GEOWITHIN %@", box).count
        }.says("GeoPlace is a top-level class, and only embedded objects are places")
    }

    @Test("A region condition can search unmanaged lists")
    func unmanaged() throws {
        let circle = try #require(around)
        let list = List<GeoTown>()
        list.append(objectsIn: [GeoTown("Lille", 50.6, 3.06), GeoTown("Nice", 43.7, 7.26)])
        #expect(list.index(matching: { $0.location.geoWithin(circle) }) == 0)
        #expect(list.index(matching: "NOT location IN %@", circle) == 1)
    }

    @Test("A live result follows points that move, appear and disappear")
    func live() throws {
        let circle = try #require(around)
        let near = realm.objects(GeoTown.self).where { $0.location.geoWithin(circle) }
            .sorted(byKeyPath: "name")
        var changes: [String] = []
        let token = near.observe { change in
            guard case .update(let towns, let deletions, let insertions, let modifications) = change
            else { return }
            changes.append(
                "\(towns.map(\.name)) -\(deletions) +\(insertions) ~\(modifications)")
        }
        defer { token.invalidate() }
        realm.refresh()
        func write(_ block: () -> Void) throws {
            try realm.write(block)
            realm.refresh()
        }
        let rome = try #require(realm.object(ofType: GeoTown.self, forPrimaryKey: "Rome"))
        try write { rome.location?.coordinates[0] = 2 }
        try write { rome.location?.coordinates[1] = 49 }
        try write { rome.location?.type = "Area" }
        try write { rome.location = GeoSpot(48, 2) }
        try write { rome.location = nil }
        #expect(
            changes == [
                #"["London", "Paris", "Rome"] -[] +[2] ~[]"#,
                #"["London", "Paris"] -[2] +[] ~[]"#,
                #"["London", "Paris", "Rome"] -[] +[2] ~[]"#,
                #"["London", "Paris"] -[2] +[] ~[]"#,
            ])
    }

    @Test("An upside-down box stops the program with a reason")
    func upsideDown() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            guard let box = GeoBox(bottomLeft: (60, 0), topRight: (40, 10)) else { return }
            let realm = try Realm(
                configuration: Realm.Configuration(
                    inMemoryIdentifier: "upside down",
                    objectTypes: [GeoTown.self, GeoSpot.self, GeoOffice.self]))
            _ = realm.objects(GeoTown.self).where { $0.location.geoWithin(box) }.count
        }.says("lies north of the upper right one")
    }
}
