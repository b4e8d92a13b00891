// An `asyncWrite` that waited for another writer continued to wait when its task was cancelled, and
// `observe(on: actor)` in a cancelled task still observed. In Realm the first throws a
// `CancellationError`, and the second returns a token without an observation.

import Dispatch
import Firn
import FirnPlatform
import Foundation
import Testing

private actor Desk {
    private var realm: Realm?
    private var token: NotificationToken?

    func open(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm(configuration: configuration, actor: self)
    }

    func write(_ id: Int) async throws {
        guard let realm else { return }
        try await realm.asyncWrite { _ = realm.create(Person.self, value: ["id": id]) }
    }

    var count: Int {
        realm?.refresh()
        return realm?.objects(Person.self).count ?? -1
    }

    func observe(_ told: Told) async {
        token = await realm?.objects(Person.self).observe(on: self) { _, change in told.add(change)
        }
    }

    func observeAnn(_ told: Told) async {
        token = await realm?.objects(Person.self).first?.observe(on: self) { _, change in
            told.add(change.line)
        }
    }

    func invalidateToken() -> Bool? { token?.invalidate() }
}

@Suite("Cancelled tasks")
struct CancelledTaskTests {
    @Test("A cancelled task stops waiting for other writers", .timeLimit(.minutes(2)))
    func writing() async throws {
        let test = TestRealm()
        let desk = Desk()
        try await desk.open(test.configuration)
        let (begun, release) = (Signal(), Signal())
        let holder = Task {
            try await TestRealm.elsewhere {
                let realm = try test.open()
                try realm.write {
                    begun.fire()
                    _ = release.wait()
                }
            }
        }
        #expect(try await TestRealm.elsewhere { begun.wait() })
        let task = Task { try await desk.write(1) }
        try await Task.sleep(nanoseconds: 50_000_000)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        release.fire()
        try await holder.value
        // The lock that the cancelled task was waiting for is free.
        try await desk.write(2)
        #expect(await desk.count == 1)
        try await TestRealm.elsewhere {
            let realm = try test.open()
            try realm.write { _ = realm.create(Person.self, value: ["id": 3]) }
        }
        #expect(await desk.count == 2)
    }

    @Test("A cancelled task does not observe anything")
    func observing() async throws {
        let test = TestRealm()
        let desk = Desk()
        try await desk.open(test.configuration)
        try await desk.write(1)
        let told = Told()
        for observe in [Desk.observe, Desk.observeAnn] {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                await observe(desk)(told)
            }
            await task.value
            #expect(await desk.invalidateToken() == false)
        }
        try await desk.write(2)
        #expect(told.news.isEmpty)
    }
}
