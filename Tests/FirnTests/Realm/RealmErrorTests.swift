import Firn
import FirnTesting
import Foundation
import Testing

/// What the user cannot rule out by reading the program is thrown.
@Suite("A realm throws")
struct RealmErrorTests {
    private func failure(_ configuration: Realm.Configuration) -> Realm.Error? {
        #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
    }

    @Test("for a file that is no database, and names it")
    func garbage() throws {
        let test = TestRealm([Note.self])
        let url = URL(fileURLWithPath: test.folder("test.firn"))
        try Data("certainly no database, whatever its name says".utf8).write(to: url)
        let error = try #require(failure(test.configuration))
        #expect(error.code == .invalidDatabase)
        #expect(error.fileURL == url)
        #expect(error.message.contains(url.path))
        #expect(error.localizedDescription == error.message)
        // It is still the user's file.
        #expect(try Data(contentsOf: url).count == 45)
    }

    @Test("for folders that are missing, and files that are folders")
    func places() throws {
        let test = TestRealm([Note.self])
        var configuration = test.configuration
        configuration.fileURL = URL(fileURLWithPath: test.folder("missing/a.firn"))
        #expect(failure(configuration)?.code == .fileNotFound)
        configuration.fileURL = URL(fileURLWithPath: test.folder.path)
        #expect(failure(configuration) != nil)
        #expect(!FileManager.default.fileExists(atPath: test.folder("missing")))
    }

    @Test("for a seed that is missing, and leaves no file behind")
    func seed() throws {
        let test = TestRealm([Note.self])
        var configuration = test.configuration
        configuration.seedFilePath = URL(fileURLWithPath: test.folder("seed.firn"))
        #expect(failure(configuration)?.code == .fileNotFound)
        #expect(!Realm.fileExists(for: configuration))
    }

    @Test("for a file that is open with another version of the model")
    func versions() throws {
        let test = TestRealm([Note.self])
        let realm = try test.open()
        var configuration = test.configuration
        configuration.schemaVersion = 2
        #expect(failure(configuration)?.code == .alreadyOpen)
        #expect(realm.isEmpty)
    }

    @Test("for a version of the model that is older than that of the file")
    func older() throws {
        let test = TestRealm([Note.self])
        var configuration = test.configuration
        configuration.schemaVersion = 3
        do { _ = try Realm(configuration: configuration) }
        configuration.schemaVersion = 2
        let error = try #require(failure(configuration))
        #expect(error.code == .schemaMismatch)
        #expect(error.message.contains("2") && error.message.contains("3"))
        #expect(error.message.contains("schemaVersion"))
    }

    @Test("for a transaction that cannot be called off any more")
    @MainActor
    func cancelledWrite() throws {
        let test = TestRealm([Note.self])
        let realm = try test.open()
        let id = realm.beginAsyncWrite {}
        try realm.cancelAsyncWrite(id)
        let error = #expect(throws: Realm.Error.self) { try realm.cancelAsyncWrite(id) }
        #expect(error?.code == .invalidInput)
    }

    @Test("for a text that is no identity, and is matched by its kind")
    func matching() {
        do {
            _ = try ObjectId(string: "no id")
            Issue.record("made")
        } catch Realm.Error.fileAccess {
            Issue.record("of another kind")
        } catch Realm.Error.invalidInput {
        } catch {
            Issue.record(error)
        }
    }
}
