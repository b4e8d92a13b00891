// Each queue that a realm was opened for left a key behind for ever, like the actors that were never
// freed: the mark by which a queue is known was kept in a table of the process.

import Dispatch
import FirnPlatform
import Testing

@testable import Firn

@Suite("A queue that a realm was opened for")
struct QueueMarkTests {
    @Test("leaves nothing behind when it is freed, and keeps its realm as long as it is there")
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
        // A queue is freed some time after it was let go of, and other tests have queues, too.
        let limit = before + 100
        for _ in 0..<1_000 where RealmQueue.marks.withLock({ $0.count }) >= limit {
            try await Task.sleep(nanoseconds: 10_000_000)
        }
        #expect(RealmQueue.marks.withLock { $0.count } < limit)
        try open(kept)
    }
}
