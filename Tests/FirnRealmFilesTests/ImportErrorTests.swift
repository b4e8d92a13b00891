import Firn
import FirnRealmFiles
import FirnTesting
import Foundation
import Glibc
import Testing

/// After each error there is no database, and no other file beside the Realm file.
@Suite("Realm files that cannot be imported")
struct ImportErrorTests {
    private func failure(
        _ test: ImportFolder, key: [UInt8]? = nil, copy: Bool = false
    ) throws -> RealmFileImportError {
        let error = #expect(throws: RealmFileImportError.self) {
            try Realm.importRealmFile(
                at: test.old, encryptionKey: key.map { Data($0) }, to: test.configuration,
                copy: copy)
        }
        #expect(test.folder.names.filter { $0 != "old.realm.lock" } == ["old.realm"])
        let found = try #require(error)
        #expect(found.fileURL == test.old)
        #expect(found.message.hasPrefix(test.old.path + ": ") && found.message.contains("; "))
        #expect("\(found)" == found.message && found.localizedDescription == found.message)
        return found
    }

    private func failure(
        _ name: String, key: [UInt8]? = nil, _ change: (inout [UInt8]) -> Void = { _ in }
    ) throws -> RealmFileImportError {
        let test = ImportFolder()
        try test.put(name, change)
        return try failure(test, key: key)
    }

    @Test("A file of another kind is not a Realm file")
    func notRealm() throws {
        let error = try failure("streaming") { $0[17] = 0 }
        #expect(error.code == .notRealmFile)
        #expect(error.message.contains("not a Realm file"))
    }

    @Test("The error for an unknown version names it and the versions that can be read")
    func version() throws {
        let error = try failure("streaming") { $0[20] = 9 }
        #expect(error.code == .unsupportedVersion)
        #expect(error.message.contains("format 9") && error.message.contains("Realm itself"))
    }

    @Test("An encrypted file needs its key")
    func keyRequired() throws {
        let error = try failure("encrypted-streaming")
        #expect(error.code == .keyRequired)
        #expect(error.message.contains("encryptionKey"))
    }

    @Test("A wrong key, even one of a wrong length, is an error of its own", arguments: [64, 32])
    func wrongKey(_ count: Int) throws {
        let error = try failure(
            "encrypted-streaming", key: [UInt8](repeating: 7, count: count))
        #expect(error.code == .wrongKey)
        #expect(RealmFileImportError.Code.wrongKey ~= error)
        #expect(!(RealmFileImportError.Code.keyRequired ~= error))
    }

    @Test("A truncated file is an error of its own")
    func truncated() throws {
        let error = try failure("streaming") { $0.removeLast(64) }
        #expect(error.code == .truncated)
        #expect(error.message.contains("copy the file again"))
    }

    @Test("Damage is reported with its position")
    func damaged() throws {
        let error = try failure("encrypted-streaming", key: RealmSample.key) {
            $0[3 * 4096 + 17] ^= 1
        }
        #expect(error.code == .damaged)
        #expect(error.position == 2 * 4096)
        #expect(error.message.contains("at byte 8192"))
    }

    @Test("A file that another process has open is refused, unless a copy is imported")
    func inUse() throws {
        let test = ImportFolder()
        try test.put("streaming")
        let lock = test.old.path + ".lock"
        let descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        #expect(flock(descriptor, LOCK_SH) == 0)
        let error = try failure(test)
        #expect(error.code == .inUse)
        #expect(error.message.contains("copy: true"))
        try Realm.importRealmFile(at: test.old, to: test.configuration, copy: true)
        #expect(test.folder.names == ["new.firn", "old.realm", "old.realm.lock"])
        #expect(try Realm(configuration: test.configuration).objects(Thing.self).count == 700)
        close(descriptor)
        #expect(throws: Never.self) {
            var other = test.configuration
            other.fileURL = URL(fileURLWithPath: test.folder("other.firn"))
            try Realm.importRealmFile(at: test.old, to: other)
        }
    }

    @Test("A damaged file leaves no copy")
    func damagedCopy() throws {
        let test = ImportFolder()
        try test.put("streaming") { $0.removeLast(64) }
        #expect(try failure(test, copy: true).code == .truncated)
    }

    // MARK: The database

    @Test("An existing database is left unchanged")
    func exists() throws {
        let test = ImportFolder()
        try test.put("streaming")
        try DatabaseImage.put([1, 2, 3], at: test.folder("new.firn"))
        #expect { try Realm.importRealmFile(at: test.old, to: test.configuration) } throws: {
            Realm.Error.fileExists ~= $0
        }
        #expect(try DatabaseImage.bytes(of: test.folder("new.firn")) == [1, 2, 3])
        #expect(test.folder.names == ["new.firn", "old.realm"])
    }

    @Test("A missing Realm file is reported as a missing file")
    func missing() throws {
        let test = ImportFolder()
        let error = #expect(throws: Realm.Error.self) {
            try Realm.importRealmFile(at: test.old, to: test.configuration)
        }
        #expect(error?.code == .fileNotFound)
        #expect(error?.fileURL == test.old)
        #expect(test.folder.names.isEmpty)
    }

    @Test("An import into an in-memory or read-only realm is refused")
    func invalid() throws {
        var test = ImportFolder()
        try test.put("streaming")
        test.configuration.readOnly = true
        #expect { try Realm.importRealmFile(at: test.old, to: test.configuration) } throws: {
            Realm.Error.invalidInput ~= $0
        }
        test.configuration.readOnly = false
        test.configuration.inMemoryIdentifier = "imported"
        #expect { try Realm.importRealmFile(at: test.old, to: test.configuration) } throws: {
            Realm.Error.invalidInput ~= $0
        }
        #expect(test.folder.names == ["old.realm"])
    }

    private struct Stop: Error, Equatable {}

    @Test("An error of the progress closure stops the import")
    func stopped() throws {
        let test = ImportFolder()
        try test.put("streaming")
        #expect(throws: Stop()) {
            try Realm.importRealmFile(at: test.old, to: test.configuration) { progress in
                #expect(progress.totalObjectCount == 700)
                if progress.completedObjectCount >= 256 { throw Stop() }
            }
        }
        #expect(test.folder.names == ["old.realm"])
    }

    @Test("A value too wide for the property of the program is an error")
    func unfitting() throws {
        let test = ImportFolder([NarrowModels.Thing.self])
        try test.put("streaming")
        let error = #expect(throws: Realm.Error.self) {
            try Realm.importRealmFile(at: test.old, to: test.configuration)
        }
        #expect(error?.message.contains("128 is out of the range of id of Thing") == true)
        #expect(test.folder.names == ["old.realm"])
    }

    @Test("A full disk leaves no file")
    func fullDisk() throws {
        let disk = SimulatedFileSystem()
        disk.setContents(of: "/old.realm", to: try RealmSample.bytes("streaming"))
        disk.setCapacity(60_000)
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: "/new.firn"), objectTypes: [Thing.self])
        configuration.simulatedServices = disk.services(entropySeed: 3)
        let error = #expect(throws: Realm.Error.self) {
            try Realm.importRealmFile(
                at: URL(fileURLWithPath: "/old.realm"), to: configuration)
        }
        #expect(error?.code == .outOfDiskSpace)
        #expect(disk.fileNames == ["/old.realm"])
    }
}

private enum NarrowModels {
    class Thing: People.ImportedObject {
        @Persisted(primaryKey: true) var id: Int8
        @Persisted var v = ""
    }
}
