import Firn
import FirnTesting
import Foundation
import Testing

/// Failures that the programmer cannot rule out are thrown.
@Suite("Errors thrown by a realm")
struct RealmErrorTests {
    private func failure(_ configuration: Realm.Configuration) -> Realm.Error? {
        #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
    }

    @Test("A file that is not a database throws an error that names the file")
    func garbage() throws {
        let test = TestRealm([Note.self])
        let url = URL(fileURLWithPath: test.folder("test.firn"))
        try Data("certainly no database, whatever its name says".utf8).write(to: url)
        let error = try #require(failure(test.configuration))
        #expect(error.code == .invalidDatabase)
        #expect(error.fileURL == url)
        #expect(error.message.contains(url.path))
        #expect(error.localizedDescription == error.message)
        // The user's file is unchanged.
        #expect(try Data(contentsOf: url).count == 45)
    }

    @Test("Missing folders, and files that are folders, throw an error")
    func places() throws {
        let test = TestRealm([Note.self])
        var configuration = test.configuration
        configuration.fileURL = URL(fileURLWithPath: test.folder("missing/a.firn"))
        #expect(failure(configuration)?.code == .fileNotFound)
        configuration.fileURL = URL(fileURLWithPath: test.folder.path)
        #expect(failure(configuration) != nil)
        #expect(!FileManager.default.fileExists(atPath: test.folder("missing")))
    }

    @Test("A missing seed throws an error and leaves no file")
    func seed() throws {
        let test = TestRealm([Note.self])
        var configuration = test.configuration
        configuration.seedFilePath = URL(fileURLWithPath: test.folder("seed.firn"))
        #expect(failure(configuration)?.code == .fileNotFound)
        #expect(!Realm.fileExists(for: configuration))
    }

    @Test("A file that is already open with another model version throws an error")
    func versions() throws {
        let test = TestRealm([Note.self])
        let realm = try test.open()
        var configuration = test.configuration
        configuration.schemaVersion = 2
        #expect(failure(configuration)?.code == .alreadyOpen)
        #expect(realm.isEmpty)
    }

    @Test("A model older than the file throws an error")
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

    @Test("A transaction that can no longer be cancelled throws an error")
    @MainActor
    func cancelledWrite() throws {
        let test = TestRealm([Note.self])
        let realm = try test.open()
        let id = realm.beginAsyncWrite {}
        try realm.cancelAsyncWrite(id)
        let error = #expect(throws: Realm.Error.self) { try realm.cancelAsyncWrite(id) }
        #expect(error?.code == .invalidInput)
    }

    @Test("A string that is not an object id throws an error that can be matched by its kind")
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
