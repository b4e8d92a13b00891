import Firn
import FirnPlatform
import FirnTesting
import Foundation
import Testing

@Suite("Migrations")
struct MigrationTests {
    @Test("A block receives objects and classes in their old and new form")
    func enumeration() throws {
        let file = MigratedFile()
        try file.writeFirst()
        let realm = try file.open(Contacts2.types, 2) { migration, oldVersion in
            #expect(oldVersion == 1)
            #expect(migration.oldSchema["Contact"]?["first"]?.type == .string)
            #expect(migration.oldSchema["Contact"]?["age"]?.type == .int)
            #expect(migration.newSchema["Contact"]?["age"]?.type == .string)
            #expect(migration.newSchema["Contact"]?["first"] == nil)
            #expect(migration.newSchema["Place"] == nil)
            migration.enumerateObjects(ofType: "Contact") { old, new in
                let first = old?["first"] as? String ?? ""
                let last = old?["last"] as? String ?? ""
                new?["name"] = "\(first) \(last)"
                let age = old?["age"] as? Int ?? 0
                new?["age"] = "\(age) years"
                #expect(new?["name"] as? String == "\(first) \(last)")
            }
        }
        let contacts = realm.objects(Contacts2.Contact.self).sorted(byKeyPath: "name")
        #expect(contacts.map(\.name) == ["Ann Ash", "Bob Birch"])
        #expect(contacts.map(\.age) == ["41 years", "0 years"])
        #expect(contacts.map(\.id) == [1, 2])
        #expect(contacts.map(\.isFriend) == [true, true])
        #expect(
            realm.object(ofType: Contacts2.Contact.self, forPrimaryKey: "Bob Birch")?.id == 2)
        #expect(try schemaVersionAtURL(#require(file.configuration.fileURL)) == 2)
    }

    @Test("The objects that a block reaches over links are also dynamic")
    func links() throws {
        let file = MigratedFile()
        try file.writeFirst()
        let cities = Guarded<[String]>([])
        _ = try file.open(Contacts3.types, 2) { migration, _ in
            migration.enumerateObjects(ofType: "Contact") { old, new in
                for object in [old, new] {
                    guard let home = object?["home"] as? MigrationObject else { continue }
                    cities.withLock { $0.append(home["city"] as? String ?? "") }
                }
            }
        }
        #expect(cities.withLock { $0 } == ["Bern", "Bern"])
    }

    @Test("Values that become required keep their values, and nil becomes the initial value")
    func optionality() throws {
        let file = MigratedFile()
        try file.writeFirst()
        let realm = try file.open(Contacts2.types, 2) { migration, _ in
            migration.enumerateObjects(ofType: "Contact") { old, new in
                new?["name"] = old?["first"]
            }
        }
        let contacts = realm.objects(Contacts2.Contact.self).sorted(byKeyPath: "name")
        #expect(contacts.map(\.nickname) == ["A", "none"])
        #expect(contacts.map(\.score) == [700, nil])
        #expect(contacts.map { Array($0.ratings) } == [[1, 0, 3], []])
    }

    @Test("Properties missing from the model are removed, and other classes are kept")
    func removal() throws {
        let file = MigratedFile()
        try file.writeFirst()
        let realm = try file.open(Contacts2.types, 2) { migration, _ in
            migration.enumerateObjects(ofType: "Contact") { old, new in
                new?["name"] = old?["first"]
            }
        }
        let contact = try #require(realm.schema["Contact"])
        #expect(contact["first"] == nil && contact["home"] == nil)
        #expect(realm.schema["Place"] != nil)
        #expect(realm.dynamicObjects("Place").map { $0["city"] as? String } == ["Bern"])
    }

    @Test("A renamed property keeps its values, whether it becomes optional or not")
    func renaming() throws {
        let file = MigratedFile()
        try file.writeFirst()
        let realm = try file.open([Renamed.Contact.self], 2) { migration, _ in
            migration.renameProperty(onType: "Contact", from: "first", to: "givenName")
            migration.renameProperty(onType: "Contact", from: "last", to: "familyName")
            migration.renameProperty(onType: "Contact", from: "ratings", to: "grades")
            migration.enumerateObjects(ofType: "Contact") { old, new in
                #expect(new?["givenName"] as? String == old?["first"] as? String)
                new?["familyName"] = (new?["familyName"] as? String)?.uppercased()
            }
        }
        let contacts = realm.objects(Renamed.Contact.self)
        #expect(contacts.map(\.givenName) == ["Ann", "Bob"])
        #expect(contacts.map(\.familyName) == ["ASH", "BIRCH"])
        #expect(contacts.map { Array($0.grades) } == [[1, nil, 3], []])
        #expect(realm.schema["Contact"]?["first"] == nil)
    }

    @Test("A migration creates and deletes objects")
    func creation() throws {
        let file = MigratedFile()
        try file.writeFirst()
        let realm = try file.open([Renamed.Contact.self, Renamed.Note.self], 2) { migration, _ in
            var visited = 0
            migration.enumerateObjects(ofType: "Contact") { old, new in
                visited += 1
                let note = migration.create(
                    "Note", value: ["text": old?["first"] ?? "", "about": new as Any])
                #expect(note["stars"] as? Int == 5)
                if old?["id"] as? Int == 2, let new { migration.delete(new) }
                migration.create("Contact", value: ["id": 10 + visited])
            }
            #expect(visited == 2)
            var texts: [String] = []
            migration.enumerateObjects(ofType: "Note") { old, new in
                #expect(old == nil)
                texts.append(new?["text"] as? String ?? "")
            }
            #expect(texts == ["Ann", "Bob"])
            migration.enumerateObjects(ofType: "Contact") { old, new in
                #expect(old?["id"] as? Int == 1 && new?["id"] as? Int == 1)
            }
        }
        #expect(realm.objects(Renamed.Contact.self).map(\.id) == [1, 11, 12])
        #expect(realm.objects(Renamed.Contact.self).map(\.givenName) == ["?", "?", "?"])
        let notes = realm.objects(Renamed.Note.self)
        #expect(notes.map(\.about?.id) == [1, nil] && notes.map(\.stars) == [5, 5])
    }

    @Test("The data of a class can be deleted, and the class with it if the model lacks it")
    func deletingData() throws {
        let file = MigratedFile()
        try file.writeFirst()
        let realm = try file.open([Renamed.Contact.self], 2) { migration, _ in
            #expect(migration.deleteData(forType: "Contact"))
            #expect(migration.deleteData(forType: "Room"))
            #expect(migration.deleteData(forType: "Place"))
            #expect(!migration.deleteData(forType: "Nothing"))
            migration.enumerateObjects(ofType: "Contact") { _, _ in Issue.record("not deleted") }
            var cities: [String] = []
            migration.enumerateObjects(ofType: "Place") { old, new in
                #expect(new == nil)
                cities.append(old?["city"] as? String ?? "")
            }
            #expect(cities == ["Bern"])
        }
        #expect(realm.isEmpty)
        #expect(realm.schema.objectSchema.map(\.className) == ["Contact"])
    }

    @Test("All keys may change in a migration, even to former keys of other objects")
    func keys() throws {
        let file = MigratedFile()
        do {
            let realm = try file.open(Contacts1.types, 1)
            try realm.write {
                for id in 0..<200 { realm.create(Contacts1.Contact.self, value: ["id": id]) }
            }
        }
        let realm = try file.open([Renamed.Contact.self], 2) { migration, _ in
            migration.enumerateObjects(ofType: "Contact") { old, new in
                new?["id"] = (old?["id"] as? Int ?? 0) + 1
            }
        }
        #expect(realm.objects(Renamed.Contact.self).map(\.id) == Array(1...200))
        #expect(realm.object(ofType: Renamed.Contact.self, forPrimaryKey: 200) != nil)
        #expect(realm.object(ofType: Renamed.Contact.self, forPrimaryKey: 0) == nil)
    }

    @Test("A block is called only for a file that has classes and a lower version")
    func calls() throws {
        let file = MigratedFile()
        do { _ = try file.open(Contacts1.types, 3) { _, _ in Issue.record("a new file") } }
        do { _ = try file.open(Contacts1.types, 3) { _, _ in Issue.record("the same version") } }
        do {
            let realm = try file.open(Contacts1.types, 4) { _, old in #expect(old == 3) }
            #expect(realm.configuration.schemaVersion == 4)
        }
        do { _ = try file.open(Contacts1.types, 4) { _, _ in Issue.record("a second time") } }
        #expect(throws: Realm.Error.self) { try file.open(Contacts1.types, 3) }
    }

    @Test("A higher version without a block is enough for additions and removals")
    func automatic() throws {
        let file = MigratedFile()
        try file.writeFirst()
        let realm = try file.open([Renamed.Contact.self], 2)
        #expect(realm.objects(Renamed.Contact.self).map(\.givenName) == ["?", "?"])
        #expect(realm.schema["Contact"]?["first"] == nil)
    }

    @Test("A file without a version, as `firn create` makes it, migrates from version 0")
    func withoutVersion() throws {
        let file = MigratedFile()
        do {
            let realm = try file.open(Contacts1.types, 0)
            try realm.write { realm.create(Contacts1.Contact.self, value: ["first": "Ann"]) }
        }
        let realm = try file.open([Renamed.Contact.self], 1) { migration, old in
            #expect(old == 0)
            migration.renameProperty(onType: "Contact", from: "first", to: "givenName")
        }
        #expect(realm.objects(Renamed.Contact.self).map(\.givenName) == ["Ann"])
    }

    @Test("The progress of a migration is reported for each class")
    func progress() throws {
        let file = MigratedFile()
        do {
            let realm = try file.open(Contacts1.types, 1)
            try realm.write {
                for id in 0..<10_000 { realm.create(Contacts1.Contact.self, value: ["id": id]) }
            }
        }
        let reports = Reports()
        var configuration = file.configuration([Renamed.Contact.self], 2) { migration, _ in
            migration.enumerateObjects(ofType: "Contact") { _, _ in }
        }
        configuration.migrationProgress = { reports.add($0) }
        _ = try Realm(configuration: configuration)
        let all = reports.all
        #expect(all.allSatisfy { $0.className == "Contact" && $0.totalObjectCount == 10_000 })
        #expect(all.map(\.completedObjectCount) == [4_096, 8_192, 10_000])
    }
}

/// The reports of a progress, which another thread could add.
private final class Reports: @unchecked Sendable {
    private let lock = NSLock()
    private var reports: [MigrationProgress] = []

    func add(_ report: MigrationProgress) { lock.withLock { reports.append(report) } }

    var all: [MigrationProgress] { lock.withLock { reports } }
}

/// Renamed properties.
private enum Renamed {
    class Contact: MigratedObject {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var givenName = "?"
        @Persisted var familyName: String?
        @Persisted var grades: List<Int?>
    }

    class Note: MigratedObject {
        @Persisted var text = ""
        @Persisted var stars = 5
        @Persisted var about: Contact?
    }
}
