import Firn
import Foundation
import Testing

@Suite("Sections of results")
struct SectionedResultsTests {
    private let realm: Realm

    init() throws {
        realm = try citizenRealm { realm in
            let ages = [("Ann", 30), ("Bob", 20), ("Adi", 30), ("Cid", 40), ("Bea", 20)]
            realm.add(ages.map { Citizen($0, age: $1) })
            let first = realm.objects(Citizen.self)[0]
            for mark in [5, 2, 7, 4] { first.marks.append(mark) }
            for temperature in [nil, 1.5, nil] { first.temperatures.append(temperature) }
        }
    }

    private var all: Results<Citizen> { realm.objects(Citizen.self) }

    @Test("Sections are made by a property")
    func property() {
        let sections = all.sectioned(by: \.age)
        #expect(sections.allKeys == [20, 30, 40])
        #expect(sections.count == 3)
        #expect(
            sections.map { $0.map(\.firstName) } == [["Bob", "Bea"], ["Ann", "Adi"], ["Cid"]])
        #expect(sections[1].key == 30)
        #expect(sections[1].id == 30)
        #expect(sections[1][1].firstName == "Adi")
        #expect(sections[IndexPath(indexes: [1, 0])].firstName == "Ann")
        #expect(all.sectioned(by: \.age, ascending: false).allKeys == [40, 30, 20])
        #expect(all.sectioned(by: \.weight).allKeys == [nil])
        #expect(all.filter("age > 1000").sectioned(by: \.age).isEmpty)
    }

    @Test("Letters that are composed differently have separate sections")
    func composedLetters() throws {
        let names = ["caf\u{e9}", "cafe\u{301}"]
        try realm.write { for name in names { realm.add(Citizen(name, age: 99)) } }
        let found = all.filter("age == 99")
        for sections in [
            found.sectioned(by: \.firstName),
            found.sectioned(by: { $0.firstName }, sortDescriptors: ["firstName"]),
        ] {
            #expect(sections.count == 2 && sections.map(\.count) == [1, 1])
        }
    }

    @Test("Sections are made by the first sort property")
    func sorts() {
        let sections = all.sectioned(
            by: \.age, sortDescriptors: [SortDescriptor(keyPath: "age"), "firstName"])
        #expect(
            sections.map { $0.map(\.firstName) } == [["Bea", "Bob"], ["Adi", "Ann"], ["Cid"]])
    }

    @Test("Sections are made by a block")
    func block() {
        let sections = all.sectioned(
            by: { String($0.firstName.prefix(1)) }, sortDescriptors: ["firstName"])
        #expect(sections.allKeys == ["A", "B", "C"])
        #expect(sections[0].map(\.firstName) == ["Adi", "Ann"])
        let other = all.sectioned(sortDescriptors: ["firstName"]) { $0.age > 25 }
        #expect(other.allKeys == [true, false])
        #expect(other[0].count == 3)
    }

    @Test("Sections of values can be made")
    func values() {
        let sections = all[0].marks.sectioned(by: { $0.isMultiple(of: 2) }, ascending: true)
        #expect(sections.allKeys == [true, false])
        #expect(Array(sections[0]) == [2, 4])
        #expect(Array(sections[1]) == [5, 7])
        let optional = all[0].temperatures.sectioned(by: { $0 })
        #expect(optional.allKeys == [nil, 1.5])
        #expect(optional[0].count == 2)
    }

    @Test("Sections show later changes")
    func live() throws {
        let sections = all.sectioned(by: \.age)
        let thirty = sections[1]
        try realm.write {
            realm.add(Citizen("Dag", age: 10))
            for citizen in thirty { citizen.age = 50 }
        }
        #expect(sections.allKeys == [10, 20, 40, 50])
        #expect(thirty.isEmpty)
        #expect(sections[3].count == 2)
    }

    @Test("Frozen sections do not change")
    func freezing() throws {
        let sections = all.sectioned(by: \.age)
        let frozen = sections.freeze()
        let section = sections[0].freeze()
        try realm.write { realm.deleteAll() }
        #expect(sections.isEmpty)
        #expect(frozen.allKeys == [20, 30, 40])
        #expect(section.count == 2)
        #expect(section.isFrozen)
        #expect(frozen.thaw()?.isEmpty == true)
        #expect(!frozen.isInvalidated)
    }

    @Test("Sections are equal if their results and property are equal")
    func equality() {
        #expect(all.sectioned(by: \.age) == all.sectioned(by: \.age))
        #expect(all.sectioned(by: \.age) != all.sectioned(by: \.age, ascending: false))
        #expect(all.sectioned(by: \.age)[0] == all.sectioned(by: \.age)[0])
        #expect(all.sectioned(by: \.age)[0] != all.sectioned(by: \.age)[1])
    }

    @Test("Invalid sections stop the program")
    func mistakes() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).sectioned(by: \.age, sortDescriptors: [])
        }.says("sections need at least one sort descriptor: what belongs")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).sectioned(
                by: { $0.age }, sortDescriptors: [])
        }.says("sections need at least one sort descriptor: what belongs")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).sectioned(
                by: \.age, sortDescriptors: ["firstName"])
        }.says("sections of age need age as the first sort descriptor, not")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).sectioned(by: \.age)[0]
        }.says("index 0 is out of bounds: there are 0 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("A")) }
            _ = realm.objects(Citizen.self).sectioned(by: \.age)[IndexPath(index: 0)]
        }.says("an index path needs a section and a position in it: [0]")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("A")) }
            _ = realm.objects(Citizen.self).sectioned(by: \.spouse).allKeys
        }.says("sorting \"spouse\" is wrong: Citizen property \"spouse\" has no")
    }
}

@Suite("Sort descriptors")
struct SortDescriptorTests {
    @Test("A sort descriptor is a property and a direction")
    func parts() {
        let descriptor = SortDescriptor(keyPath: \Citizen.home?.city, ascending: false)
        #expect(descriptor.keyPath == "home.city")
        #expect(!descriptor.ascending)
        #expect(descriptor.reversed() == SortDescriptor(keyPath: "home.city"))
        #expect(("age" as Firn.SortDescriptor) == SortDescriptor(keyPath: "age", ascending: true))
        #expect(
            descriptor.description
                == "SortDescriptor(keyPath: home.city, direction: descending)")
        #expect(
            descriptor.reversed().description
                == "SortDescriptor(keyPath: home.city, direction: ascending)")
    }
}
