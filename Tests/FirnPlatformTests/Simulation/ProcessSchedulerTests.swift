import FirnPlatform
import FirnTesting
import Testing

@Suite("Scheduled processes")
struct ProcessSchedulerTests {
    private struct Mistake: Error {}

    private static let seeds = TestScale.seeds(40)

    /// Increments the number in a file, with or without a lock.
    private static func count(
        _ process: SimulatedProcess, rounds: Int, locks: Bool
    ) throws {
        let file = try process.files.open("/x", .readWrite)
        let lock = LockRange(start: 1 << 61)
        for _ in 0..<rounds {
            while locks, try !file.tryLock(lock, .exclusive) {
                process.clock.sleep(nanoseconds: 5000)
            }
            let number = try file.get(1)[0]
            try file.put([number + 1], at: 0)
            if locks { try file.unlock(lock) }
        }
    }

    private func counter(seed: UInt64, locks: Bool) throws -> UInt8? {
        let scheduler = ProcessScheduler(seed: seed)
        scheduler.disk.setContents(of: "/x", to: [0])
        for number in 0..<3 {
            scheduler.start("\(number)") { try Self.count($0, rounds: 10, locks: locks) }
        }
        try scheduler.run()
        return scheduler.disk.contents(of: "/x")?.first
    }

    @Test("A counter without a lock loses increments, but a counter with a lock never does")
    func races() throws {
        let racy = try Self.seeds.map { try counter(seed: $0, locks: false) }
        #expect(racy.contains { $0 != 30 })
        for seed in Self.seeds {
            #expect(try counter(seed: seed, locks: true) == 30, "seed \(seed)")
        }
    }

    @Test("The same seed gives the same run, and other seeds give others")
    func determinism() throws {
        func run(_ seed: UInt64) throws -> [String] {
            let scheduler = ProcessScheduler(seed: seed)
            scheduler.disk.setContents(of: "/x", to: [0])
            let seen = Guarded<[String]>([])
            scheduler.beforeEachSwitch { _, point in seen.withLock { $0.append("\(point)") } }
            for number in 0..<3 {
                scheduler.start("\(number)") { process in
                    _ = process.entropy.random64()
                    try Self.count(process, rounds: 5, locks: true)
                    process.startThread("late") { try Self.count($0, rounds: 2, locks: true) }
                }
            }
            try scheduler.run()
            return seen.withLock { $0 } + ["\(scheduler.stepCount)"]
        }
        for seed in Self.seeds { #expect(try run(seed) == run(seed)) }
        #expect(Set(try Self.seeds.map { try run($0) }).count > Self.seeds.count / 2)
    }

    @Test("Only one thread runs at any time", arguments: seeds)
    func oneAtATime(seed: UInt64) throws {
        let scheduler = ProcessScheduler(seed: seed)
        let isBusy = Guarded(false)
        let clashes = Guarded(0)
        for number in 0..<4 {
            scheduler.start("\(number)") { process in
                for _ in 0..<20 {
                    isBusy.withLock { busy in
                        if busy { clashes.withLock { $0 += 1 } }
                        busy = true
                    }
                    isBusy.withLock { $0 = false }
                    _ = try process.files.status(of: "/x")
                }
            }
        }
        try scheduler.run()
        #expect(clashes.withLock { $0 } == 0)
        #expect(scheduler.stepCount == 80)
    }

    @Test(
        "Sleepers wake in the order of their wake-up times, and no real time passes",
        arguments: seeds)
    func sleeping(seed: UInt64) throws {
        let scheduler = ProcessScheduler(seed: seed)
        let woken = Guarded<[Int]>([])
        for number in [3, 1, 4, 2, 5] {
            scheduler.start("\(number)") { process in
                let start = process.clock.monotonicNanoseconds()
                let time = UInt64(number) * 3_600_000_000_000
                process.clock.sleep(nanoseconds: time)
                guard process.clock.monotonicNanoseconds() >= start + time else { throw Mistake() }
                woken.withLock { $0.append(number) }
            }
        }
        try scheduler.run()
        #expect(woken.withLock { $0 } == [1, 2, 3, 4, 5])
    }

    @Test("A waiter for a word is woken in every process", arguments: seeds)
    func waking(seed: UInt64) throws {
        let scheduler = ProcessScheduler(seed: seed)
        _ = try scheduler.disk.sharedRegion("/shm", .createNew, words: 4)
        for number in UInt64(0)..<3 {
            scheduler.start("\(number)") { process in
                let words = try process.files.sharedRegion("/shm", .readWrite, words: 4)
                // In a ring: each waits until the sum indicates its turn.
                for round in UInt64(0)..<10 {
                    while true {
                        let sum = words.load(1)
                        if sum == round * 3 + number { break }
                        words.wait(1, while: UInt32(sum), nanoseconds: .max)
                    }
                    words.add(1, at: 1)
                    words.wake(1)
                }
            }
        }
        try scheduler.run()
        #expect(try scheduler.disk.sharedRegion("/shm", .readOnly, words: 4).load(1) == 30)
    }

    @Test("A missing wake-up is detected as a deadlock")
    func forgottenWake() throws {
        let scheduler = ProcessScheduler(seed: 1)
        _ = try scheduler.disk.sharedRegion("/shm", .createNew, words: 1)
        for number in 0..<2 {
            scheduler.start("\(number)") { process in
                let words = try process.files.sharedRegion("/shm", .readWrite, words: 1)
                while words.load(0) == 0 { words.wait(0, while: 0, nanoseconds: .max) }
            }
        }
        let failure = try #require(throws: SchedulerFailure.self) { try scheduler.run() }
        guard case .deadlock = failure.reason else {
            Issue.record(failure)
            return
        }
        #expect(failure.trace.last?.operation.kind == .wait)
        #expect(failure.description.contains("seed 1"))
    }

    @Test("A wait with a time limit is not a deadlock, and an endless run is stopped")
    func budget() throws {
        let scheduler = ProcessScheduler(seed: 1, stepsMax: 1000)
        _ = try scheduler.disk.sharedRegion("/shm", .createNew, words: 1)
        scheduler.start("waiter") { process in
            let words = try process.files.sharedRegion("/shm", .readWrite, words: 1)
            while words.load(0) == 0 { words.wait(0, while: 0, nanoseconds: 1_000_000) }
        }
        let failure = try #require(throws: SchedulerFailure.self) { try scheduler.run() }
        guard case .tooManySteps = failure.reason else {
            Issue.record(failure)
            return
        }
        #expect(failure.steps == 1001 && failure.trace.count == 50)
    }

    @Test("An error of a living process is a failure with its trace")
    func errors() throws {
        let scheduler = ProcessScheduler(seed: 7)
        scheduler.start("clumsy") { process in
            _ = try process.files.status(of: "/x")
            throw Mistake()
        }
        scheduler.start("other") { process in
            while true { process.clock.sleep(nanoseconds: 1_000_000) }
        }
        let failure = try #require(throws: SchedulerFailure.self) { try scheduler.run() }
        guard case .threw("clumsy", let error) = failure.reason, error is Mistake else {
            Issue.record(failure)
            return
        }
        #expect(failure.description.contains("clumsy: status /x"))
    }

    @Test("A thread unknown to the scheduler is detected")
    func strangers() throws {
        let scheduler = ProcessScheduler(seed: 1)
        scheduler.start("a") { process in
            let files = process.files
            try WorkerThread { _ = try? files.status(of: "/x") }.join()
        }
        let failure = try #require(throws: SchedulerFailure.self) { try scheduler.run() }
        guard case .stranger = failure.reason else {
            Issue.record(failure)
            return
        }
    }
}
