import FirnPlatform
import Testing

@Suite("Parts that several threads compute")
struct ParallelMapTests {
    private struct Refusal: Error, Equatable {
        let part: Int
    }

    @Test("The results are in the order of the parts", arguments: [1, 2, 3, 200])
    func order(threadCount: Int) {
        let squares = ParallelMap.map(Array(0..<100), threadCount: threadCount) { $0 * $0 }
        #expect(squares == (0..<100).map { $0 * $0 })
        #expect(ParallelMap.map([Int](), threadCount: threadCount) { $0 }.isEmpty)
    }

    @Test("Another thread takes parts that the caller has not started")
    func otherThread() {
        let first = ThreadIdentity.current
        let begun = Guarded(Set<ThreadIdentity>())
        let (arrived, lock) = (Condition(), Lock())
        // Each of two parts waits until the other one was begun.
        _ = ParallelMap.map([0, 1], threadCount: 2) { _ in
            lock.withLock {
                begun.withLock { _ = $0.insert(ThreadIdentity.current) }
                arrived.wakeAll()
                while begun.withLock({ $0.count }) < 2 {
                    guard arrived.wait(lock, nanoseconds: 30_000_000_000) else { return }
                }
            }
        }
        #expect(begun.withLock { $0.count } == 2)
        #expect(begun.withLock { $0.contains(first) })
    }

    @Test("The error of the first failed part is thrown", arguments: [1, 2, 4])
    func failure(threadCount: Int) {
        #expect(throws: Refusal(part: 3)) {
            try ParallelMap.map(Array(0..<50), threadCount: threadCount) {
                part throws(Refusal) in
                if part >= 3 { throw Refusal(part: part) }
                return part
            }
        }
    }
}
