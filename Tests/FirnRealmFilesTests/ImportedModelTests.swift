import Firn
import FirnRealmFiles
import FirnTesting
import Foundation
import Testing

/// Programs that open what they imported.
@Suite("Models of imported Realm files")
struct ImportedModelTests {
    private func imported() throws -> (ImportFolder, Realm, RealmFileImport) {
        let test = ImportFolder(People.types, schemaVersion: 3)
        try test.put("people")
        let result = try Realm.importRealmFile(at: test.old, to: test.configuration)
        return (test, try Realm(configuration: test.configuration), result)
    }

    @Test("A model opens the imported file without a migration")
    func model() throws {
        let (test, realm, result) = try imported()
        #expect(result.objectCount == 16_953)
        #expect(result.schemaVersion == 3)
        #expect(result.messages.isEmpty && result.renamings.isEmpty && result.differences.isEmpty)
        #expect(result.fileURL == test.configuration.fileURL)
        #expect(result.description == "imported 16953 objects to \(result.fileURL.path)")
        #expect(test.folder.names.contains("new.firn"))
        #expect(realm.objects(People.Person.self).count == 7_971)
        let first = try #require(realm.objects(People.Person.self).first)
        #expect(first.id == (try ObjectId(string: "650000000000000000000000")))
        #expect(first.first == "Gustav" && first.last == "Hansen" && first.age == 4)
        #expect(first.city == "New city 0" && first.height == nil && first.active)
        #expect(first.born == Date(timeIntervalSince1970: -428_781_380))
        #expect(Set(first.tags) == ["Helle", "tag"])
        #expect(first.attrs["n"] == .int(0) && first.attrs["s"] == .string("Hansen"))
        #expect(first.attrs.count == 3)
        #expect(first.dogs.map(\.name) == ["Carldog"])
        #expect(first.dogs.first?.owners.first?.first == "Gustav")
        #expect(first.address?.street == "Street 450" && first.address?.zip == nil)
        #expect(first.address?.residents.first?.id == first.id)
        let second = realm.objects(People.Person.self)[1]
        #expect(second.employer?.name == "Company 7")
        #expect(second.employer?.revenue?.description == "86415.50")
        #expect(
            realm.object(ofType: People.Dog.self, forPrimaryKey: "tag-140796")?.name == "Carldog")
    }

    @Test("Large collections, links to later objects and queries over them work")
    func collections() throws {
        let (test, realm, _) = try imported()
        defer { withExtendedLifetime(test) {} }
        let clubs = realm.objects(People.Club.self)
        #expect(clubs.map(\.members.count) == [3_885, 858, 2])
        #expect(clubs.map(\.scores.count) == [4_300, 1_001, 3])
        let friends = realm.objects(People.Person.self).where { $0.friend != nil }
        #expect(friends.count == 2_138)
        let housed = realm.objects(People.Person.self).where { $0.address.city == "København" }
        #expect(housed.count > 0)
        // Classes that the program does not declare are kept.
        #expect(realm.dynamicObjects("Sparse").count == 2_880)
    }

    @Test("Deleting an imported object deletes its embedded objects")
    func deletion() throws {
        let (test, realm, _) = try imported()
        defer { withExtendedLifetime(test) {} }
        let owner = try #require(realm.objects(People.Person.self).first { $0.address != nil })
        let address = try #require(owner.address)
        try realm.write { realm.delete(owner) }
        #expect(address.isInvalidated)
        let housed = realm.objects(People.Person.self).where { $0.address != nil }
        #expect(housed.count == 796)
        #expect(realm.objects(People.Person.self).count == 7_970)
    }

    @Test("An encrypted file is imported with its key")
    func encrypted() throws {
        let test = ImportFolder()
        try test.put("encrypted-streaming")
        try Realm.importRealmFile(
            at: test.old, encryptionKey: Data(RealmSample.key), to: test.configuration)
        let realm = try Realm(configuration: test.configuration)
        #expect(realm.objects(Thing.self).count == 300)
        #expect(
            realm.object(ofType: Thing.self, forPrimaryKey: 299)?.v.hasPrefix("value 299") == true)
    }

    @Test("A higher schema version runs the migration block on the imported objects")
    func migration() throws {
        var test = ImportFolder(schemaVersion: 9)
        try test.put("streaming")
        try Realm.importRealmFile(at: test.old, to: test.configuration)
        test.configuration.migrationBlock = { migration, old in
            #expect(old == 0)
            migration.enumerateObjects(ofType: "Thing") { _, new in new?["v"] = "migrated" }
        }
        let realm = try Realm(configuration: test.configuration)
        #expect(Set(realm.objects(Thing.self).map(\.v)) == ["migrated"])
    }

    @Test("A program with a lower schema version than the Realm file cannot open the database")
    func lowerVersion() throws {
        let test = ImportFolder(People.types, schemaVersion: 2)
        try test.put("people")
        try Realm.importRealmFile(at: test.old, to: test.configuration)
        #expect { try Realm(configuration: test.configuration) } throws: {
            Realm.Error.schemaMismatch ~= $0
        }
        #expect(try schemaVersionAtURL(URL(fileURLWithPath: test.folder("new.firn"))) == 3)
    }

    @Test("The result names and counts everything that has no exact counterpart")
    func differences() throws {
        let test = ImportFolder([])
        try test.put("types")
        let result = try Realm.importRealmFile(at: test.old, to: test.configuration)
        #expect(result.replacedTextCount == 2)
        #expect(result.unresolvedLinkCount > 0)
        #expect(result.schemaVersion == 7)
        #expect(result.differences.contains { $0.name == "Asym" })
        #expect(result.differences.contains { $0.name == "Emb" })
        #expect(result.changedKeyCount == 0 && result.unownedObjectCount == 0)
        #expect(result.changedDateCount > 0)
        #expect(result.messages.count == result.differences.count + 3)
        #expect(result.messages.contains { $0.contains("not UTF-8") })
    }

    @Test("A prefix is added to the names of classes")
    func prefix() throws {
        let test = ImportFolder([])
        try test.put("streaming")
        try Realm.importRealmFile(at: test.old, to: test.configuration, classPrefix: "Old")
        let realm = try Realm(configuration: test.configuration)
        #expect(realm.dynamicObjects("OldThing").count == 700)
    }

    @Test("The progress ends with the count of all objects")
    func progress() throws {
        let test = ImportFolder([])
        try test.put("people")
        var seen: [RealmFileImport.Progress] = []
        try Realm.importRealmFile(at: test.old, to: test.configuration) { seen.append($0) }
        #expect(seen.last?.completedObjectCount == 16_953)
        #expect(seen.allSatisfy { $0.totalObjectCount == 16_953 })
        #expect(
            zip(seen, seen.dropFirst()).allSatisfy {
                $0.completedObjectCount < $1.completedObjectCount
            })
        #expect(seen.contains { $0.className == "Person" })
    }
}
