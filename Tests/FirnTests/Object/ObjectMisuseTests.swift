import Firn
import Foundation
import Testing

/// A realm in memory with Ann.
private func people() throws -> (realm: Realm, ann: Person) {
    let realm = try Realm(
        configuration: Realm.Configuration(
            inMemoryIdentifier: UUID().uuidString, objectTypes: [Person.self]))
    let ann = Person(value: ["id": 1, "name": "Ann", "address": ["city": "Oslo"]])
    try realm.write { realm.add(ann) }
    return (realm, ann)
}

@Suite("Misuse of objects")
struct ObjectMisuseTests {
    @Test("Changing an object outside of a write transaction stops the program", .tags(.difference))
    func outside() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try people().ann.name = "Bob"
        }.says("cannot set Person.name outside of a write transaction", "realm.write { }")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try people().ann.address?.city = "Rome"
        }.says("cannot set Address.city outside of a write transaction", "realm.write { }")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try people().ann["name"] = "Bob"
        }.says("cannot set Person.name outside of a write transaction", "realm.write { }")
    }

    @Test(
        "Changing an object of a read-only realm is an error that names the property and the realm")
    func readOnly() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm()
            func fill() throws {
                let realm = try test.open()
                try realm.write { realm.add(Person(value: ["id": 1])) }
            }
            try fill()
            var configuration = test.configuration
            configuration.readOnly = true
            let realm = try Realm(configuration: configuration)
            realm.objects(Person.self)[0].name = "Bob"
        }.says("cannot set Person.name: the realm at", "was opened for reading only")
    }

    @Test("Using an object that was deleted or invalidated stops the program")
    func deleted() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, ann) = try people()
            try realm.write { realm.delete(ann) }
            _ = ann.name
        }.says("this Person has been deleted", "isInvalidated")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, ann) = try people()
            try realm.write {
                realm.delete(ann)
                ann.name = "Bob"
            }
        }.says("this Person has been deleted", "isInvalidated")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, ann) = try people()
            guard let address = ann.address else { return }
            try realm.write { ann.address = nil }
            _ = address.city
        }.says("this Address has been deleted", "isInvalidated")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, ann) = try people()
            try realm.write { realm.delete(ann) }
            _ = ann.freeze()
        }.says("a Person that was deleted cannot be frozen", "isInvalidated")
    }

    @Test("Changing a frozen object, or freezing an unmanaged one, stops the program")
    func frozen() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try people().ann.freeze().name = "Bob"
        }.says("cannot set Person.name", "frozen", "thaw()")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Person().freeze()
        }.says("an unmanaged object cannot be frozen", "add it")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Person().thaw()
        }.says("an unmanaged object cannot be thawed")
    }

    @Test("Changing a primary key stops the program")
    func key() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, ann) = try people()
            try realm.write { ann.id = 2 }
        }.says("the primary key id of Person cannot be changed", "make another object")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, ann) = try people()
            try realm.write { ann["id"] = 2 }
        }.says("the primary key id of Person cannot be changed", "make another object")
    }

    @Test("Giving an embedded object a second parent stops the program")
    func parents() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, ann) = try people()
            try realm.write {
                let bob = realm.create(Person.self, value: ["id": 2])
                bob.address = ann.address
            }
        }.says("an embedded object that has a parent cannot get another one", "make a copy")
    }

    @Test("An unknown property, or a value of another type, stops the program")
    func values() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Person()["nme"]
        }.says("Person has no persisted property named nme", "it has id, name, age")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Person()["nme"] = 1
        }.says("Person has no persisted property named nme")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Person()["name"] = 1
        }.says("1 is not a value for Person.name, which is String")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Person(value: ["name": 1])
        }.says("1 is not a value for Person.name, which is String")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Person(value: ["id": "one"])
        }.says("one is not a value for Person.id, which is Int")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Person(value: ["height": NSNull()])
        }.says("is not a value for Person.height, which is Double")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Person(value: ["marks": [1, "two"] as [Any]])
        }.says("is not a value for Person.marks, which is List<Int>")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Person(value: [1, "Ann", 3, 1.5, NSNull(), NSNull(), [], [], "too many"] as [Any])
        }.says("9 values for the 8 properties of Person")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Person(value: "Ann")
        }.says("String cannot be the value of a Person", "a dictionary, an array or an object")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, _) = try people()
            try realm.write {
                _ = realm.create(Person.self, value: ["id": 2, "friend": ["name": 7]])
            }
        }.says("7 is not a value for Person.name, which is String")
    }
}
