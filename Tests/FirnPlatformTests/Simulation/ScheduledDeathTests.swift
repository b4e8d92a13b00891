import FirnPlatform
import FirnTesting
import Testing

@Suite("Deaths of scheduled processes")
struct ScheduledDeathTests {
    private struct Mistake: Error {}

    private static let seeds = TestScale.seeds(40)
    private static let lock = LockRange(start: 1 << 61)

    @Test(
        "A kill releases the locks at once, and the process writes nothing afterwards",
        arguments: seeds
    )
    func kill(seed: UInt64) throws {
        let scheduler = ProcessScheduler(seed: seed)
        scheduler.disk.setContents(of: "/x", to: [0, 0])
        let victim = scheduler.start("victim") { process in
            let file = try process.files.open("/x", .readWrite)
            while try !file.tryLock(Self.lock, .exclusive) {
                process.clock.sleep(nanoseconds: 1000)
            }
            for _ in 0..<10 { try file.put([1], at: 0) }
            try file.put([2], at: 1)
        }
        scheduler.start("heir") { process in
            let file = try process.files.open("/x", .readWrite)
            while try file.get(1) == [0] { process.clock.sleep(nanoseconds: 1000) }
            while try !file.tryLock(Self.lock, .exclusive) {
                process.clock.sleep(nanoseconds: 1000)
            }
            guard try file.get(2) == [1, 0] else { throw Mistake() }
            try file.put([3], at: 0)
            for _ in 0..<50 { _ = try process.files.status(of: "/x") }
            guard try file.get(2) == [3, 0] else { throw Mistake() }
        }
        let writes = Guarded(0)
        scheduler.beforeEachSwitch { scheduler, point in
            guard point.process === victim, point.operation.kind == .write else { return }
            let count = writes.withLock {
                $0 += 1
                return $0
            }
            if count == 2 + Int(seed % 9) { scheduler.kill(victim) }
        }
        try scheduler.run()
        #expect(!victim.isAlive)
        #expect(scheduler.disk.contents(of: "/x") == [3, 0])
        #expect(!scheduler.disk.hasLocks && scheduler.disk.openHandleCount == 0)
    }

    @Test("A kill can happen in the middle of a write")
    func halfWrite() throws {
        let scheduler = ProcessScheduler(seed: 3)
        scheduler.disk.setContents(of: "/x", to: [0, 0, 0, 0])
        let victim = scheduler.start("victim") { process in
            try process.files.open("/x", .readWrite).put([1, 1, 1, 1], at: 0)
        }
        scheduler.beforeEachSwitch { scheduler, point in
            if point.operation.kind == .write { scheduler.kill(victim, applying: .half) }
        }
        try scheduler.run()
        #expect(scheduler.disk.contents(of: "/x") == [1, 1, 0, 0])
    }

    @Test("A process that sleeps or waits can be killed, with all its threads", arguments: seeds)
    func killedWaiters(seed: UInt64) throws {
        let scheduler = ProcessScheduler(seed: seed)
        _ = try scheduler.disk.sharedRegion("/shm", .createNew, words: 2)
        let victim = scheduler.start("victim") { process in
            for number in 0..<2 {
                process.startThread("waiter \(number)") { process in
                    let words = try process.files.sharedRegion("/shm", .readWrite, words: 2)
                    words.add(1, at: 1)
                    // Code that cannot throw retries forever, even in a dead process.
                    while words.load(0) == 0 { words.wait(0, while: 0, nanoseconds: .max) }
                    words.store(99, at: 1)
                }
            }
            process.clock.sleep(nanoseconds: .max)
        }
        scheduler.start("killer") { [unowned scheduler] process in
            let words = try process.files.sharedRegion("/shm", .readWrite, words: 2)
            while words.load(1) < 2 { process.clock.sleep(nanoseconds: 1000) }
            scheduler.kill(victim)
            words.store(1, at: 0)
            words.wake(0)
            for _ in 0..<20 { process.clock.sleep(nanoseconds: 1000) }
            guard words.load(1) == 2 else { throw Mistake() }
        }
        try scheduler.run()
        #expect(scheduler.disk.openHandleCount == 0)
    }

    @Test("A dead thread that retries forever is abandoned")
    func abandoned() throws {
        let scheduler = ProcessScheduler(seed: 1)
        let victim = scheduler.start("victim") { process in
            while true { process.clock.sleep(nanoseconds: 1_000_000) }
        }
        scheduler.start("killer") { [unowned scheduler] process in
            process.clock.sleep(nanoseconds: 10_000_000)
            scheduler.kill(victim)
            process.clock.sleep(nanoseconds: 10_000_000)
        }
        try scheduler.run()
        #expect(scheduler.stepCount < 100)
    }

    @Test("A replacement can be started at the moment of the kill", arguments: seeds)
    func replacement(seed: UInt64) throws {
        let scheduler = ProcessScheduler(seed: seed)
        scheduler.disk.setContents(of: "/x", to: [0])
        let generator = Guarded(SplitMix64(seed: seed))
        let body: @Sendable (SimulatedProcess) throws -> Void = { process in
            let file = try process.files.open("/x", .readWrite)
            while true {
                while try !file.tryLock(Self.lock, .exclusive) {
                    process.clock.sleep(nanoseconds: 1000)
                }
                let number = try file.get(1)[0]
                if number == 20 { return }
                try file.put([number + 1], at: 0)
                try file.unlock(Self.lock)
            }
        }
        for number in 0..<3 { scheduler.start("\(number)", body) }
        scheduler.beforeEachSwitch { scheduler, point in
            guard generator.withLock({ $0.happens(oneIn: 20) }) else { return }
            scheduler.kill(point.process)
            scheduler.start("\(point.process.name)'", body)
        }
        try scheduler.run()
        #expect(scheduler.disk.contents(of: "/x") == [20])
    }

    @Test("A process that ends releases its locks", arguments: seeds)
    func exits(seed: UInt64) throws {
        final class Keeper: @unchecked Sendable { var file: (any File)? }
        let keeper = Keeper()
        let scheduler = ProcessScheduler(seed: seed)
        scheduler.disk.setContents(of: "/x", to: [0])
        scheduler.start("first") { process in
            keeper.file = try process.files.open("/x", .readWrite)
            guard try keeper.file?.tryLock(Self.lock, .shared) == true else { throw Mistake() }
        }
        scheduler.start("second") { process in
            let file = try process.files.open("/x", .readWrite)
            while try !file.tryLock(Self.lock, .exclusive) {
                process.clock.sleep(nanoseconds: 1000)
            }
        }
        try scheduler.run()
        keeper.file = nil
        #expect(scheduler.disk.openHandleCount == 0)
    }

    @Test(
        "After a power loss no process continues, and only synced data is certain",
        arguments: seeds)
    func powerLoss(seed: UInt64) throws {
        let scheduler = ProcessScheduler(seed: seed)
        scheduler.disk.setContents(of: "/x", to: [0, 0, 0])
        _ = try scheduler.disk.sharedRegion("/shm", .createNew, words: 3)
        for number in 0..<3 {
            scheduler.start("\(number)") { process in
                let file = try process.files.open("/x", .readWrite)
                let words = try process.files.sharedRegion("/shm", .readWrite, words: 3)
                for round in UInt8(1)...9 {
                    try file.put([round], at: UInt64(number))
                    try file.sync(.data)
                    words.store(UInt64(round), at: number)
                }
            }
        }
        let killAt = 10 + Int(seed % 40)
        scheduler.beforeEachSwitch { scheduler, point in
            if point.step == killAt { scheduler.losePower() }
        }
        try scheduler.run()
        let disk = scheduler.disk
        #expect(disk.hasCrashed)
        let died = disk.processDeathImage()
        let words = try died.sharedRegion("/shm", .readOnly, words: 3)
        let image = try #require(disk.powerLossImage(.nothingSurvives).contents(of: "/x"))
        for number in 0..<3 { #expect(UInt64(image[number]) >= words.load(number)) }
        #expect(disk.powerLossImage(.nothingSurvives).contents(of: "/shm") == nil)
    }
}
