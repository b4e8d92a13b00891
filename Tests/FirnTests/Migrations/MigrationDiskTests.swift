import Firn
import FirnEngine
import FirnPlatform
import FirnTesting
import Foundation
import Testing

/// Migrations on simulated disks, one after the other.
///
/// A process has one store per file, and the files of two simulated disks have the same identity.
@Suite("Migrations on simulated disks", .serialized)
struct SimulatedMigrationTests {}

extension SimulatedMigrationTests {
    /// Migrations through the object API on a simulated disk that stops at each operation.
    ///
    /// With `FIRN_TEST_SCALE=334`, as in `.ci/soak/run`, the migration has 100,200 objects, and every
    /// operation of it is explored.
    @Suite("Crashes during migrations of the object API", .serialized)
    struct MigrationDiskTests {
        private enum Step: Sendable { case migration }

        private static func configuration(
            _ disk: SimulatedFileSystem, _ types: [ObjectBase.Type], _ version: UInt64
        ) -> Realm.Configuration {
            var configuration = Realm.Configuration(
                fileURL: URL(fileURLWithPath: "/migrated.firn"), schemaVersion: version,
                migrationBlock: { migration, _ in migrate(migration) }, objectTypes: types)
            configuration.simulatedServices = disk.services(entropySeed: 1)
            return configuration
        }

        @Sendable
        private static func migrate(_ migration: Migration) {
            migration.enumerateObjects(ofType: "Contact") { old, new in
                new?["name"] = "\(old?["first"] ?? "") \(old?["id"] ?? "")"
                new?["age"] = "\(old?["age"] ?? "")"
                new?["tags"] = ["migrated"]
                if let new, (old?["id"] as? Int ?? 0) % 5 == 0 { migration.delete(new) }
            }
            migration.deleteData(forType: "Room")
            migration.deleteData(forType: "Place")
        }

        private static func write(_ disk: SimulatedFileSystem, _ count: Int = 300) throws {
            let realm = try Realm(configuration: configuration(disk, Contacts1.types, 1))
            try realm.write {
                let bern = realm.create(
                    Contacts1.Place.self, value: ["city": "Bern", "rooms": [["name": "hall"]]])
                for id in 0..<count {
                    realm.create(
                        Contacts1.Contact.self,
                        value: ["id": id, "first": "Ann", "age": id, "home": bern] as [String: Any])
                }
            }
        }

        /// Returns a text about all that the file has, as the version that it has reads it.
        private static func contents(_ disk: SimulatedFileSystem, _ count: Int = 300) throws
            -> String
        {
            let version = try schemaVersion(of: disk)
            guard version == 2 else {
                let realm = try Realm(configuration: configuration(disk, Contacts1.types, 1))
                let contacts = realm.objects(Contacts1.Contact.self)
                guard contacts.count == count, contacts.map(\.age) == Array(0..<count),
                    contacts.allSatisfy({ $0.home?.rooms.first?.name == "hall" })
                else { return "a mixture" }
                return "before"
            }
            let realm = try Realm(configuration: configuration(disk, Contacts2.types, 2))
            let contacts = realm.objects(Contacts2.Contact.self).sorted(byKeyPath: "id")
            let ids = (0..<count).filter { $0 % 5 != 0 }
            guard contacts.map(\.id) == ids, contacts.map(\.age) == ids.map({ "\($0)" }),
                contacts.map(\.name) == ids.map({ "Ann \($0)" }),
                contacts.allSatisfy({
                    $0.tags.count == 1 && $0.tags[0] == "migrated" && $0.isFriend
                }),
                realm.schema.objectSchema.map(\.className) == ["Contact"]
            else { return "a mixture" }
            return "after"
        }

        private static func schemaVersion(of disk: SimulatedFileSystem) throws -> UInt64? {
            let store = try Store.open(
                "/migrated.firn", readOnly: true, services: disk.services(entropySeed: 1))
            defer { try? store.close() }
            return try store.snapshot().modelVersion
        }

        @Test("A crash at any operation leaves the file as it was before or after the migration")
        func everyPoint() throws {
            let count = TestScale.scaled(300)
            let report = try CrashExplorer(
                "migrations of the object API", randomImages: 2, pointsMax: TestScale.scaled(60)
            ).explore(
                of: Step.self, setup: { try Self.write($0, count) },
                workload: { disk, journal in
                    try journal.perform(.migration) {
                        try Realm.performMigration(
                            for: Self.configuration(disk, Contacts2.types, 2))
                    }
                },
                verify: { disk, journal in
                    let found = try Self.contents(disk, count)
                    let allowed =
                        journal.acknowledged.isEmpty ? ["before", "after"] : ["after"]
                    guard allowed.contains(found) else { throw TestFailure(found) }
                })
            #expect(report.operations > 10)
        }

        @Test("A migration fails as a whole, whichever write or sync fails, and works again later")
        func everyFault() throws {
            for ordinal in 0..<200 {
                let disk = SimulatedFileSystem()
                try Self.write(disk)
                disk.plan(
                    Fault(.fails(errno: EIO), at: ordinal, of: [.write, .sync]))
                let configuration = Self.configuration(disk, Contacts2.types, 2)
                let isDone = (try? Realm.performMigration(for: configuration)) != nil
                disk.forgetPlans()
                let found = try Self.contents(disk)
                #expect(found == "before" || found == "after")
                guard !isDone else {
                    #expect(found == "after" && ordinal > 2)
                    return
                }
                try Realm.performMigration(for: configuration)
                #expect(try Self.contents(disk) == "after")
            }
            Issue.record("the migration never succeeded")
        }
    }
}

private struct TestFailure: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}
