import Firn
import FirnEngine
import FirnTesting
import Foundation
import Testing

/// A class of the tests of migrations, which belongs to no realm by default.
class MigratedObject: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The first version of the models.
enum Contacts1 {
    class Contact: MigratedObject {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var first = ""
        @Persisted var last = ""
        @Persisted var age = 0
        @Persisted var nickname: String?
        @Persisted var score: Int?
        @Persisted var ratings: List<Int?>
        @Persisted var home: Place?
        @Persisted var places: List<Place>
    }

    class Place: MigratedObject {
        @Persisted var city = ""
        @Persisted var rooms: List<Room>
    }

    class Room: MigratedObject {
        @Persisted var name = ""
    }

    static let types: [ObjectBase.Type] = [Contact.self, Place.self, Room.self]
}

/// Other types, optional and required properties, another key, and a property that is gone.
enum Contacts2 {
    class Contact: MigratedObject {
        @Persisted var id = 0
        @Persisted(primaryKey: true) var name = ""
        @Persisted var age = "unknown"
        @Persisted var nickname = "none"
        @Persisted var score: Int?
        @Persisted var ratings: List<Int>
        @Persisted var tags: List<String>
        @Persisted var isFriend = true
    }

    static let types: [ObjectBase.Type] = [Contact.self]
}

/// Embedded objects.
enum Contacts3 {
    class Contact: MigratedObject {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var first = ""
        @Persisted var home: Place?
        @Persisted var places: List<Place>
    }

    class Place: EmbeddedObject {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        @Persisted var city = ""
        @Persisted var rooms: List<Room>
    }

    class Room: EmbeddedObject {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        @Persisted var name = ""
    }

    static let types: [ObjectBase.Type] = [Contact.self]
}

/// A file that migrates from one version of the models to another.
struct MigratedFile {
    let test = TestRealm()

    var configuration: Realm.Configuration { test.configuration }

    func configuration(
        _ types: [ObjectBase.Type], _ version: UInt64, _ block: MigrationBlock? = nil
    ) -> Realm.Configuration {
        var configuration = test.configuration
        configuration.objectTypes = types
        configuration.schemaVersion = version
        configuration.migrationBlock = block
        return configuration
    }

    func open(
        _ types: [ObjectBase.Type], _ version: UInt64, _ block: MigrationBlock? = nil
    ) throws -> Realm {
        try Realm(configuration: configuration(types, version, block))
    }

    /// Writes two contacts with places as version 1.
    func writeFirst() throws {
        let realm = try open(Contacts1.types, 1)
        try realm.write {
            realm.create(
                Contacts1.Contact.self,
                value: [
                    "id": 1, "first": "Ann", "last": "Ash", "age": 41, "nickname": "A",
                    "score": 700,
                    "ratings": [1, nil, 3] as [Int?],
                    "home": ["city": "Bern", "rooms": [["name": "hall"]]],
                ] as [String: Any])
            realm.create(
                Contacts1.Contact.self, value: ["id": 2, "first": "Bob", "last": "Birch"])
        }
    }

    /// Returns the bytes of the file.
    func bytes() throws -> Data { try Data(contentsOf: #require(configuration.fileURL)) }

    /// Checks the whole file, which must not be open.
    func verify() throws {
        let store = try Store.open(test.folder("test.firn"), readOnly: true)
        var verifier = Verifier(store, isDeep: true)
        #expect(try verifier.run().findings.map(\.message).isEmpty)
        try store.close()
    }
}
