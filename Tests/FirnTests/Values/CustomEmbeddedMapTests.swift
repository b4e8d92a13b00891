// A `Map` with values of a type that is stored as an embedded object made every realm with the
// class unopenable: the error demanded optional values, which such a type cannot have without
// losing its meaning. Realm stores them; a missing value reads as the default one.

import Firn
import Foundation
import Testing

private struct Point: CustomPersistable, Equatable, Hashable {
    var x = 0
    var y = 0

    init(_ x: Int, _ y: Int) { (self.x, self.y) = (x, y) }

    init(persistedValue: StoredPoint) { self.init(persistedValue.x, persistedValue.y) }

    var persistableValue: StoredPoint { StoredPoint(value: [x, y]) }
}

private class StoredPoint: EmbeddedObject {
    @Persisted var x = 0
    @Persisted var y = 0
}

private class Route: Object {
    @Persisted var points: Map<String, Point>
    @Persisted var stops: Map<String, Point?>
    @Persisted var path: List<Point>
    @Persisted var start: Point

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite("Maps of values that are stored as embedded objects")
struct CustomEmbeddedMapTests {
    @Test("Custom values stored as embedded objects of a map are stored and read")
    func values() throws {
        let realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString, objectTypes: [Route.self]))
        let route = Route()
        route.points["a"] = Point(1, 2)
        route.stops["b"] = .some(nil)
        route.path.append(Point(3, 4))
        try realm.write { realm.add(route) }
        try realm.write {
            route.points["c"] = Point(5, 6)
            route.stops["d"] = Point(7, 8)
        }
        #expect(route.points["a"] == Point(1, 2))
        #expect(route.points["c"] == Point(5, 6))
        #expect(route.points["none"] == nil)
        #expect(route.stops["b"] == .some(nil))
        #expect(route.stops["d"] == Point(7, 8))
        #expect(Set(route.points.keys) == ["a", "c"])
        #expect(Array(route.path) == [Point(3, 4)])
        #expect(realm.schema["Route"]?["points"]?.isOptional == true)
        #expect(realm.schema["Route"]?["points"]?.objectClassName == "StoredPoint")
    }
}
