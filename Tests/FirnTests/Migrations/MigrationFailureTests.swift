import Firn
import FirnTesting
import Foundation
import Testing

/// Every test checks that the file has the same bytes as before.
@Suite("Migrations that fail")
struct MigrationFailureTests {
    private struct Refusal: Error, Equatable { let reason: String }

    private func failing(
        _ types: [ObjectBase.Type], _ version: UInt64 = 2, _ block: MigrationBlock? = nil
    ) throws -> String {
        let file = MigratedFile()
        try file.writeFirst()
        let before = try file.bytes()
        let error = #expect(throws: Realm.Error.self) {
            try file.open(types, version, block)
        }
        #expect(try file.bytes() == before)
        #expect(file.test.folder.names == ["test.firn"])
        #expect(error?.code == .schemaMismatch)
        let realm = try file.open(Contacts1.types, 1)
        #expect(realm.objects(Contacts1.Contact.self).map(\.age) == [41, 0])
        return error?.message ?? ""
    }

    @Test("Without a higher version, the error lists all differences")
    func allReasons() throws {
        let message = try failing(Contacts2.types, 1)
        let reasons = [
            "- Property 'Contact.age' has been changed from 'Int' to 'String'.",
            "- Property 'Contact.nickname' has been made required.",
            "- Property 'Contact.ratings' has been made required.",
            "- Property 'Contact.name' has been added.",
            "- Property 'Contact.first' has been removed.",
            "- Primary key for class 'Contact' has changed from 'id' to 'name'.",
        ]
        for reason in reasons { #expect(message.contains(reason), "\(message)") }
        #expect(message.contains("schemaVersion") && message.contains("migrationBlock"))
        let kinds = try failing(Contacts3.types, 1)
        #expect(
            kinds.contains("- Class 'Place' has been changed from top-level to embedded."))
        #expect(kinds.contains("- Class 'Room' has been changed from top-level to embedded."))
    }

    @Test("An error of the block is thrown by opening the realm", .tags(.difference))
    func throwing() throws {
        let file = MigratedFile()
        try file.writeFirst()
        let before = try file.bytes()
        #expect(throws: Refusal(reason: "not today")) {
            try file.open(Contacts2.types, 2) { migration, _ in
                try migration.enumerateObjects(ofType: "Contact") { _, new in
                    new?["name"] = "x"
                    throw Refusal(reason: "not today")
                }
            }
        }
        #expect(try file.bytes() == before)
        #expect(file.test.folder.names == ["test.firn"])
        #expect(
            try file.open(Contacts1.types, 1).objects(Contacts1.Contact.self).first?.first == "Ann")
    }

    @Test("Values of a class that the block forgets are never lost silently")
    func forgotten() throws {
        let message = try failing(Contacts2.types, 2) { _, _ in }
        #expect(
            message.contains(
                "- Property 'Contact.age' has been changed from 'Int' to 'String', and the "
                    + "migration does not enumerate the objects of 'Contact'."))
        // Without a name, both contacts have the same key.
        #expect(message.contains("- Primary key property 'Contact.name' has duplicate values"))
    }

    @Test("Duplicate keys in two classes are two reasons in one error")
    func equalKeys() throws {
        let message = try failing([Keyed.Contact.self, Keyed.Place.self], 2) { migration, _ in
            migration.enumerateObjects(ofType: "Contact") { _, new in new?["id"] = 7 }
            migration.create("Place", value: ["city": "Bern"])
        }
        #expect(message.contains("- Primary key property 'Contact.id' has duplicate values"))
        #expect(message.contains("- Primary key property 'Place.city' has duplicate values"))
    }

    @Test("An invalid rename is a reason in the error")
    func renames() throws {
        let message = try failing(Contacts2.types, 2) { migration, _ in
            migration.enumerateObjects(ofType: "Contact") { old, new in
                new?["name"] = old?["first"]
            }
            migration.renameProperty(onType: "Nothing", from: "a", to: "b")
            migration.renameProperty(onType: "Place", from: "city", to: "town")
            migration.renameProperty(onType: "Contact", from: "forename", to: "name")
            migration.renameProperty(onType: "Contact", from: "id", to: "name")
            migration.renameProperty(onType: "Contact", from: "first", to: "forename")
            migration.renameProperty(onType: "Contact", from: "home", to: "name")
        }
        let reasons = [
            "- Properties of class 'Nothing' cannot be renamed, because it does not exist.",
            "- Properties of class 'Place' cannot be renamed, because the model lacks it.",
            "- Property 'Contact.forename' cannot be renamed, because it does not exist.",
            "- Property 'Contact.id' cannot be renamed to 'name', because the model still has it.",
            "- Property 'Contact.first' cannot be renamed to 'forename', which the model lacks.",
            "- Property 'Contact.home' cannot be renamed to 'name', because it would change from "
                + "'Place?' to 'String'.",
        ]
        for reason in reasons { #expect(message.contains(reason), "\(message)") }
    }

    @Test("A class to which another class links cannot be removed")
    func linkedClass() throws {
        let message = try failing([Keyed.Contact.self], 2) { migration, _ in
            #expect(migration.deleteData(forType: "Room"))
        }
        #expect(
            message.contains(
                "- Class 'Room' cannot be removed, because 'Place.rooms' links to it."))
    }

    @Test("A number that does not fit a narrower integer is a reason in the error")
    func narrowing() throws {
        let message = try failing([Narrow.Contact.self], 2) { _, _ in
            Issue.record("called in vain")
        }
        #expect(
            message.contains(
                "- Property 'Contact.score' has been changed from 'Int?' to 'Int8?', which cannot "
                    + "hold 700."), "\(message)")
    }

    @Test("The migrating file cannot be opened in its own block, but other files can")
    func openingInside() throws {
        let file = MigratedFile()
        let other = MigratedFile()
        try file.writeFirst()
        let configuration = file.configuration(Contacts1.types, 2)
        let link = file.test.folder("link.firn")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: file.test.folder("test.firn"))
        _ = try file.open(Contacts1.types, 2) { _, _ in
            for path in [file.test.folder("test.firn"), link] {
                var again = configuration
                again.fileURL = URL(fileURLWithPath: path)
                let error = #expect(throws: Realm.Error.self) {
                    try Realm(configuration: again)
                }
                #expect(error?.code == .alreadyOpen)
                #expect(error?.message.contains("block of its migration") == true)
            }
            try other.writeFirst()
        }
    }

    @Test("An open realm cannot be migrated")
    func openRealm() throws {
        let file = MigratedFile()
        try file.writeFirst()
        let realm = try file.open(Contacts1.types, 1)
        let configuration = file.configuration(Contacts1.types, 2)
        for _ in 0..<2 {
            let error = #expect(throws: Realm.Error.self) {
                try Realm.performMigration(for: configuration)
            }
            #expect(error?.code == .alreadyOpen)
        }
        #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
        #expect(realm.objects(Contacts1.Contact.self).count == 2)
    }

    @Test("A file of a newer version is refused, and its block is not called")
    func newerFile() throws {
        let file = MigratedFile()
        do { _ = try file.open(Contacts1.types, 7) }
        let error = #expect(throws: Realm.Error.self) {
            try file.open(Contacts1.types, 6) { _, _ in Issue.record("called") }
        }
        #expect(error?.code == .schemaMismatch)
        #expect(error?.message.contains("6 is less than the last one, 7") == true)
    }

    @Test("A migration without an open realm leaves the file at the new version")
    func performing() throws {
        let file = MigratedFile()
        try file.writeFirst()
        let configuration = file.configuration(Contacts2.types, 2) { migration, _ in
            migration.enumerateObjects(ofType: "Contact") { old, new in
                new?["name"] = old?["first"]
            }
        }
        try Realm.performMigration(for: configuration)
        #expect(try schemaVersionAtURL(#require(configuration.fileURL)) == 2)
        #expect(file.test.folder.names == ["test.firn"])
        let realm = try file.open(Contacts2.types, 2)
        #expect(Set(realm.objects(Contacts2.Contact.self).map(\.name)) == ["Ann", "Bob"])
    }

    @Test("A file is deleted instead of a migration if the configuration says so")
    func deletion() throws {
        let file = MigratedFile()
        try file.writeFirst()
        var configuration = file.configuration(Contacts2.types, 2) { _, _ in
            Issue.record("called")
        }
        configuration.deleteRealmIfMigrationNeeded = true
        do { #expect(try Realm(configuration: configuration).isEmpty) }
        configuration.schemaVersion = 1
        do {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.create(Contacts2.Contact.self, value: ["name": "x"]) }
        }
        #expect(try Realm(configuration: configuration).objects(Contacts2.Contact.self).count == 1)
    }

    @Test("Using a migration after its block stops the program")
    func useAfterwards() async throws {
        await #expect(processExitsWith: .failure) {
            let file = MigratedFile()
            try file.writeFirst()
            nonisolated(unsafe) var kept: Migration?
            _ = try file.open(Contacts1.types, 2) { migration, _ in kept = migration }
            kept?.enumerateObjects(ofType: "Contact") { _, _ in }
        }
        await #expect(processExitsWith: .failure) {
            let file = MigratedFile()
            try file.writeFirst()
            nonisolated(unsafe) var kept: MigrationObject?
            _ = try file.open(Contacts1.types, 2) { migration, _ in
                migration.enumerateObjects(ofType: "Contact") { _, new in kept = new }
            }
            print(kept?["id"] ?? "")
        }
        await #expect(processExitsWith: .failure) {
            let file = MigratedFile()
            try file.writeFirst()
            _ = try file.open(Contacts1.types, 2) { migration, _ in
                migration.enumerateObjects(ofType: "Contact") { old, _ in old?["first"] = "x" }
            }
        }
        await #expect(processExitsWith: .failure) {
            let file = MigratedFile()
            try file.writeFirst()
            _ = try file.open(Contacts1.types, 2) { migration, _ in
                try migration.create("Place").realm?.commitWrite()
            }
        }
    }
}

private enum Keyed {
    class Contact: MigratedObject {
        @Persisted(primaryKey: true) var id = 0
    }

    class Place: MigratedObject {
        @Persisted(primaryKey: true) var city = ""
    }
}

private enum Narrow {
    class Contact: MigratedObject {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var age: Int8 = 0
        @Persisted var score: Int8?
    }
}
