import FirnPlatform
import FirnTesting
import Testing

@Suite("Threads and locks")
struct ThreadTests {
    private struct Refusal: Error, Equatable {}

    @Test("A guarded value is changed by one thread at a time")
    func guarded() throws {
        let counter = Guarded(0)
        let threads = try (0..<4).map { _ in
            try WorkerThread { for _ in 0..<10_000 { counter.withLock { $0 += 1 } } }
        }
        for thread in threads { thread.join() }
        #expect(counter.withLock { $0 } == 40_000)
    }

    @Test("The lock is released when the body throws")
    func throwing() {
        let lock = Lock()
        for _ in 0..<2 {
            #expect(throws: Refusal()) {
                try lock.withLock { () throws(Refusal) in throw Refusal() }
            }
        }
        let value = Guarded([1])
        #expect(throws: Refusal()) {
            try value.withLock { (list) throws(Refusal) in
                list.append(2)
                throw Refusal()
            }
        }
        #expect(value.withLock { $0 } == [1, 2])
    }

    @Test("A condition wakes its waiters")
    func condition() throws {
        // The value is accessed under the lock only.
        final class Box: @unchecked Sendable { var turn = 0 }
        let (lock, condition, box) = (Lock(), Condition(), Box())
        let rounds = 1000
        let thread = try WorkerThread {
            for round in 0..<rounds {
                lock.withLock {
                    while box.turn != 2 * round + 1 { condition.wait(lock) }
                    box.turn += 1
                    condition.wakeAll()
                }
            }
        }
        for round in 0..<rounds {
            lock.withLock {
                while box.turn != 2 * round { condition.wait(lock) }
                box.turn += 1
                condition.wakeOne()
            }
        }
        thread.join()
        #expect(lock.withLock { box.turn } == 2 * rounds)
    }

    @Test("A wait with a time limit returns, and reports whether the time expired")
    func timedWait() throws {
        let (lock, condition) = (Lock(), Condition())
        let clock = SystemClock()
        let start = clock.monotonicNanoseconds()
        // Spurious wake-ups happen, but not that often.
        let isOver = (0..<1000).contains { _ in
            lock.withLock { !condition.wait(lock, nanoseconds: 2_000_000) }
        }
        #expect(isOver)
        #expect(clock.monotonicNanoseconds() - start >= 2_000_000)
        #expect(lock.withLock { !condition.wait(lock, nanoseconds: 0) })
    }

    @Test("A wait with a time limit can be woken early", .timeLimit(.minutes(1)))
    func wokenTimedWait() throws {
        final class Box: @unchecked Sendable { var isReady = false }
        let (lock, condition, box) = (Lock(), Condition(), Box())
        let thread = try WorkerThread {
            lock.withLock {
                box.isReady = true
                condition.wakeAll()
            }
        }
        lock.withLock {
            while !box.isReady { condition.wait(lock, nanoseconds: .max) }
        }
        thread.join()
    }

    @Test("A worker has the requested stack size")
    func stack() throws {
        @Sendable func depth(_ left: Int) -> Int {
            withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
                buffer[0] = UInt8(truncatingIfNeeded: left)
                return left == 0 ? 0 : depth(left - 1) + Int(buffer[0] & 1 | 1)
            }
        }
        let result = Guarded(0)
        // 60 MiB of frames, well beyond the default of eight.
        let thread = try WorkerThread(stackBytes: 64 << 20) {
            let reached = depth(13_000)
            result.withLock { $0 = reached }
        }
        thread.join()
        thread.join()
        #expect(result.withLock { $0 } == 13_000)
    }

    @Test("A stack size that the system refuses throws an error")
    func refusedStack() {
        #expect(throws: PlatformError.self) { try WorkerThread(stackBytes: 1) {} }
    }

    @Test("The body is released when the thread ends")
    func release() throws {
        final class Witness: Sendable {}
        weak var witness: Witness?
        do {
            let kept = Witness()
            witness = kept
            try WorkerThread { _ = kept }.join()
        }
        #expect(witness == nil)
    }
}
