import Firn
import Foundation
import Testing

/// A private realm in memory with Ann.
private func people() throws -> Realm {
    let realm = try Realm(
        configuration: Realm.Configuration(
            inMemoryIdentifier: UUID().uuidString, objectTypes: [Person.self, Plain.self]))
    try realm.write { _ = realm.create(Person.self, value: ["id": 1, "name": "Ann"]) }
    return realm
}

/// Has no primary key.
private class Plain: Object {
    @Persisted var text = ""
}

@Suite("Misuse of realms")
struct RealmMisuseTests {
    @Test("Changes outside of a write transaction stop the program")
    func outside() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try people().add(Plain())
        }.says("add a Plain", "outside of a write transaction", "realm.write { }")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try people().create(Plain.self)
        }.says("outside of a write transaction", "realm.write { }")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try people()
            realm.delete(realm.objects(Person.self)[0])
        }.says("delete a Person", "outside of a write transaction", "realm.write { }")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try people()
            realm.delete(realm.objects(Person.self))
        }.says("outside of a write transaction", "realm.write { }")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try people().deleteAll()
        }.says("outside of a write transaction", "realm.write { }")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try people().commitWrite()
        }.says("no write transaction to commit", "beginWrite()")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try people().cancelWrite()
        }.says("no write transaction to cancel", "beginWrite()")
    }

    @Test("A nested write transaction, and calls impossible inside one, stop the program")
    func nested() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try people()
            try realm.write { try realm.write {} }
        }.says("transactions do not nest", "isInWriteTransaction")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try people()
            realm.beginWrite()
            realm.beginWrite()
        }.says("transactions do not nest", "isInWriteTransaction")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try people()
            try realm.write { _ = realm.refresh() }
        }.says("refresh() in a write transaction", "leave it out")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try people()
            try realm.write { _ = realm.freeze() }
        }.says("freeze() in a write transaction", "freeze after it")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try people()
            try realm.write { _ = realm.create(Person.self, value: ["id": 2]).freeze() }
        }.says("freeze() in a write transaction")
    }

    @Test("Adding an existing key, or updating without a key, stops the program")
    func keys() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try people()
            try realm.write { realm.add(Person(value: ["id": 1])) }
        }.says("has an object with id 1 already", "update: .modified")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try people()
            try realm.write { _ = realm.create(Person.self, value: ["id": 1]) }
        }.says("has an object with id 1 already", "update: .modified")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try people()
            try realm.write { realm.add(Plain(), update: .modified) }
        }.says("Plain has no primary key", "@Persisted(primaryKey: true)")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try people()
            try realm.write { _ = realm.create(Plain.self, update: .all) }
        }.says("Plain has no primary key", "@Persisted(primaryKey: true)")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try people().object(ofType: Plain.self, forPrimaryKey: 1)
        }.says("Plain has no primary key", "filter()")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try people().object(ofType: Person.self, forPrimaryKey: "one")
        }.says("String", "is not the type of the primary key id of Person")
    }

    @Test("Foreign and deleted objects, and unknown classes, stop the program")
    func strangers() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (here, there) = (try people(), try people())
            try here.write { here.add(there.objects(Person.self)[0]) }
        }.says("in another realm", "create(_:value:)")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (here, there) = (try people(), try people())
            try here.write { here.delete(there.objects(Person.self)[0]) }
        }.says("only objects of this realm can be deleted")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try people()
            try realm.write { realm.delete(Person()) }
        }.says("only objects of this realm can be deleted")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try people()
            let ann = realm.objects(Person.self)[0]
            try realm.write {
                realm.delete(ann)
                realm.delete(ann)
            }
        }.says("the Person was deleted already", "isInvalidated")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try people().objects(Citizen.self)
        }.says("has no class Citizen", "objectTypes")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(HomeProjection.self)
        }.says("Home is embedded")
    }

    @Test("Changing a frozen or read-only realm stops the program")
    func immutable() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try people().freeze().write {}
        }.says("a frozen realm cannot be written to", "thaw()")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try people().freeze().invalidate()
        }.says("a frozen realm cannot be invalidated")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm([Note.self])
            _ = try test.open()
            var configuration = test.configuration
            configuration.readOnly = true
            try Realm(configuration: configuration).write {}
        }.says("was opened for reading only", "readOnly")
    }

    @Test("Contradictory configurations stop the program")
    func configurations() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try Realm(
                configuration: Realm.Configuration(
                    readOnly: true, deleteRealmIfMigrationNeeded: true))
        }.says("readOnly and deleteRealmIfMigrationNeeded")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try Realm(
                configuration: Realm.Configuration(
                    readOnly: true, shouldCompactOnLaunch: { _, _ in true }))
        }.says("readOnly and have shouldCompactOnLaunch")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: ""))
        }.says("identifier of a realm in memory must not be empty")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try Realm(configuration: Realm.Configuration(fileURL: nil))
        }.says("needs a fileURL with a path, or an inMemoryIdentifier")
    }

    /// No property can throw.
    @Test("A file that can no longer be read stops the program")
    func damaged() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm()
            do {
                let realm = try test.open()
                try realm.write {
                    for id in 0..<100 { realm.create(Person.self, value: ["id": id]) }
                }
            }
            let realm = try test.open()
            let url = try #require(test.configuration.fileURL)
            let size = try Data(contentsOf: url).count
            let file = try FileHandle(forWritingTo: url)
            try file.write(contentsOf: Data(repeating: 7, count: size))
            _ = realm.objects(Person.self).map(\.name)
        }.says("reading ", " failed: ")
    }
}
