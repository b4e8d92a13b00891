import FirnPlatform
import Testing

@Suite("Results that are taken in the order of their parts")
struct OrderedWorkTests {
    @Test("The results are in the order of the parts", arguments: [1, 2, 3, 50])
    func order(threadCount: Int) {
        let work = OrderedWork(threadCount: threadCount) { (number: Int) in number * number }
        var squares: [Int] = []
        for number in 0..<1000 {
            work.add(number)
            if work.count > threadCount, let square = work.takeNext() { squares.append(square) }
        }
        while let square = work.takeNext() { squares.append(square) }
        #expect(squares == (0..<1000).map { $0 * $0 })
        #expect(work.count == 0)
        #expect(work.takeNext() == nil)
    }

    @Test("Parts can be added after all results have been taken")
    func again() {
        let work = OrderedWork(threadCount: 2) { (number: Int) in -number }
        for number in 0..<100 {
            work.add(number)
            #expect(work.takeNext() == -number)
            #expect(work.takeNext() == nil)
        }
    }

    @Test("Another thread computes parts that the caller does not wait for")
    func otherThread() {
        let caller = ThreadIdentity.current
        let (computed, lock) = (Condition(), Lock())
        let count = Guarded(0)
        let work = OrderedWork(threadCount: 2) { (_: Int) in
            lock.withLock {
                count.withLock { $0 += 1 }
                computed.wakeAll()
            }
            return ThreadIdentity.current
        }
        work.add(1)
        lock.withLock {
            while count.withLock({ $0 }) == 0 {
                guard computed.wait(lock, nanoseconds: 30_000_000_000) else { return }
            }
        }
        #expect(work.takeNext() != caller)
    }

    @Test("Threads stop even if some results are never taken")
    func dropped() {
        final class Witness: Sendable {}
        weak var witness: Witness?
        do {
            let alive = Witness()
            witness = alive
            let work = OrderedWork(threadCount: 3) { [alive] (number: Int) in (number, alive) }
            for number in 0..<100 { work.add(number) }
            _ = work.takeNext()
        }
        #expect(witness == nil)
    }
}
