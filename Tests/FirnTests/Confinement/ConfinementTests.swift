import Firn
import FirnTesting
import Foundation
import Testing

/// Passes a confined value to another thread, as a faulty program does.
private struct Smuggled<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

private actor Owner {
    var realm: Realm?

    func open(_ test: TestRealm) async throws -> Smuggled<Realm> {
        let realm = try await Realm(configuration: test.configuration, actor: self)
        self.realm = realm
        return Smuggled(realm)
    }
}

@Suite("Confined objects")
struct ConfinementTests {
    @Test("Using an object on another thread stops the program, and names both threads")
    func threads() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm()
            let realm = Smuggled(try test.open())
            _ = try await TestRealm.elsewhere { realm.value.objects(Person.self).count }
        }.says(
            "the realm at ", "test.firn belongs to thread 0x", " and is used on thread 0x",
            "open the realm there again", "ThreadSafeReference")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm()
            let realm = try test.open()
            let ann = Person(value: ["id": 1])
            try realm.write { realm.add(ann) }
            let smuggled = Smuggled(ann)
            _ = try await TestRealm.elsewhere { smuggled.value.name }
        }.says("belongs to thread 0x", " and is used on thread 0x")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm()
            let realm = Smuggled(try test.open())
            try await TestRealm.elsewhere { try realm.value.write {} }
        }.says("belongs to thread 0x", " and is used on thread 0x")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm()
            let list = Smuggled(try test.open().objects(Person.self).sorted(byKeyPath: "name"))
            _ = try await TestRealm.elsewhere { list.value.first?.id }
        }.says("belongs to thread 0x", " and is used on thread 0x")
    }

    @Test("Using an object outside of its queue stops the program, and names the queue")
    func queues() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm()
            let queue = DispatchQueue(label: "files")
            let realm = try queue.sync {
                Smuggled(try Realm(configuration: test.configuration, queue: queue))
            }
            DispatchQueue(label: "other").sync { _ = realm.value.objects(Person.self).count }
        }.says("belongs to the queue \"files\" and is used on thread 0x")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm()
            _ = try Realm(configuration: test.configuration, queue: DispatchQueue(label: "files"))
        }.says("Realm(queue:) of the queue \"files\" on thread 0x", "in a block of that queue")
    }

    @Test("An object of a queue can be used on any thread on which the queue runs")
    func queueThreads() throws {
        let test = TestRealm()
        let queue = DispatchQueue(label: "files")
        let inner = DispatchQueue(label: "inner", target: queue)
        let realm = try queue.sync {
            let realm = try Realm(configuration: test.configuration, queue: queue)
            try realm.write { realm.create(Person.self, value: ["id": 1]) }
            return Smuggled(realm)
        }
        for _ in 0..<3 {
            let count = inner.sync { realm.value.objects(Person.self).count }
            #expect(count == 1)
        }
        let done = DispatchSemaphore(value: 0)
        queue.async {
            #expect(realm.value.objects(Person.self).count == 1)
            done.signal()
        }
        done.wait()
    }

    @Test("Using an object outside of its actor stops the program, and names the actor")
    func actors() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let test = TestRealm()
            let owner = Owner()
            let realm = try await owner.open(test)
            _ = realm.value.objects(Person.self).count
            withExtendedLifetime(owner) {}
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        // The runtime reports it before Firn can.
        #expect(text.contains("Incorrect actor executor") && text.contains("Owner"), "\(text)")
    }

    @Test("A write in the background needs a run loop, a queue or an actor")
    func scheduling() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm()
            try await TestRealm.elsewhere { _ = try test.open().writeAsync {} }
        }.says("asynchronous writes need a realm of the main thread, a queue or an actor")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm()
            _ = try test.open().freeze().beginAsyncWrite {}
        }.says("cannot be written to", "thaw()")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm()
            try await test.open().asyncWrite {}
        }.says("asyncWrite() is for realms of actors", "writeAsync { }")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let test = TestRealm()
            let realm = try await MainActor.run { Smuggled(try test.open()) }
            try await realm.value.asyncWrite(_isolation: nil) {}
        }.says("asyncWrite() outside of an actor", "writeAsync { }")
    }
}
