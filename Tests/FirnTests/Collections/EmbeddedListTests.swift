import Firn
import Testing

@Suite("Lists of embedded objects")
struct EmbeddedListTests {
    private func garage() throws -> (Realm, Garage) {
        let realm = try makeRealm([Garage.self])
        let garage = Garage()
        try realm.write { realm.add(garage) }
        return (realm, garage)
    }

    @Test("A list adopts unmanaged objects together with their content")
    func appending() throws {
        let (realm, garage) = try garage()
        let wheel = Wheel(17)
        wheel.bolts.append(Bolt())
        try realm.write {
            garage.wheels.append(wheel)
            garage.wheels.insert(Wheel(18), at: 0)
            garage.wheels[1].bolts.append(Bolt())
        }
        #expect(garage.wheels.map(\.size) == [18, 17])
        #expect(wheel.realm == realm)
        #expect(wheel.bolts.count == 2)
    }

    @Test("Objects removed from a list are deleted together with their content")
    func removing() throws {
        let (realm, garage) = try garage()
        let wheels = (0..<6).map { Wheel($0) }
        let bolt = Bolt()
        wheels[0].bolts.append(bolt)
        try realm.write { garage.wheels.append(objectsIn: wheels) }
        try realm.write { garage.wheels.remove(at: 0) }
        #expect(wheels[0].isInvalidated)
        #expect(bolt.isInvalidated)
        try realm.write { garage.wheels[0] = Wheel(10) }
        #expect(wheels[1].isInvalidated)
        try realm.write { garage.wheels.removeLast() }
        #expect(wheels[5].isInvalidated)
        try realm.write { garage.wheels = List() }
        #expect(wheels.allSatisfy { $0.isInvalidated })
        #expect(garage.wheels.isEmpty)
    }

    @Test("Objects that only move within a list are kept")
    func moving() throws {
        let (realm, garage) = try garage()
        let wheels = (0..<4).map { Wheel($0) }
        try realm.write {
            garage.wheels.append(objectsIn: wheels)
            garage.wheels.move(from: 0, to: 3)
            garage.wheels.swapAt(0, 2)
            garage.wheels.move(fromOffsets: [0, 3], toOffset: 2)
        }
        #expect(wheels.allSatisfy { !$0.isInvalidated })
        #expect(garage.wheels.map(\.size).sorted() == [0, 1, 2, 3])
    }

    @Test("A list refuses objects that already have a parent")
    func parents() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try makeRealm([Garage.self])
            let garage = Garage()
            garage.wheels.append(Wheel(1))
            try realm.write {
                realm.add(garage)
                garage.spares.append(garage.wheels[0])
            }
        }.says("an embedded object that has a parent cannot get another one:")
    }

    @Test("Replacing or removing a key of a map deletes its object")
    func maps() throws {
        let (realm, garage) = try garage()
        let (first, second) = (Wheel(1), Wheel(2))
        try realm.write {
            garage.named["a"] = first
            garage.named["b"] = second
        }
        #expect(garage.named["a"]??.size == 1)
        try realm.write {
            garage.named["a"] = Wheel(3)
            garage.named["b"] = nil
        }
        #expect(first.isInvalidated)
        #expect(second.isInvalidated)
        #expect(garage.named["a"]??.size == 3)
        #expect(garage.named.count == 1)
    }
}
