import Firn
import FirnTesting
import Foundation
import Testing

/// A class whose objects hold something that the database lacks.
private final class Labelled: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted var number = 0
    var label = "new"
}

/// A class with a property that is ignored although it is declared as persisted.
private final class PartlyIgnored: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func ignoredProperties() -> [String] { ["label"] }

    @Persisted var number = 0
    @Persisted var label = "new"
}

/// A loop over many objects creates a single object as long as the program does not keep it.
@Suite("Objects that a loop returns")
struct IteratedObjectTests {
    private func realm() throws -> Realm {
        let realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString,
                objectTypes: [Labelled.self, PartlyIgnored.self, Hound.self, Citizen.self]))
        try realm.write {
            for number in 0..<5 {
                realm.create(Labelled.self, value: ["number": number])
                realm.create(PartlyIgnored.self, value: ["number": number])
                realm.add(Hound("\(number)", age: number))
            }
        }
        return realm
    }

    @Test("Objects that the program keeps keep their values")
    func kept() throws {
        let realm = try realm()
        var kept: [Hound] = []
        for hound in realm.objects(Hound.self) where hound.age % 2 == 0 { kept.append(hound) }
        #expect(kept.map(\.age) == [0, 2, 4])
        let all = Array(realm.objects(Hound.self))
        #expect(all.map(\.name) == ["0", "1", "2", "3", "4"])
        #expect(Set(all.map { ObjectIdentifier($0) }).count == 5)
        var last: Hound?
        for hound in realm.objects(Hound.self) {
            #expect((last?.age ?? -1) == hound.age - 1)
            last = hound
        }
    }

    @Test("Closures and lists of an object keep showing its values")
    func captured() throws {
        let realm = try realm()
        try realm.write {
            for number in 0..<3 {
                let citizen = Citizen("\(number)")
                citizen.marks.append(number)
                realm.add(citizen)
            }
        }
        var blocks: [() -> Int] = []
        var lists: [List<Int>] = []
        for hound in realm.objects(Hound.self) { blocks.append { hound.age } }
        for citizen in realm.objects(Citizen.self) { lists.append(citizen.marks) }
        #expect(blocks.map { $0() } == [0, 1, 2, 3, 4])
        #expect(lists.map { Array($0) } == [[0], [1], [2]])
    }

    @Test("A weak reference becomes nil when the loop goes on")
    func weakReferences() throws {
        let realm = try realm()
        weak var first: Hound?
        for hound in realm.objects(Hound.self) {
            if hound.age == 0 { first = hound } else { #expect(first == nil) }
        }
    }

    @Test("Objects begin without the state of another object")
    func unpersisted() throws {
        let realm = try realm()
        for object in realm.objects(Labelled.self) {
            #expect(object.label == "new")
            object.label = "\(object.number)"
        }
        for object in realm.objects(PartlyIgnored.self) {
            #expect(object.label == "new")
            object.label = "\(object.number)"
        }
    }

    @Test("A loop can write, delete and refresh")
    func writing() throws {
        let realm = try realm()
        try realm.write {
            for hound in realm.objects(Hound.self) {
                if hound.age == 1 { realm.delete(hound) } else { hound.age += 10 }
            }
        }
        var ages: [Int] = []
        for hound in realm.objects(Hound.self) {
            ages.append(hound.age)
            try realm.write { hound.weight = Float(hound.age) }
            realm.refresh()
        }
        #expect(ages == [10, 12, 13, 14])
        #expect(realm.objects(Hound.self).map(\.weight) == [10, 12, 13, 14])
    }
}
