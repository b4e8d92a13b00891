import FirnPlatform
import FirnTesting
import Testing

@Suite("Byte-range locks, real, simulated and in memory")
struct LockConformanceTests {
    /// Two handles of one file, which exclude each other as two processes do.
    private func handles(_ system: TestedFileSystem) throws -> (any File, any File, FileFixture) {
        let fixture = system.make()
        return (try fixture.create("x"), try fixture.open("x"), fixture)
    }

    private let far = LockRange(start: 1 << 61)

    @Test("Shared locks coexist, exclusive ones do not", arguments: TestedFileSystem.allCases)
    func compatibility(_ system: TestedFileSystem) throws {
        let (first, second, _) = try handles(system)
        #expect(try first.tryLock(far, .shared))
        #expect(try second.tryLock(far, .shared))
        #expect(try !second.tryLock(far, .exclusive))
        try first.unlock(far)
        #expect(try second.tryLock(far, .exclusive), "an own shared lock is upgraded")
        #expect(try !first.tryLock(far, .shared))
        #expect(try second.tryLock(far, .shared), "and downgraded again")
        #expect(try first.tryLock(far, .shared))
    }

    @Test(
        "A query shows the locks of others and never the locks of the caller",
        arguments: TestedFileSystem.allCases
    )
    func asking(_ system: TestedFileSystem) throws {
        let (first, second, _) = try handles(system)
        let all = LockRange(start: 1 << 61, length: 1 << 60)
        #expect(try first.conflictingLock(in: all, .exclusive) == nil)
        let pin = LockRange(start: 1 << 61 + 77)
        #expect(try first.tryLock(pin, .shared))
        #expect(try first.conflictingLock(in: all, .exclusive) == nil)
        #expect(try second.conflictingLock(in: all, .exclusive) == pin)
        #expect(try second.conflictingLock(in: all, .shared) == nil)
        #expect(try second.conflictingLock(in: far, .exclusive) == nil)
    }

    @Test("A conflict is clipped to the requested range", arguments: TestedFileSystem.allCases)
    func cutting(_ system: TestedFileSystem) throws {
        let (first, second, _) = try handles(system)
        #expect(try first.tryLock(LockRange(start: 10, length: 20), .exclusive))
        let asked = LockRange(start: 25, length: 100)
        #expect(
            try second.conflictingLock(in: asked, .shared) == LockRange(start: 25, length: 5))
    }

    @Test("A part of a lock can be released", arguments: TestedFileSystem.allCases)
    func splitting(_ system: TestedFileSystem) throws {
        let (first, second, _) = try handles(system)
        #expect(try first.tryLock(LockRange(start: 0, length: 30), .exclusive))
        try first.unlock(LockRange(start: 10, length: 10))
        #expect(try second.tryLock(LockRange(start: 10, length: 10), .exclusive))
        #expect(try !second.tryLock(LockRange(start: 9), .shared))
        #expect(try !second.tryLock(LockRange(start: 20), .shared))
        #expect(try !second.tryLock(LockRange(start: 5, length: 30), .shared))
        #expect(try second.tryLock(LockRange(start: 30), .exclusive), "adjacent is not an overlap")
    }

    @Test(
        "A refused lock leaves the other locks unchanged", arguments: TestedFileSystem.allCases)
    func refusal(_ system: TestedFileSystem) throws {
        let (first, second, _) = try handles(system)
        #expect(try first.tryLock(LockRange(start: 5), .exclusive))
        #expect(try second.tryLock(LockRange(start: 0, length: 5), .shared))
        #expect(try !second.tryLock(LockRange(start: 0, length: 10), .exclusive))
        #expect(try first.tryLock(LockRange(start: 0, length: 5), .shared))
    }

    @Test(
        "A refused upgrade keeps the shared lock", arguments: TestedFileSystem.allCases)
    func refusedUpgrade(_ system: TestedFileSystem) throws {
        let (first, second, _) = try handles(system)
        #expect(try first.tryLock(far, .shared))
        #expect(try second.tryLock(far, .shared))
        #expect(try !first.tryLock(far, .exclusive))
        #expect(try second.conflictingLock(in: far, .exclusive) == far, "the first still has it")
        try second.unlock(far)
        #expect(try !second.tryLock(far, .exclusive))
        #expect(try first.tryLock(far, .exclusive))
    }

    @Test(
        "Converting a lock between shared and exclusive leaves no gap for others",
        arguments: TestedFileSystem.allCases)
    func conversion(_ system: TestedFileSystem) throws {
        let (first, second, _) = try handles(system)
        #expect(try first.tryLock(far, .shared))
        let hasEnded = Guarded(false)
        let taken = Guarded(0)
        let rival = try WorkerThread { [far] in
            while !hasEnded.withLock({ $0 }) {
                // An error would also be a lock that was not taken.
                if (try? second.tryLock(far, .exclusive)) == true { taken.withLock { $0 += 1 } }
            }
        }
        for _ in 0..<20_000 {
            #expect(try first.tryLock(far, .exclusive))
            #expect(try first.tryLock(far, .shared))
        }
        hasEnded.withLock { $0 = true }
        rival.join()
        #expect(taken.withLock { $0 } == 0)
        #expect(try !second.tryLock(far, .exclusive))
    }

    @Test("Closing a handle releases all its locks", arguments: TestedFileSystem.allCases)
    func closing(_ system: TestedFileSystem) throws {
        let fixture = system.make()
        let first = try fixture.create("x")
        do {
            let second = try fixture.open("x")
            #expect(try second.tryLock(far, .exclusive))
            #expect(try !first.tryLock(far, .exclusive))
        }
        #expect(try first.tryLock(far, .exclusive))
    }

    @Test(
        "Closing another handle of the file releases nothing", .tags(.security),
        arguments: TestedFileSystem.allCases)
    func closingAnother(_ system: TestedFileSystem) throws {
        let (first, second, fixture) = try handles(system)
        #expect(try first.tryLock(far, .exclusive))
        do {
            // With POSIX locks this would free the lock of `first`.
            _ = try fixture.open("x", .readOnly).get(1)
        }
        #expect(try !second.tryLock(far, .shared))
    }

    @Test(
        "A handle opened for reading can hold only shared locks",
        arguments: TestedFileSystem.allCases
    )
    func readOnlyHandles(_ system: TestedFileSystem) throws {
        let (first, _, fixture) = try handles(system)
        let reader = try fixture.open("x", .readOnly)
        #expect(try reader.tryLock(far, .shared))
        #expect(try first.conflictingLock(in: far, .exclusive) == far)
        #expect(code { _ = try reader.tryLock(far, .exclusive) } == .notOpen)
    }

    @Test("Impossible ranges throw errors", arguments: TestedFileSystem.allCases)
    func impossibleRanges(_ system: TestedFileSystem) throws {
        let (file, _, _) = try handles(system)
        let ranges = [
            LockRange(start: 0, length: 0), LockRange(start: 1 << 63),
            LockRange(start: .max, length: .max), LockRange(start: 1 << 62, length: 1 << 62),
        ]
        for range in ranges {
            #expect(code { _ = try file.tryLock(range, .shared) } == .other)
            #expect(code { try file.unlock(range) } == .other)
            #expect(code { _ = try file.conflictingLock(in: range, .shared) } == .other)
        }
        #expect(try file.tryLock(LockRange(start: UInt64(Int64.max) - 1), .shared))
    }
}
