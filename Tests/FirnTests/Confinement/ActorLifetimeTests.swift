// A realm held its actor with a strong reference, and an actor usually stores its realm: neither
// was ever freed. After 3,000 stores not one had been deinitialized. Each kept the version that it
// had opened, so that the space of later versions could not be reused (ten rounds of a dropped
// actor and 200 writes grew a file of 28 KB of data from 8.0 to 19.1 MB). Each opening walked the
// list of all instances. The example in the documentation of `Realm.init(configuration:actor:)`
// does exactly this. Realm for Swift documents only by example that a realm does not keep its actor
// alive: its stores are freed when the program releases them.

import Dispatch
import Firn
import FirnPlatform
import FirnTesting
import Foundation
import Testing

/// Counts actors that were freed.
private final class Freed: Sendable {
    private let value = Guarded(0)

    var count: Int { value.withLock { $0 } }

    func add() { value.withLock { $0 += 1 } }
}

/// The store from the documentation.
private actor Store {
    var realm: Realm!
    private var token: NotificationToken?
    private let freed: Freed

    init(_ configuration: Realm.Configuration, _ freed: Freed) async throws {
        self.freed = freed
        realm = try await Realm(configuration: configuration, actor: self)
    }

    deinit { freed.add() }

    var count: Int { realm.objects(Person.self).count }

    func write(_ id: Int) async throws {
        try await realm.asyncWrite { _ = realm.create(Person.self, value: ["id": id]) }
    }

    func observe(_ told: Told) async {
        token = await realm.objects(Person.self).observe(on: self) { _, change in told.add(change) }
    }

    func begin(_ done: Signal) {
        realm.writeAsync {
            self.realm.create(Person.self, value: ["id": 1])
        } onComplete: { error in
            if error == nil { done.fire() }
        }
    }

    func leak() -> Leaked { Leaked(realm: realm) }
}

private struct Leaked: @unchecked Sendable {
    let realm: Realm
}

@Suite("Actors that store their realm")
struct ActorLifetimeTests {
    /// The resident memory of the process, in bytes.
    fileprivate static func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return try #require(pages) * 4096
    }

    /// Tests that ran at the same time were measured as well, so it has a process of its own.
    @Test("10,000 actors with their realms leave no memory and no instance")
    func freed() async throws {
        await #expect(processExitsWith: .success) {
            let test = TestRealm()
            let freed = Freed()
            // One-time allocations of the process happen before the measurement.
            for _ in 0..<1_000 { _ = try await Store(test.configuration, freed).count }
            let before = try ActorLifetimeTests.residentBytes()
            for _ in 0..<9_000 { _ = try await Store(test.configuration, freed).count }
            let growth = try ActorLifetimeTests.residentBytes() - before
            #expect(freed.count == 10_000)
            #expect(growth < 24 << 20, "\(growth) bytes")
            #expect(try Realm.deleteFiles(for: test.configuration))
        }
    }

    @Test(
        "A freed actor releases the version that its realm showed, and its space is reused",
        .tags(.difference))
    func pins() async throws {
        let test = TestRealm()
        let freed = Freed()
        let url = try #require(test.configuration.fileURL)
        func round(_ keepsActor: Bool) async throws -> Store? {
            let store = try await Store(test.configuration, freed)
            _ = await store.count
            try await TestRealm.elsewhere {
                let realm = try test.open()
                for _ in 0..<200 {
                    try realm.write {
                        realm.create(
                            Person.self,
                            value: ["id": 1, "name": String(repeating: "x", count: 4_000)],
                            update: .all)
                    }
                }
            }
            return keepsActor ? store : nil
        }
        _ = try await round(false)
        let first = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        for _ in 0..<9 { _ = try await round(false) }
        #expect(freed.count == 10)
        let last =
            try URL(fileURLWithPath: url.path)
            .resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        #expect(last < first * 2 + (4 << 20), "\(first) bytes after one round, \(last) after ten")
    }

    @Test(
        "An actor that stores its own observation token is freed, and gets no more calls"
    )
    func tokens() async throws {
        let test = TestRealm()
        let freed = Freed()
        let told = Told()
        for _ in 0..<10 {
            let store = try await Store(test.configuration, freed)
            await store.observe(told)
        }
        // A delivery in progress keeps its actor.
        for _ in 0..<1_000 where freed.count < 10 { try await Task.sleep(nanoseconds: 10_000_000) }
        #expect(freed.count == 10)
        _ = told.news
        try await TestRealm.elsewhere {
            let realm = try test.open()
            try realm.write { _ = realm.create(Person.self, value: ["id": 1]) }
        }
        #expect(told.news.isEmpty)
    }

    @Test("An actor completes an asynchronous write in progress before it is freed")
    func asynchronousWrites() async throws {
        let test = TestRealm()
        let freed = Freed()
        let done = Signal()
        try await Store(test.configuration, freed).begin(done)
        #expect(try await TestRealm.elsewhere { done.wait() })
        #expect(try await Store(test.configuration, freed).count == 1)
    }

    @Test("A freed actor leaves nothing to another actor at the same address")
    func addresses() async throws {
        let test = TestRealm()
        let freed = Freed()
        var leaked: [Leaked] = []
        for id in 0..<50 {
            let store = try await Store(test.configuration, freed)
            try await store.write(id)
            #expect(await store.count == id + 1)
            leaked.append(await store.leak())
        }
        #expect(freed.count == 50)
        withExtendedLifetime(leaked) {}
    }

    @Test("Opening a realm beside 4,000 others is as fast as opening it alone")
    func openings() async throws {
        let test = TestRealm()
        let freed = Freed()
        func fastest() async throws -> UInt64 {
            var best = UInt64.max
            for _ in 0..<40 {
                let start = DispatchTime.now().uptimeNanoseconds
                for _ in 0..<5 { _ = try await Store(test.configuration, freed) }
                best = min(best, DispatchTime.now().uptimeNanoseconds - start)
            }
            return best
        }
        _ = try await fastest()
        let alone = try await fastest()
        var others: [Store] = []
        for _ in 0..<4_000 { others.append(try await Store(test.configuration, freed)) }
        let beside = try await fastest()
        #expect(beside < alone * 3, "\(alone) ns alone, \(beside) ns beside \(others.count)")
    }

    @Test("Using the realm of an actor outside of the actor stops the program with a reason")
    func outlived() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm()
            let leaked = try await Store(test.configuration, Freed()).leak()
            _ = leaked.realm.objects(Person.self).count
        }.says("belonged to the actor Store, which does not exist any more: keep the actor as")
    }
}
