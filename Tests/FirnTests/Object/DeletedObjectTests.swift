// Setting a property of an object that another thread had deleted stopped the program with "cannot
// set name: object 1 does not exist", and reading the same property with "this Person has been
// deleted". Realm reports "Object has been deleted or invalidated." for both.

import Firn
import Foundation
import Testing

@Suite("Objects deleted by another thread")
struct DeletedObjectTests {
    /// A person that another thread deleted before the write transaction of this one.
    private static func person() throws -> (Realm, Person) {
        let realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString, objectTypes: [Person.self]))
        let ann = Person(value: ["id": 1])
        try realm.write { realm.add(ann) }
        try elsewhere(realm) { realm in
            try realm.write { realm.delete(realm.objects(Person.self)) }
        }
        return (realm, ann)
    }

    @Test(
        "Reading or setting a property of a deleted object stops the program with the same message")
    func message() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, ann) = try Self.person()
            try realm.write { ann.name = "Anne" }
        }.says("this Person has been deleted, or its realm was invalidated: ask isInvalidated")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, ann) = try Self.person()
            try realm.write { ann.id = 1 }
        }.says("this Person has been deleted, or its realm was invalidated: ask isInvalidated")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, ann) = try Self.person()
            try realm.write { ann.friend = Person(value: ["id": 2]) }
        }.says("this Person has been deleted, or its realm was invalidated: ask isInvalidated")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, ann) = try Self.person()
            try realm.write { ann["name"] = "Anne" }
        }.says("this Person has been deleted, or its realm was invalidated: ask isInvalidated")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (realm, ann) = try Self.person()
            try realm.write { _ = ann.name }
        }.says("this Person has been deleted, or its realm was invalidated: ask isInvalidated")
    }
}
