import Firn
import Foundation
import Testing

@Suite("Linking objects")
struct LinkingObjectsTests {
    private let realm: Realm
    private let rex: Hound

    init() throws {
        let rex = Hound("Rex", age: 3)
        realm = try citizenRealm { realm in
            let ann = Citizen("Ann", age: 30)
            ann.hounds.append(rex)
            ann.hounds.append(rex)
            let bob = Citizen("Bob", age: 20)
            bob.hounds.append(rex)
            realm.add([ann, bob, Citizen("Cid")])
            realm.add(Hound("Fia"))
        }
        self.rex = rex
    }

    @Test("Linking objects contain a source once for each of its links")
    func sources() throws {
        #expect(rex.owners.map(\.firstName).sorted() == ["Ann", "Ann", "Bob"])
        let fia = try #require(realm.object(ofType: Hound.self, forPrimaryKey: "Fia"))
        #expect(fia.owners.isEmpty)
    }

    @Test("Linking objects follow the links, even in a transaction")
    func live() throws {
        let owners = rex.owners
        try realm.write {
            let cid = try #require(realm.objects(Citizen.self).last)
            cid.hounds.append(rex)
            #expect(owners.count == 4)
            realm.delete(realm.objects(Citizen.self)[0])
            #expect(owners.map(\.firstName).sorted() == ["Bob", "Cid"])
        }
        #expect(owners.count == 2)
    }

    @Test("Linking objects can be searched, sorted and summed")
    func querying() {
        #expect(rex.owners.filter("age < 25").map(\.firstName) == ["Bob"])
        #expect(rex.owners.where { $0.age < 25 }.map(\.firstName) == ["Bob"])
        #expect(rex.owners.sorted(by: \.age).first?.firstName == "Bob")
        #expect(rex.owners.distinct(by: [\Citizen.firstName]).count == 2)
        #expect(rex.owners.max(of: \.age) == 30)
        #expect(rex.owners == rex.owners)
    }

    @Test("Linking objects of an unmanaged object are empty")
    func unmanaged() { #expect(Hound("Neu").owners.isEmpty) }

    @Test("Linking objects are invalidated with their object")
    func deletion() throws {
        let owners = rex.owners
        let found = owners.filter("age > 3")
        #expect(!owners.isInvalidated)
        try realm.write { realm.delete(rex) }
        #expect(owners.isInvalidated)
        #expect(found.isInvalidated)
        #expect(found.isEmpty)
    }

    @Test("Frozen linking objects do not change")
    func freezing() throws {
        let frozen = rex.owners.freeze()
        try realm.write { realm.delete(realm.objects(Citizen.self)[0]) }
        #expect(frozen.count == 3)
        #expect(frozen.thaw()?.count == 1)
    }

    @Test("Setting linking objects, or reading them from a deleted object, stops the program")
    func mistakes() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Hound("Rex")) }
            let rex = realm.objects(Hound.self)[0]
            try realm.write { rex.owners = Hound("Fia").owners }
        }.says("LinkingObjects cannot be set: change the property that it is")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Hound("Rex")) }
            let rex = realm.objects(Hound.self)[0]
            let owners = rex.owners
            try realm.write { realm.delete(rex) }
            _ = owners.count
        }.says("the Hound.owners is gone: its object was deleted, or the")
    }
}

@Suite("Type-erased collections")
struct AnyRealmCollectionTests {
    @Test("A type-erased collection equals the collection from which it was made")
    func managed() throws {
        let realm = try citizenRealm { realm in
            let ann = Citizen("Ann", age: 30)
            ann.friends.append(Citizen("Bob", age: 20))
            ann.marks.append(3)
            realm.add(ann)
        }
        let ann = realm.objects(Citizen.self).filter("firstName == 'Ann'")[0]
        let all = AnyRealmCollection(realm.objects(Citizen.self))
        #expect(all.count == 2)
        #expect(all.filter("age < 25").first?.firstName == "Bob")
        #expect(all.sorted(by: \.age)[0].firstName == "Bob")
        #expect(all.sum(of: \.age) == 50)
        let friends = AnyRealmCollection(ann.friends)
        try realm.write { ann.friends.append(ann) }
        #expect(friends.map(\.firstName) == ["Bob", "Ann"])
        #expect(friends == AnyRealmCollection(ann.friends))
        #expect(friends != all)
        #expect(friends.freeze().isFrozen)
        let data = try JSONEncoder().encode(AnyRealmCollection(ann.marks))
        #expect(String(decoding: data, as: UTF8.self) == "[3]")
    }

    @Test("A type-erased unmanaged list shows the current elements")
    func unmanaged() throws {
        let citizen = Citizen("Ann")
        let marks = AnyRealmCollection(citizen.marks)
        citizen.marks.append(1)
        #expect(Array(marks) == [1])
        #expect(marks.realm == nil)
        #expect(marks == AnyRealmCollection(citizen.marks))
        #expect(marks != AnyRealmCollection(Citizen("Bob").marks))
    }
}
