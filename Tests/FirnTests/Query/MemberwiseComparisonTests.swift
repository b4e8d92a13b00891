// `where { $0.at == Coordinate(...) }` stopped the program with "an object of another realm", because
// the type is stored as an embedded object, which no other object can link to.

import Firn
import Foundation
import Testing

private struct Coordinate: CustomPersistable, Equatable, Hashable {
    var x: Int
    var label: String?

    init(_ x: Int, _ label: String? = nil) { (self.x, self.label) = (x, label) }

    init(persistedValue: StoredCoordinate) { self.init(persistedValue.x, persistedValue.label) }

    var persistableValue: StoredCoordinate {
        StoredCoordinate(value: ["x": x, "label": label as Any])
    }
}

private class StoredCoordinate: EmbeddedObject {
    @Persisted var x = 0
    @Persisted var label: String?
}

private struct Remark: CustomPersistable, Equatable, Hashable {
    var text: String?

    init(_ text: String?) { self.text = text }

    init(persistedValue: StoredRemark) { self.init(persistedValue.text) }

    var persistableValue: StoredRemark { StoredRemark(value: ["text": text as Any]) }
}

private class StoredRemark: EmbeddedObject {
    @Persisted var text: String?
}

private class Trip: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var at: Coordinate?
    @Persisted var remark: Remark?
    @Persisted var start: Coordinate
    @Persisted var stops: List<Coordinate>
    @Persisted var named: Map<String, Coordinate>
    @Persisted var next: Trip?

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite("Comparisons with values that are stored as embedded objects")
struct MemberwiseComparisonTests {
    private let realm: Realm

    init() throws {
        realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString, objectTypes: [Trip.self]))
        try realm.write {
            for number in 0..<4 {
                let trip = Trip()
                trip.id = number
                trip.at = number == 0 ? nil : Coordinate(number, number == 1 ? nil : "a")
                trip.start = Coordinate(number % 2)
                trip.remark = number < 2 ? nil : Remark(number == 2 ? nil : "x")
                trip.stops.append(objectsIn: [Coordinate(number, "a"), Coordinate(9, "\(number)")])
                trip.named["k"] = Coordinate(number)
                realm.add(trip)
            }
            for trip in realm.objects(Trip.self) where trip.id > 0 {
                trip.next = realm.object(ofType: Trip.self, forPrimaryKey: trip.id - 1)
            }
        }
    }

    private func ids(_ condition: (Query<Trip>) -> Query<Bool>) -> [Int] {
        let found = realm.objects(Trip.self).where(condition)
        // The text and its arguments find the same objects.
        let (text, arguments) = condition(Query<Trip>._constructForTesting())._constructPredicate()
        let again = realm.objects(Trip.self).filter(text, arguments: arguments)
        #expect(Array(again.map(\.id)) == Array(found.map(\.id)), "\(text)")
        return Array(found.map(\.id))
    }

    @Test("Equality compares all members, even members that are nil")
    func equal() {
        #expect(ids { $0.at == Coordinate(2, "a") } == [2])
        #expect(ids { $0.at == Coordinate(2) }.isEmpty)
        #expect(ids { $0.at == Coordinate(1) } == [1])
        #expect(ids { $0.at == nil } == [0])
        #expect(ids { $0.start == Coordinate(1) } == [1, 3])
        #expect(ids { $0.next.at == Coordinate(2, "a") } == [3])
        #expect(ids { $0.start == Coordinate(1) && $0.id > 1 } == [3])
    }

    @Test("A value whose members are all nil is not nil itself")
    func nothing() {
        #expect(ids { $0.remark == Remark(nil) } == [2])
        #expect(ids { $0.remark != Remark(nil) } == [0, 1, 3])
        #expect(ids { $0.remark == nil } == [0, 1])
    }

    @Test("Inequality is the opposite of equality, even with nil")
    func notEqual() {
        #expect(ids { $0.at != Coordinate(2, "a") } == [0, 1, 3])
        #expect(ids { $0.start != Coordinate(1) } == [0, 2])
        #expect(ids { $0.at != nil } == [1, 2, 3])
    }

    @Test("One of several values is found, and all members must match the same element")
    func several() {
        #expect(ids { $0.at.in([Coordinate(2, "a"), Coordinate(1)]) } == [1, 2])
        #expect(ids { $0.start.in([Coordinate(0)]) } == [0, 2])
        #expect(ids { $0.stops.contains(Coordinate(2, "a")) } == [2])
        #expect(ids { $0.stops.contains(Coordinate(9, "a")) }.isEmpty)
        #expect(
            ids { $0.stops.containsAny(in: [Coordinate(9, "1"), Coordinate(3, "a")]) } == [1, 3])
        #expect(ids { $0.named.contains(Coordinate(3)) } == [3])
    }
}
