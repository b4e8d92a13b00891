import Firn
import FirnTesting
import Foundation
import Testing

@Suite("Realms")
struct RealmTests {
    @Test("A realm keeps the values written in a transaction")
    func roundTrip() throws {
        let folder = TemporaryFolder()
        let url = URL(fileURLWithPath: folder("a.firn"))
        let configuration = Realm.Configuration(fileURL: url)
        do {
            let realm = try Realm(configuration: configuration)
            let ann = Person()
            ann.id = 1
            ann.name = "Ann"
            let bob = Person()
            bob.id = 2
            bob.name = "Bob"
            bob.friend = ann
            ann.friend = bob
            let address = Address()
            address.city = "Oslo"
            ann.address = address
            try realm.write { realm.add(bob) }
            #expect(ann.friend?.name == "Bob")
            #expect(ann.address?.city == "Oslo")
            #expect(ann.age == nil)
            try realm.write {
                ann.age = 7
                #expect(ann.age == 7)
                ann.address?.city = "Bergen"
                ann.marks.append(3)
                ann.marks.append(5)
                let cid = Person()
                cid.id = 3
                ann.others.append(cid)
                ann.others.append(bob)
            }
            #expect(ann.age == 7)
            #expect(address.city == "Bergen")
        }
        let realm = try Realm(configuration: configuration)
        let ann = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
        #expect(ann.name == "Ann")
        #expect(Array(ann.marks) == [3, 5])
        #expect(ann.others.map(\.id) == [3, 2])
        let all = realm.objects(Person.self)
        #expect(all.count == 3)
        #expect(all.filter("id != %@ SORT(id DESC)", 9).map(\.id) == [3, 2, 1])
        #expect(all.filter("ANY others.name == %@", "Bob").map(\.name) == ["Ann"])
        #expect(ann.friend?.friend == ann)
        #expect(ann.address?.city == "Bergen")
    }

    private func openRealm(_ folder: TemporaryFolder) throws -> Realm {
        let url = URL(fileURLWithPath: folder("a.firn"))
        return try Realm(
            configuration: Realm.Configuration(fileURL: url, objectTypes: [Person.self]))
    }

    @Test("Deleting an object sets the links to it to nil")
    func deletion() throws {
        let folder = TemporaryFolder()
        let realm = try openRealm(folder)
        let ann = Person(value: ["id": 1, "name": "Ann"])
        let bob = Person(value: ["id": 2, "friend": ann, "others": [ann], "address": ["Rome"]])
        try realm.write { realm.add(bob) }
        #expect(bob.address?.city == "Rome")
        try realm.write { realm.delete(ann) }
        #expect(ann.isInvalidated)
        #expect(bob.friend == nil)
        #expect(bob.others.isEmpty)
        let address = try #require(bob.address)
        try realm.write { realm.deleteAll() }
        #expect(bob.isInvalidated && address.isInvalidated)
        #expect(realm.objects(Person.self).isEmpty)
    }

    @Test("Objects are created from dictionaries, and updates change only the given values")
    func creation() throws {
        let folder = TemporaryFolder()
        let realm = try openRealm(folder)
        try realm.write {
            realm.create(
                Person.self,
                value: [
                    "id": 1, "name": "Ann", "age": 5, "friend": ["id": 2, "name": "Bob"],
                    "marks": [1, 2],
                ])
            realm.create(
                Person.self, value: ["id": 1, "age": nil, "friend": ["id": 2, "height": 2]],
                update: .modified)
        }
        let ann = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
        #expect(ann.name == "Ann" && ann.age == nil && Array(ann.marks) == [1, 2])
        #expect(ann.friend?.name == "Bob" && ann.friend?.height == 2)
        #expect(ann["name"] as? String == "Ann")
        try realm.write { ann["name"] = "Anna" }
        #expect(ann.name == "Anna")
        #expect(ann.description.contains("name = Anna;"))
    }

    @Test("A frozen realm shows its version forever, on every thread")
    func freezing() async throws {
        let folder = TemporaryFolder()
        let realm = try openRealm(folder)
        let ann = Person(value: ["id": 1, "name": "Ann"])
        try realm.write { realm.add(ann) }
        let frozen = ann.freeze()
        try realm.write { ann.name = "Anna" }
        #expect(frozen.isFrozen && frozen.name == "Ann" && ann.name == "Anna")
        #expect(frozen.thaw()?.name == "Anna")
        let all = realm.objects(Person.self).freeze()
        try realm.write { realm.delete(ann) }
        #expect(all.count == 1 && all[0].name == "Anna")
        #expect(frozen.thaw() == nil)
    }

    @Test("Changing a realm outside of a transaction stops the program")
    func writeOutside() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let folder = TemporaryFolder()
            let url = URL(fileURLWithPath: folder("a.firn"))
            let realm = try Realm(
                configuration: Realm.Configuration(fileURL: url, objectTypes: [Person.self]))
            let ann = Person()
            try realm.write { realm.add(ann) }
            ann.name = "Ann"
        }.says("cannot set Person.name outside of a write transaction: do it in")
    }
}
