import FirnPlatform
import FirnTesting
import Testing

@Suite("Simulated shared memory")
struct SimulatedSharedRegionTests {
    @Test("A region survives the death of all processes, but a power loss may leave anything in it")
    func losses() throws {
        let disk = SimulatedFileSystem()
        let words = try disk.sharedRegion("/shm", .createNew, words: 128)
        try disk.syncDirectory(holding: "/shm")
        try disk.open("/shm", .readWrite).sync(.full)
        words.store(1, at: 0)
        words.store(1, at: 127)
        let died = try disk.processDeathImage().sharedRegion("/shm", .readOnly, words: 128)
        #expect(died.load(0) == 1 && died.load(127) == 1)
        let images = try (0..<UInt64(100)).map { seed in
            let image = disk.powerLossImage(.random(seed: seed))
            let words = try image.sharedRegion("/shm", .readOnly, words: 128)
            return [words.load(0), words.load(127)]
        }
        #expect(Set(images).isSuperset(of: [[0, 0], [0, 1], [1, 0], [1, 1]]))
    }

    @Test("A dead process loses its later stores, and its waits end at once")
    func deadProcess() throws {
        let disk = SimulatedFileSystem()
        let process = disk.anotherProcess()
        let words = try process.sharedRegion("/shm", .createNew, words: 2)
        words.store(1, at: 0)
        process.kill()
        words.store(2, at: 0)
        words.add(2, at: 0)
        words.wait(0, while: 0, nanoseconds: .max)
        #expect(try disk.sharedRegion("/shm", .readOnly, words: 2).load(0) == 1)
        try disk.remove("/shm")
        #expect(words.load(0) == 0, "also when the file has gone")
    }

    @Test("Memory that does not fit throws an error and leaves nothing")
    func full() throws {
        let disk = SimulatedFileSystem(capacity: 1000)
        #expect(code { _ = try disk.sharedRegion("/shm", .createNew, words: 200) } == .diskFull)
        #expect(disk.fileNames == [] && disk.openHandleCount == 0)
        _ = try disk.sharedRegion("/shm", .createNew, words: 125)
    }

    @Test("A test can intervene before accesses, which do not count as changes to the disk")
    func steppingIn() throws {
        let disk = SimulatedFileSystem()
        let words = try disk.sharedRegion("/shm", .createNew, words: 2)
        let count = disk.operationCount
        let seen = Guarded<[String]>([])
        disk.beforeEachOperation { operation in seen.withLock { $0.append("\(operation)") } }
        words.store(1, at: 1)
        _ = words.exchange(1, for: 2, at: 1)
        words.add(words.load(1), at: 0)
        words.wait(0, while: 0, nanoseconds: 1)
        words.wake(0)
        let expected = [
            ("store", 1), ("exchange", 1), ("load", 1), ("add", 0), ("wait", 0), ("wake", 0),
        ]
        #expect(seen.withLock { $0 } == expected.map { "\($0) /shm word \($1)" })
        #expect(disk.operationCount == count)
    }

    @Test("A wait without other threads advances the clock of the machine")
    func time() throws {
        let disk = SimulatedFileSystem()
        let clock = SimulatedClock()
        let services = disk.services(clock: clock)
        let words = try services.files.sharedRegion("/shm", .createNew, words: 1)
        let start = clock.monotonicNanoseconds()
        words.wait(0, while: 1, nanoseconds: 500)
        #expect(clock.monotonicNanoseconds() == start, "the value is another one")
        words.wait(0, while: 0, nanoseconds: 500)
        #expect(clock.monotonicNanoseconds() == start + 500)
        words.wait(0, while: 0, nanoseconds: .max)
        #expect(clock.monotonicNanoseconds() > start + 500)
    }

    @Test("A test decides where files lie and which process holds a lock")
    func choices() throws {
        let disk = SimulatedFileSystem()
        disk.makeFolder("/a")
        let file = try disk.open("/a/x", .createNew)
        #expect(try disk.volume(of: "/a/x") == .local)
        disk.setVolume(.network)
        #expect(try disk.anotherProcess().volume(of: "/a/none") == .network)
        #expect(try disk.powerLossImage(.nothingSurvives).volume(of: "/a/x") == .network)
        #expect(code { _ = try disk.volume(of: "/b/x") } == .notFound)
        let identity = try file.status().identity
        #expect(disk.lockHolders(of: identity) == [])
        let holder = LockHolder(
            pid: 7, command: "firn write", ageSeconds: 3, isStopped: true,
            range: LockRange(start: 1), kind: .exclusive, isThisProcess: false)
        disk.setLockHolders([holder])
        #expect(disk.anotherProcess().lockHolders(of: identity) == [holder])
    }
}
