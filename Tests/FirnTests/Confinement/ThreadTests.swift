import Firn
import FirnTesting
import Foundation
import Testing

@Suite("Passing objects between threads")
struct ThreadTests {
    @Test("A reference leads to the same object in the realm of another thread")
    func reference() async throws {
        let test = TestRealm()
        let person = try await TestRealm.elsewhere {
            let realm = try test.open()
            let ann = Person(value: ["id": 1, "name": "Ann"])
            try realm.write { realm.add(ann) }
            return ThreadSafeReference(to: ann)
        }
        let name = try await TestRealm.elsewhere {
            let realm = try test.open()
            let found = realm.resolve(person)
            #expect(person.isInvalidated)
            return found?.name
        }
        #expect(name == "Ann")
    }

    @Test("A reference to an object that has since been deleted resolves to nil")
    func deletedReference() async throws {
        let test = TestRealm()
        let realm = try test.open()
        let ann = Person(value: ["id": 1])
        try realm.write { realm.add(ann) }
        let reference = ThreadSafeReference(to: ann)
        let list = ThreadSafeReference(to: ann.others)
        let all = ThreadSafeReference(to: realm.objects(Person.self).filter("id == 1"))
        try realm.write { realm.delete(ann) }
        #expect(realm.resolve(reference) == nil)
        #expect(realm.resolve(list) == nil)
        #expect(realm.resolve(all)?.count == 0)
    }

    /// A variable with a new person that was written on another thread.
    private static func variable(in test: TestRealm) async throws -> ThreadSafe<Person> {
        let variable = ThreadSafe<Person>(wrappedValue: nil)
        try await TestRealm.elsewhere {
            let realm = try test.open()
            let ann = Person(value: ["id": 1, "name": "Ann"])
            try realm.write { realm.add(ann) }
            variable.wrappedValue = ann
        }
        return variable
    }

    @Test("A thread-safe variable can be read on every thread")
    func variable() async throws {
        let test = TestRealm()
        let variable = try await Self.variable(in: test)
        for _ in 0..<3 {
            let name = try await TestRealm.elsewhere { variable.wrappedValue?.name }
            #expect(name == "Ann")
        }
    }

    @Test(
        "A thread-safe variable is nil after its file was removed, and does not create another file"
    )
    func removedFile() async throws {
        let test = TestRealm()
        let variable = try await Self.variable(in: test)
        let url = try #require(test.configuration.fileURL)
        try FileManager.default.removeItem(at: url)
        let name = try await TestRealm.elsewhere { variable.wrappedValue?.name }
        #expect(name == nil)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("Frozen objects are read by many threads concurrently")
    func frozen() async throws {
        let test = TestRealm()
        let people = try await TestRealm.elsewhere {
            let realm = try test.open()
            try realm.write {
                for id in 0..<500 { realm.create(Person.self, value: ["id": id, "name": "\(id)"]) }
            }
            return Unsafe(realm.objects(Person.self).freeze())
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask { people.value.reduce(0) { $0 + (Int($1.name) ?? 0) } }
            }
            for try await sum in group { #expect(sum == 500 * 499 / 2) }
        }
    }

    private struct Unsafe<Value>: @unchecked Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    @Test("A realm that has not been read starts at the version of its first resolved reference")
    func beginning() async throws {
        let test = TestRealm()
        let realm = try test.open()
        let ann = Person(value: ["id": 1, "name": "Ann"])
        try realm.write { realm.add(ann) }
        let (first, second) = (ThreadSafeReference(to: ann), ThreadSafeReference(to: ann))
        try realm.write { ann.name = "Anna" }
        let names = try await TestRealm.elsewhere { () -> [String?] in
            let realm = try test.open()
            let person = realm.resolve(first)
            let before = person?.name
            realm.refresh()
            return [before, person?.name]
        }
        #expect(names == ["Ann", "Anna"])
        let later = try await TestRealm.elsewhere { () -> String? in
            let realm = try test.open()
            _ = realm.objects(Person.self).count
            return realm.resolve(second)?.name
        }
        #expect(later == "Anna")
    }

    @Test("A realm of a queue writes in the background, one transaction after the other")
    func asyncWrites() async throws {
        let test = TestRealm()
        let queue = DispatchQueue(label: "writes")
        let errors = await withCheckedContinuation { continuation in
            queue.async {
                do {
                    let realm = try Realm(configuration: test.configuration, queue: queue)
                    let collected = Collected()
                    for id in 0..<20 {
                        realm.writeAsync {
                            #expect(realm.objects(Person.self).count == id)
                            realm.create(Person.self, value: ["id": id])
                        } onComplete: { error in
                            collected.errors.append(error)
                            if collected.errors.count == 20 {
                                continuation.resume(returning: collected.errors.compactMap(\.self))
                            }
                        }
                    }
                    #expect(realm.isPerformingAsynchronousWriteOperations)
                } catch {
                    continuation.resume(returning: [error])
                }
            }
        }
        #expect(errors.isEmpty)
        #expect(try test.open().objects(Person.self).count == 20)
    }

    private final class Collected {
        var errors: [(any Error)?] = []
    }

    actor Keeper {
        private var realm: Realm?
        private let test: TestRealm

        init(_ test: TestRealm) { self.test = test }

        func write(_ id: Int) async throws {
            let realm = try await Realm.open(configuration: test.configuration)
            self.realm = realm
            try await realm.asyncWrite {
                realm.create(Person.self, value: ["id": id])
            }
        }

        func count() async -> Int {
            await realm?.asyncRefresh()
            return realm?.objects(Person.self).count ?? 0
        }
    }

    @Test("Realms of two actors see each other's writes")
    func actors() async throws {
        let test = TestRealm()
        let first = Keeper(test)
        let second = Keeper(test)
        try await first.write(1)
        try await second.write(2)
        #expect(await first.count() == 2)
        #expect(await second.count() == 2)
    }

    @Test("A cancelled opening does not call its completion")
    func asyncOpen() async throws {
        let test = TestRealm()
        let queue = DispatchQueue(label: "open")
        let count = await withCheckedContinuation { continuation in
            let cancelled = queue.sync {
                Realm.asyncOpen(configuration: test.configuration, callbackQueue: queue) { _ in
                    Issue.record("called off")
                }
            }
            cancelled.cancel()
            Realm.asyncOpen(configuration: test.configuration, callbackQueue: queue) { result in
                continuation.resume(
                    returning: (try? result.get())?.objects(Person.self).count ?? -1)
            }
        }
        #expect(count == 0)
    }

    @Test("Using a realm of another thread stops the program")
    func wrongThread() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm()
            let realm = try test.open()
            let handed = Unsafe(realm)
            _ = try await TestRealm.elsewhere { handed.value.objects(Person.self).count }
        }.says("open the realm there again, or pass a ThreadSafeReference")
    }

    @Test("Resolving a reference twice stops the program")
    func resolvedTwice() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm()
            let realm = try test.open()
            let ann = Person(value: ["id": 1])
            try realm.write { realm.add(ann) }
            let reference = ThreadSafeReference(to: ann)
            _ = realm.resolve(reference)
            _ = realm.resolve(reference)
        }.says("a ThreadSafeReference can only be resolved once: make another")
    }
}
