import Firn
import FirnTesting
import Foundation
import Testing

@Suite("Configurations")
struct ConfigurationTests {
    @Test("Configurations are equal if all their properties are equal")
    func equality() {
        let url = URL(fileURLWithPath: "/tmp/a.firn")
        let first = Realm.Configuration(
            fileURL: url, shouldCompactOnLaunch: { total, _ in total > 9 },
            objectTypes: [Toy.self, Person.self])
        var second = Realm.Configuration(
            fileURL: url, shouldCompactOnLaunch: { _, _ in false },
            objectTypes: [Toy.self, Person.self])
        #expect(first == second)
        let changes: [(inout Realm.Configuration) -> Void] = [
            { $0.fileURL = URL(fileURLWithPath: "/tmp/b.firn") }, { $0.inMemoryIdentifier = "a" },
            { $0.encryptionKey = Data([1]) }, { $0.readOnly = true }, { $0.schemaVersion = 1 },
            { $0.deleteRealmIfMigrationNeeded = true }, { $0.shouldCompactOnLaunch = nil },
            { $0.objectTypes = [Person.self, Toy.self] }, { $0.objectTypes = nil },
            { $0.maximumNumberOfActiveVersions = 1 }, { $0.seedFilePath = url },
        ]
        for change in changes {
            var other = second
            change(&other)
            #expect(other != first)
        }
        second.inMemoryIdentifier = "a"
        #expect(second.fileURL == nil)
        second.fileURL = url
        #expect(second.inMemoryIdentifier == nil)
        #expect(first == second)
    }

    @Test("The description of a configuration omits the key")
    func description() {
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: "/tmp/a.firn"), objectTypes: [Toy.self])
        configuration.encryptionKey = Data([0x53, 0x54])
        #expect(
            configuration.description == """
                Realm.Configuration {
                \tfileURL = file:///tmp/a.firn;
                \tinMemoryIdentifier = nil;
                \tencryptionKey = 2 bytes;
                \treadOnly = false;
                \tschemaVersion = 0;
                \tmigrationBlock = nil;
                \tdeleteRealmIfMigrationNeeded = false;
                \tshouldCompactOnLaunch = nil;
                \tobjectTypes = [Toy];
                \tmaximumNumberOfActiveVersions = nil;
                \tseedFilePath = nil;
                }
                """)
    }

    @Test("The configuration has the version of the model, and the version of a file can be read")
    func schemaVersion() throws {
        let test = TestRealm([Toy.self])
        let url = try #require(test.configuration.fileURL)
        do { _ = try test.open() }
        #expect(try schemaVersionAtURL(url) == 0)
        var configuration = test.configuration
        configuration.schemaVersion = 7
        do {
            let realm = try Realm(configuration: configuration)
            #expect(try schemaVersionAtURL(url) == 7)
            #expect(realm.isEmpty)
        }
        #expect(try schemaVersionAtURL(url) == 7)
        let error = #expect(throws: Realm.Error.self) { try test.open() }
        #expect(error?.code == .schemaMismatch)
        #expect(
            error?.message.contains("the schema version 0 is less than the last one, 7") == true)
        #expect {
            try schemaVersionAtURL(url, encryptionKey: Data(repeating: 1, count: 64))
        } throws: { Realm.Error.invalidInput ~= $0 }
        #expect(try Realm.deleteFiles(for: configuration))
    }

    @Test(
        "schemaVersionAtURL fails with fileNotFound without a file, and invalidDatabase for a device",
        .tags(.difference))
    func missingFile() throws {
        let test = TestRealm([Toy.self])
        let url = try #require(test.configuration.fileURL)
        #expect { try schemaVersionAtURL(url) } throws: { Realm.Error.fileNotFound ~= $0 }
        do { _ = try test.open() }
        let below = url.appendingPathComponent("below.firn")
        #expect { try schemaVersionAtURL(below) } throws: { Realm.Error.fileNotFound ~= $0 }
        var configuration = test.configuration
        configuration.fileURL = below
        #expect {
            try Realm(configuration: configuration)
        } throws: {
            Realm.Error.fileNotFound ~= $0
        }
        // A device is not a database.
        let device = URL(fileURLWithPath: "/dev/null")
        #expect { try schemaVersionAtURL(device) } throws: { Realm.Error.invalidDatabase ~= $0 }
    }
}
