import Firn
import FirnPlatform
import FirnTesting
import Foundation

/// Migrations of a large class, and the same change by `firn alter`.
struct MigrationBenchmarks {
    private static let objectCount = 1_000_000

    private let folder: String
    private let firn: CommandRunner

    /// - Parameter folder: for the databases.
    init(folder: String) throws {
        self.folder = folder
        firn = CommandRunner(try builtExecutable(named: "firn"))
        try removeFiles()
        try makeOriginal()
        try copy()
    }

    /// Makes the database, which is complete in one file once the realm is closed.
    private func makeOriginal() throws {
        let realm = try Realm(configuration: configuration("original", ResidentBefore.self, 1))
        try realm.write {
            for number in 0..<MigrationBenchmarks.objectCount {
                let resident = ResidentBefore()
                resident.id = number
                resident.name = "name number \(number & 1023)"
                resident.zip = number % 90_000 + 10_000
                realm.add(resident)
            }
        }
    }

    private func configuration(
        _ name: String, _ type: Object.Type, _ version: UInt64, _ block: MigrationBlock? = nil
    ) -> Realm.Configuration {
        Realm.Configuration(
            fileURL: URL(fileURLWithPath: "\(folder)/\(name).firn"), schemaVersion: version,
            migrationBlock: block, objectTypes: [type])
    }

    private func copy() throws {
        let path = "\(folder)/copy.firn"
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: "\(folder)/original.firn", toPath: path)
    }

    /// Removes the databases.
    func removeFiles() throws {
        for name in ["original", "copy"] {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name).firn")
        }
    }

    var all: [Benchmark] {
        [
            Benchmark(
                "firn alter: make a number of 1,000,000 objects a text", weight: .heavy,
                rowCount: MigrationBenchmarks.objectCount, cleanUp: copy,
                work: {
                    let run = try firn.run(
                        ["alter", "\(folder)/copy.firn", "retype Resident.zip String"])
                    precondition(run.status == 0, run.errorText)
                }),
            migration(
                "migration: the same in a block", ResidentAfter.self,
                block: { migration, _ in
                    migration.enumerateObjects(ofType: "Resident") { old, new in
                        new?["zip"] = "\(old?["zip"] as? Int ?? 0)"
                    }
                }),
            migration(
                "migration: rewrite a text of 1,000,000 objects", ResidentBefore.self,
                block: { migration, _ in
                    migration.enumerateObjects(ofType: "Resident") { old, new in
                        new?["name"] = (old?["name"] as? String ?? "") + "!"
                    }
                }),
            migration("migration: add properties", ResidentWithMore.self, block: nil),
            migration(
                "migration: rename a property", ResidentRenamed.self,
                block: { migration, _ in
                    migration.renameProperty(onType: "Resident", from: "name", to: "fullName")
                }),
            migration("migration: make a number optional", ResidentOptional.self, block: nil),
        ]
    }

    private func migration(
        _ name: String, _ type: Object.Type, block: MigrationBlock?
    ) -> Benchmark {
        let configuration = configuration("copy", type, 2, block)
        return Benchmark(
            name, weight: .heavy, rowCount: MigrationBenchmarks.objectCount, cleanUp: copy,
            work: { _ = try Realm(configuration: configuration) })
    }
}

/// A class that only the benchmarks of migrations use.
class Resident: Object {
    override class func className() -> String { "Resident" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class ResidentBefore: Resident {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var zip = 0
}

final class ResidentAfter: Resident {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var zip = ""
}

final class ResidentWithMore: Resident {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var zip = 0
    @Persisted var isActive = true
    @Persisted var note: String?
    @Persisted var tags: List<String>
}

final class ResidentRenamed: Resident {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var fullName = ""
    @Persisted var zip = 0
}

final class ResidentOptional: Resident {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var zip: Int?
}
