import Firn
import FirnTesting
import Foundation
import Testing

@Suite("Shorthands of realms")
struct RealmShorthandTests {
    @Test("Opening a file URL uses the rest of the default configuration")
    func fileURL() throws {
        let test = TestRealm([Person.self])
        let url = URL(fileURLWithPath: test.folder("other.firn"))
        let realm = try Realm(fileURL: url)
        #expect(realm.configuration.fileURL == url)
        #expect(realm.objects(Person.self).isEmpty)
        #expect(FileManager.default.fileExists(atPath: url.path))
    }

    @Test("Objects and collections can be frozen and thawed through the realm")
    func freezing() throws {
        let realm = try citizenRealm { $0.add(Citizen("Ann")) }
        let ann = realm.objects(Citizen.self)[0]
        let frozen = realm.freeze(ann)
        let all = realm.freeze(realm.objects(Citizen.self))
        try realm.write { ann.firstName = "Anne" }
        #expect(frozen.isFrozen && frozen.firstName == "Ann")
        #expect(all.isFrozen && all[0].firstName == "Ann")
        #expect(realm.thaw(frozen)?.firstName == "Anne")
        try realm.write { realm.delete(ann) }
        #expect(realm.thaw(frozen) == nil)
        #expect(all.count == 1)
    }

    @Test("A copy is written to the file of another configuration")
    func copy() throws {
        let test = TestRealm([Note.self])
        let realm = try test.open()
        try realm.write { realm.add(Note(value: ["text": "a"])) }
        var other = test.configuration
        other.fileURL = URL(fileURLWithPath: test.folder("copy.firn"))
        try realm.writeCopy(configuration: other)
        #expect(try Realm(configuration: other).objects(Note.self).map(\.text) == ["a"])
        let error = #expect(throws: Realm.Error.self) { try realm.writeCopy(configuration: other) }
        #expect(error?.code == .fileExists)
        #expect(throws: Realm.Error.self) {
            other.encryptionKey = Data(count: 64)
            try realm.writeCopy(configuration: other)
        }
    }

    @Test("The error of a failed block has the same name as in Realm")
    func callFailed() { #expect(Realm.Error.callFailed == .fail) }
}
