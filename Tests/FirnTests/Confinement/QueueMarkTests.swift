// Each queue for which a realm was opened left a key behind forever, like the actors that were
// never freed: the mark that identifies a queue was kept in a table of the process.

import Dispatch
import FirnPlatform
import Testing

@testable import Firn

@Suite("Queues with a realm")
struct QueueMarkTests {
    @Test("A freed queue leaves no memory, and a queue keeps its realm while it exists")
    func freed() async throws {
        let test = TestRealm()
        func open(_ queue: DispatchQueue) throws {
            try queue.sync {
                let realm = try Realm(configuration: test.configuration, queue: queue)
                #expect(try Realm(configuration: test.configuration, queue: queue) == realm)
            }
        }
        let kept = DispatchQueue(label: "kept")
        try open(kept)
        let before = RealmQueue.marks.withLock { $0.count }
        for _ in 0..<200 { try open(DispatchQueue(label: "gone")) }
        // A queue is freed some time after its release, and other tests have queues, too.
        let limit = before + 100
        for _ in 0..<1_000 where RealmQueue.marks.withLock({ $0.count }) >= limit {
            try await Task.sleep(nanoseconds: 10_000_000)
        }
        #expect(RealmQueue.marks.withLock { $0.count } < limit)
        try open(kept)
    }
}
