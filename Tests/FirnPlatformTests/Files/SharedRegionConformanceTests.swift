import FirnPlatform
import FirnTesting
import Testing

@Suite("Shared memory, real, simulated and in memory")
struct SharedRegionConformanceTests {
    private func region(
        _ fixture: FileFixture, _ mode: OpenMode, words: Int = 64, name: String = "x"
    ) throws -> any SharedRegion {
        try fixture.files.sharedRegion(fixture.path(name), mode, words: words)
    }

    @Test(
        "New memory is all zeros and has the identity of its file",
        arguments: TestedFileSystem.allCases)
    func creation(_ system: TestedFileSystem) throws {
        let fixture = system.make()
        let region = try region(fixture, .createNew, words: 1000)
        #expect((0..<1000).allSatisfy { region.load($0) == 0 })
        #expect(region.path == fixture.path("x"))
        let status = try #require(try fixture.files.status(of: fixture.path("x")))
        #expect(status.identity == region.identity)
        #expect(status.size == 8000 && status.kind == .regular)
    }

    @Test("Every mapping sees what another mapping writes", arguments: TestedFileSystem.allCases)
    func sharing(_ system: TestedFileSystem) throws {
        let fixture = system.make()
        let first = try region(fixture, .createNew)
        let second = try region(fixture, .readWrite)
        let reader = try region(fixture, .readOnly)
        #expect(first.identity == second.identity)
        first.store(.max - 1, at: 63)
        second.store(7, at: 0)
        #expect(second.load(63) == .max - 1 && reader.load(63) == .max - 1)
        #expect(first.load(0) == 7 && reader.load(0) == 7)
        #expect(first.add(3, at: 63) == 1, "sums wrap around")
        #expect(reader.load(63) == 1)
        #expect(!second.exchange(8, for: 9, at: 0))
        #expect(first.load(0) == 7)
        #expect(second.exchange(7, for: 9, at: 0))
        #expect(first.load(0) == 9 && first.load(1) == 0)
    }

    @Test(
        "A wait for a word ends at once if the word already has another value",
        arguments: TestedFileSystem.allCases)
    func watch(_ system: TestedFileSystem) throws {
        let fixture = system.make()
        let first = try region(fixture, .createNew)
        let reader = try region(fixture, .readOnly)
        first.store(1 << 32, at: 5)
        #expect(reader.watch(5, while: 0, nanoseconds: .max))
        #expect(!reader.watch(5, while: 1 << 32, nanoseconds: 1000))
    }

    @Test("The words are the bytes of the file", arguments: TestedFileSystem.allCases)
    func bytes(_ system: TestedFileSystem) throws {
        let fixture = system.make()
        let region = try region(fixture, .createNew, words: 2)
        region.store(0x0102_0304_0506_0708, at: 1)
        let file = try fixture.open("x")
        #expect(try file.get(99) == [0, 0, 0, 0, 0, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1])
        try file.put([0xFF], at: 0)
        #expect(region.load(0) == 0xFF)
    }

    @Test(
        "A removed file stays shared by the processes that have it",
        arguments: TestedFileSystem.allCases
    )
    func removal(_ system: TestedFileSystem) throws {
        let fixture = system.make()
        let first = try region(fixture, .createNew)
        let second = try region(fixture, .readWrite)
        try fixture.files.remove(fixture.path("x"))
        first.store(5, at: 2)
        #expect(second.load(2) == 5)
        let other = try region(fixture, .createNew)
        #expect(other.load(2) == 0 && other.identity != first.identity)
    }

    @Test(
        "A file of another size is refused", arguments: TestedFileSystem.allCases,
        [0, 1, 511, 513, 1024])
    func size(_ system: TestedFileSystem, _ size: Int) throws {
        let fixture = system.make()
        _ = try fixture.create("x", [UInt8](repeating: 1, count: size))
        for mode in [OpenMode.readOnly, .readWrite] {
            #expect(code { _ = try region(fixture, mode) } == .other)
        }
        #expect(try fixture.files.status(of: fixture.path("x"))?.size == UInt64(size))
    }

    @Test("Truncated memory is refused", arguments: TestedFileSystem.allCases)
    func truncation(_ system: TestedFileSystem) throws {
        let fixture = system.make()
        do { _ = try region(fixture, .createNew) }
        try fixture.open("x").truncate(to: 100)
        #expect(code { _ = try region(fixture, .readWrite) } == .other)
    }

    @Test("Everything except a regular file is refused", arguments: TestedFileSystem.allCases)
    func others(_ system: TestedFileSystem) throws {
        let fixture = system.make()
        for mode in [OpenMode.readOnly, .readWrite] {
            for name in ["folder", "fifo"] {
                #expect(code { _ = try region(fixture, mode, name: name) } == .notARegularFile)
            }
            #expect(code { _ = try region(fixture, mode, name: "none") } == .notFound)
            #expect(code { _ = try region(fixture, mode, name: "x\0y") } == .invalidPath)
        }
        _ = try fixture.create("x", [1])
        for name in ["x", "folder", "fifo"] {
            #expect(code { _ = try region(fixture, .createNew, name: name) } == .alreadyExists)
        }
        #expect(try fixture.open("x").get(9) == [1])
    }

    @Test(
        "A wait ends when the value changes or its time limit expires",
        arguments: TestedFileSystem.allCases)
    func waiting(_ system: TestedFileSystem) throws {
        let fixture = system.make()
        let region = try region(fixture, .createNew)
        region.store(0xFF_0000_0001, at: 3)
        // Only the lower half is compared.
        region.wait(3, while: 2, nanoseconds: .max)
        region.wait(3, while: 1, nanoseconds: 1000)
        region.wait(3, while: 1, nanoseconds: 0)
        region.wake(3)
        region.wake(4)
    }
}
