import Firn
import FirnTesting
import Foundation
import Testing

final class ToyBox: Object {
    @Persisted var toys: Map<String, Toy?>
}

/// The file of a realm is removed or replaced while it is observed: no commit will ever come, and
/// an observer that waits for one would not notice.
@Suite("Files removed during observation")
struct LostFileTests {
    private static func realm(_ test: TestRealm) throws -> Realm {
        let realm = try test.open()
        try realm.write {
            realm.create(ToyBox.self, value: ["toys": ["a": ["id": 1, "name": "a"]]])
        }
        return realm
    }

    @Test(
        "Observation blocks end with an error that names the lost file", arguments: [false, true])
    func blocks(isReplaced: Bool) async throws {
        let news = try await TestRealm.elsewhere { () -> [String] in
            let test = TestRealm([Toy.self, ToyBox.self])
            let realm = try Self.realm(test)
            let told = Told()
            let toys = realm.objects(Toy.self)
            let map = realm.objects(ToyBox.self)[0].toys
            func note(_ error: any Error, _ what: String) {
                guard case Realm.Error.fileNotFound = error else { return told.add("\(error)") }
                told.add("\("\(error)".contains("while it was open") ? what : "\(error)")")
            }
            let tokens = [
                toys.observe { if case .error(let error) = $0 { note(error, "results") } },
                map.observe { if case .error(let error) = $0 { note(error, "map") } },
                toys[0].observe { if case .error(let error) = $0 { note(error, "object") } },
                toys.sectioned(by: \.name, ascending: true).observe {
                    if case .update = $0 { told.add("sections") }
                },
                realm.observe { _, _ in told.add("realm") },
            ]
            Realm.runNotifications()
            #expect(told.news.isEmpty)
            try Self.lose(test, isReplaced)
            var news: [String] = []
            #expect(
                Realm.runNotifications(for: 600) {
                    news += told.news
                    return news.count >= 3
                })
            // Objects that were read can still be read, and nothing is reported twice.
            #expect(toys.count == 1)
            Realm.runNotifications(for: 0.01)
            withExtendedLifetime(tokens) {}
            return news + told.news
        }
        #expect(news == ["results", "map", "object"])
    }

    @Test("Observation sequences end when the file is lost")
    func sequences() async throws {
        let test = TestRealm([Toy.self, ToyBox.self])
        let lines = try await Follower().lines(test)
        #expect(lines == ["initial 1", "error", "end", "end"])
    }

    private actor Follower {
        func lines(_ test: TestRealm) async throws -> [String] {
            let realm = try await Realm(configuration: test.configuration, actor: self)
            try realm.write { realm.add(Toy(id: 1)) }
            var versions = realm.changes().makeAsyncIterator()
            var toys = realm.objects(Toy.self).changes().makeAsyncIterator()
            var lines = [try #require(await toys.next(isolation: self)).line]
            try LostFileTests.lose(test, false)
            if case .error = await toys.next(isolation: self) { lines.append("error") }
            if await toys.next(isolation: self) == nil { lines.append("end") }
            if await versions.next(isolation: self) == nil { lines.append("end") }
            return lines
        }
    }

    private static func lose(_ test: TestRealm, _ isReplaced: Bool) throws {
        let url = try #require(test.configuration.fileURL)
        guard isReplaced else { return try FileManager.default.removeItem(at: url) }
        let other = TestRealm([Toy.self])
        _ = try other.open()
        try FileManager.default.removeItem(at: url)
        try FileManager.default.copyItem(
            at: #require(other.configuration.fileURL), to: url)
    }
}
