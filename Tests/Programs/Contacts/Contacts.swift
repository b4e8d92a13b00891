import Firn
import Foundation

/// An address book whose model has had four versions.
struct Contacts {
    private let fileURL: URL

    init(path: String) { fileURL = URL(fileURLWithPath: path) }

    private func configuration(
        _ version: UInt64, _ types: [ObjectBase.Type]
    ) -> Realm.Configuration {
        Realm.Configuration(
            fileURL: fileURL, schemaVersion: version,
            migrationBlock: { migration, oldVersion in
                Migrations(migration: migration, oldVersion: oldVersion).run()
            }, objectTypes: types)
    }

    // MARK: Former versions

    /// Fills a new file as a version of the program did.
    func fill(_ version: UInt64, copies: Int) throws {
        let types = [Version1.types, Version2.types, Version3.types, Version4.types]
        let realm = try Realm(configuration: configuration(version, types[Int(version) - 1]))
        try realm.write {
            for copy in 0..<copies {
                let suffix = copy == 0 ? "" : " \(copy)"
                switch version {
                case 1: fillFirst(realm, suffix)
                case 2: fillSecond(realm, suffix)
                case 3: fillThird(realm, suffix)
                default: fillFourth(realm, suffix, copy)
                }
            }
        }
    }

    private func fillFirst(_ realm: Realm, _ suffix: String) {
        let ann = realm.create(
            Version1.Person.self, value: ["name": "Ann Berg\(suffix)", "age": 41, "phone": "123"])
        realm.create(
            Version1.Person.self,
            value: ["name": "Bob Lie\(suffix)", "friends": [ann]] as [String: Any])
    }

    private func fillSecond(_ realm: Realm, _ suffix: String) {
        let ann = realm.create(
            Version2.Person.self,
            value: [
                "firstName": "Ann", "lastName": "Berg\(suffix)", "born": 1985, "phone": "123",
            ])
        realm.create(
            Version2.Person.self,
            value: ["firstName": "Bob", "lastName": "Lie\(suffix)", "friends": [ann]]
                as [String: Any])
    }

    private func fillThird(_ realm: Realm, _ suffix: String) {
        let phone = realm.create(Version3.Phone.self, value: ["number": "123"])
        let ann = realm.create(
            Version3.Person.self,
            value: [
                "firstName": "Ann", "lastName": "Berg\(suffix)", "born": 1985, "phones": [phone],
            ]
                as [String: Any])
        let bob = realm.create(
            Version3.Person.self,
            value: [
                "firstName": "Bob", "lastName": "Lie\(suffix)", "friends": [ann],
                "phones": [phone],
            ] as [String: Any])
        realm.create(
            Version3.Circle.self, value: ["name": "chess\(suffix)", "members": [ann, bob]])
        realm.create(Version3.Phone.self, value: ["number": "of nobody"])
    }

    private func fillFourth(_ realm: Realm, _ suffix: String, _ copy: Int) {
        let ann = realm.create(
            Version4.Person.self,
            value: [
                "id": 2 * copy + 1, "givenName": "Ann", "familyName": "Berg\(suffix)",
                "born": "1985", "phones": [["number": "123"]],
            ] as [String: Any])
        realm.create(
            Version4.Person.self,
            value: [
                "id": 2 * copy + 2, "givenName": "Bob", "familyName": "Lie\(suffix)",
                "friends": [ann],
            ] as [String: Any])
    }

    // MARK: The current version

    /// Opens the file, which migrates it if necessary, and prints all people.
    func show() throws {
        let realm = try Realm(configuration: configuration(4, Version4.types))
        for person in realm.objects(Version4.Person.self).sorted(by: \.id) {
            var parts = ["\(person.id) \(person.givenName) \(person.familyName), \(person.born)"]
            parts += person.phones.map { "\($0.kind) \($0.number)" }
            parts += person.friends.map { "friend \($0.id)" }
            parts += person.circles.sorted().map { "in \($0)" }
            print(parts.joined(separator: ", "))
        }
    }
}
