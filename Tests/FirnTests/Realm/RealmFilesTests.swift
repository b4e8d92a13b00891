import Firn
import FirnTesting
import Foundation
import Testing

class Note: Object {
    @Persisted var text = ""
}

@Suite("Files of realms")
struct RealmFilesTests {
    @Test("An in-memory realm lives as long as an instance with its name")
    func memory() throws {
        let configuration = Realm.Configuration(
            inMemoryIdentifier: "notes/\(UUID())", objectTypes: [Note.self])
        do {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.add(Note(value: ["text": "x"])) }
            #expect(try Realm(configuration: configuration).objects(Note.self).count == 1)
            #expect(Realm.fileExists(for: configuration))
        }
        #expect(!Realm.fileExists(for: configuration))
        #expect(try Realm(configuration: configuration).isEmpty)
    }

    /// Every killed process once left its realms in the memory of the machine.
    @Test("An in-memory realm disappears when its process is killed")
    func killedMemory() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardOutputContent]
        ) {
            let realm = try RealmFilesTests.memoryRealm("killed")
            try realm.write { realm.add(Note(value: ["text": "x"])) }
            guard Realm.fileExists(for: realm.configuration) else { exit(EXIT_SUCCESS) }
            print("pid=\(ProcessInfo.processInfo.processIdentifier)=")
            fflush(nil)
            Note().freeze().text = "stops"
        }
        let output = String(decoding: result.standardOutputContent, as: UTF8.self)
        let pid = try #require(output.split(separator: "=").dropFirst().first)
        let names = { TemporaryFolder.names(in: "/dev/shm").filter { $0.contains("-\(pid)-") } }
        // Another test may have opened a realm in memory already.
        _ = try RealmFilesTests.memoryRealm("later")
        #expect(names().isEmpty)
    }

    private static func memoryRealm(_ identifier: String) throws -> Realm {
        try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: identifier, objectTypes: [Note.self]))
    }

    @Test("Files are deleted only when no process has them open")
    func deletion() throws {
        let test = TestRealm([Note.self])
        do {
            let realm = try test.open()
            try realm.write { realm.add(Note()) }
            let error = #expect(throws: Realm.Error.self) {
                try Realm.deleteFiles(for: test.configuration)
            }
            #expect(error?.code == .alreadyOpen)
            #expect(realm.objects(Note.self).count == 1)
        }
        #expect(try Realm.deleteFiles(for: test.configuration))
        #expect(try !Realm.deleteFiles(for: test.configuration))
        #expect(TemporaryFolder.names(in: test.folder.path).isEmpty)
    }

    @Test("A copy includes the changes of the open transaction")
    func copy() throws {
        let test = TestRealm([Note.self])
        let realm = try test.open()
        let url = URL(fileURLWithPath: test.folder("copy.firn"))
        try realm.write {
            realm.add(Note(value: ["text": "a"]))
            try realm.writeCopy(toFile: url)
        }
        var configuration = test.configuration
        configuration.fileURL = url
        configuration.readOnly = true
        let copy = try Realm(configuration: configuration)
        #expect(copy.objects(Note.self).map(\.text) == ["a"])
        let error = #expect(throws: Realm.Error.self) { try realm.writeCopy(toFile: url) }
        #expect(error?.code == .fileExists)
    }

    @Test("A new file starts as a copy of its seed")
    func seed() throws {
        let test = TestRealm([Note.self])
        do {
            let realm = try test.open()
            try realm.write { realm.add(Note(value: ["text": "seed"])) }
        }
        var configuration = test.configuration
        configuration.seedFilePath = configuration.fileURL
        configuration.fileURL = URL(fileURLWithPath: test.folder("grown.firn"))
        #expect(try Realm(configuration: configuration).objects(Note.self).map(\.text) == ["seed"])
    }

    @Test("A missing file cannot be opened read-only")
    func missing() throws {
        let test = TestRealm([Note.self])
        var configuration = test.configuration
        configuration.readOnly = true
        do {
            _ = try Realm(configuration: configuration)
            Issue.record("opened")
        } catch Realm.Error.fileNotFound {
        }
    }

    @Test("A file is not opened in two modes at once")
    func conflict() throws {
        let test = TestRealm([Note.self])
        let realm = try test.open()
        var configuration = test.configuration
        configuration.readOnly = true
        do {
            _ = try Realm(configuration: configuration)
            Issue.record("opened")
        } catch Realm.Error.alreadyOpen {
        }
        #expect(realm.isEmpty)
    }

    @Test("Files are not encrypted, so opening one with a key fails", .tags(.difference))
    func encryption() throws {
        let test = TestRealm([Note.self])
        var configuration = test.configuration
        configuration.encryptionKey = Data(count: 64)
        let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
        #expect(error?.code == .invalidInput)
        #expect(!Realm.fileExists(for: configuration))
    }

    @Test("A file is compacted on request when it is first opened")
    func compaction() throws {
        let test = TestRealm([Note.self])
        do {
            let realm = try test.open()
            for round in 0..<20 {
                try realm.write {
                    realm.deleteAll()
                    for number in 0..<500 {
                        realm.add(Note(value: ["text": "\(round) \(number) some text"]))
                    }
                }
            }
        }
        let size = {
            try FileManager.default.attributesOfItem(atPath: test.folder("test.firn"))[.size]
        }
        let before = try #require(size() as? Int)
        var configuration = test.configuration
        configuration.shouldCompactOnLaunch = { total, used in
            #expect(total == before && used > 0 && used <= total)
            return true
        }
        #expect(try Realm(configuration: configuration).objects(Note.self).count == 500)
        #expect(try #require(size() as? Int) < before)
    }
}
