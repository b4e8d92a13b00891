import Dispatch
import Firn
import Foundation
import Testing

/// A synchronous write waited forever for the write lock of a transaction that had begun in the
/// background and waited for the queue, or the actor, that the write kept busy.
@Suite("Asynchronous writes")
struct AsyncWritingTests {
    private final class Held: @unchecked Sendable {
        var realm: Realm?
        var order: [Int] = []
    }

    @Test("Asynchronous writes are in progress inside their blocks")
    @MainActor
    func isPerforming() async throws {
        let test = TestRealm([Toy.self])
        let realm = try await Realm(configuration: test.configuration)
        #expect(!realm.isPerformingAsynchronousWriteOperations)
        let inside = try await realm.asyncWrite { realm.isPerformingAsynchronousWriteOperations }
        #expect(inside)
        #expect(!realm.isPerformingAsynchronousWriteOperations)
        let insideBlock = await withCheckedContinuation { continuation in
            let held = Held()
            realm.writeAsync {
                held.order.append(realm.isPerformingAsynchronousWriteOperations ? 1 : 0)
            } onComplete: { _ in
                continuation.resume(returning: held.order)
            }
        }
        #expect(insideBlock == [1])
        #expect(!realm.isPerformingAsynchronousWriteOperations)
    }

    @Test("An asynchronous write lets a synchronous write go first")
    func synchronousFirst() async throws {
        let test = TestRealm([Toy.self])
        let order = try await TestRealm.elsewhere { () throws -> [Int] in
            let queue = DispatchQueue(label: "writes")
            let held = Held()
            let group = DispatchGroup()
            try queue.sync {
                let realm = try Realm(configuration: test.configuration, queue: queue)
                held.realm = realm
                for id in 0..<50 {
                    group.enter()
                    realm.writeAsync {
                        realm.add(Toy(id: 100 + id))
                        held.order.append(100 + id)
                    } onComplete: { error in
                        #expect(error == nil)
                        group.leave()
                    }
                    try realm.write { realm.add(Toy(id: id)) }
                    held.order.append(id)
                }
            }
            group.wait()
            return queue.sync {
                #expect(held.realm?.objects(Toy.self).count == 100)
                #expect(held.realm?.isPerformingAsynchronousWriteOperations == false)
                held.realm = nil
                return held.order
            }
        }
        #expect(order == Array(0..<50) + Array(100..<150))
    }

    private actor Writer {
        private var realm: Realm?

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm(configuration: configuration, actor: self)
        }

        func addLater(_ id: Int) async throws {
            guard let realm else { return }
            try await realm.asyncWrite { realm.add(Toy(id: id)) }
        }

        func add(_ id: Int) throws {
            guard let realm else { return }
            try realm.write { realm.add(Toy(id: id)) }
        }

        func close() -> Int {
            defer { realm = nil }
            return realm?.objects(Toy.self).count ?? 0
        }
    }

    @Test("Asynchronous and synchronous writes of an actor do not wait for each other")
    func actorWrites() async throws {
        let test = TestRealm([Toy.self])
        let writer = Writer()
        try await writer.open(test.configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 0..<50 {
                group.addTask { try await writer.addLater(100 + id) }
                group.addTask { try await writer.add(id) }
            }
            try await group.waitForAll()
        }
        #expect(await writer.close() == 100)
    }
}
