import FirnPlatform
import Testing

@testable import Firn

@Suite("The count of users")
struct UserCountTests {
    /// A count without a last user would keep its realm for ever, and one with two would free it
    /// while it is used.
    @Test("If threads add and remove users, exactly one user is the first and one the last")
    func concurrentUsers() throws {
        let rounds = 2_000_000
        let users = SharedCount()
        let ends = Guarded(0)
        #expect(users.add())
        let threads = try (0..<4).map { _ in
            try WorkerThread {
                var seen = 0
                for _ in 0..<rounds {
                    if users.add() { seen += 1 }
                    if users.remove() { seen += 1 }
                }
                ends.withLock { $0 += seen }
            }
        }
        for thread in threads { thread.join() }
        #expect(ends.withLock { $0 } == 0)
        #expect(users.remove())
    }

    private final class SharedCount: Sendable {
        private let count = UserCount()

        func add() -> Bool { count.add() }
        func remove() -> Bool { count.remove() }
    }
}
