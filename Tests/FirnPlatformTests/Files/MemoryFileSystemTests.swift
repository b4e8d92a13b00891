import FirnPlatform
import FirnTesting
import Testing

/// The cases that the conformance tests do not reach: the parts of large files, and the folder in memory.
@Suite("Files in memory")
struct MemoryFileSystemTests {
    private let partBytes = 1 << 20

    @Test("Bytes on both sides of a part boundary are read back as they were written")
    func parts() throws {
        let file = try MemoryFileSystem().open("x", .createNew)
        var generator = SplitMix64(seed: 3)
        let bytes = generator.bytes(partBytes + 4000)
        try file.put(bytes, at: UInt64(partBytes - 1000))
        #expect(try file.status().size == UInt64(2 * partBytes + 3000))
        #expect(try file.get(bytes.count, at: UInt64(partBytes - 1000)) == bytes)
        #expect(try file.get(2000, at: 0) == [UInt8](repeating: 0, count: 2000))
        #expect(
            try file.get(9999, at: UInt64(2 * partBytes - 10)) == Array(bytes.suffix(3010)))
    }

    @Test("A truncated file reads as zeros where it is extended again, in any part")
    func truncation() throws {
        let file = try MemoryFileSystem().open("x", .createNew)
        try file.put([UInt8](repeating: 7, count: 3 * partBytes), at: 0)
        for size in [2 * partBytes + 5, 2 * partBytes, partBytes + 1, 0] {
            try file.truncate(to: UInt64(size))
            try file.truncate(to: UInt64(3 * partBytes))
            let start = max(0, size - 10)
            let found = try file.get(3 * partBytes - start, at: UInt64(start))
            #expect(found.prefix(size - start).allSatisfy { $0 == 7 })
            #expect(found.dropFirst(size - start).allSatisfy { $0 == 0 })
        }
    }

    @Test("A sparse file can be far larger than the memory of the machine")
    func sparse() throws {
        let file = try MemoryFileSystem().open("x", .createNew)
        try file.put([1], at: 1 << 50)
        #expect(try file.status().size == 1 << 50 + 1)
        #expect(try file.get(3, at: 1 << 50 - 1) == [0, 1])
    }

    @Test("Files of two file systems never have the same identity")
    func identities() throws {
        let files = [MemoryFileSystem(), MemoryFileSystem()].map { try? $0.open("x", .createNew) }
        let identities = try files.map { try $0?.status().identity }
        #expect(identities[0] != nil && identities[0] != identities[1])
    }

    @Test("The locks of a file in memory belong to this process")
    func holders() throws {
        let files = MemoryFileSystem()
        let file = try files.open("x", .createNew)
        let identity = try file.status().identity
        #expect(files.lockHolders(of: identity).isEmpty)
        #expect(try file.tryLock(LockRange(start: 9, length: 2), .shared))
        let holder = try #require(files.lockHolders(of: identity).first)
        #expect(holder.isThisProcess && holder.kind == .shared)
        #expect(holder.range == LockRange(start: 9, length: 2))
    }

    @Test("A folder in memory hides nothing on the disk, and leaves nothing there")
    func mounted() throws {
        let folder = TemporaryFolder()
        let files = try MountedFileSystem(SystemFileSystem())
        let inMemory = MountedFileSystem.folder + "/x"
        try files.open(inMemory, .createNew).put([1], at: 0)
        try files.open(folder("y"), .createNew).put([2, 2], at: 0)
        #expect(try files.status(of: inMemory)?.size == 1)
        #expect(try files.status(of: folder("y"))?.size == 2)
        #expect(try files.resolvedPath(inMemory) == inMemory)
        #expect(
            code { try files.rename(inMemory, to: folder("z"), replacing: false) } == .other)
        try files.rename(inMemory, to: inMemory + "2", replacing: false)
        #expect(try files.volume(of: inMemory) == .local)
        #expect(try SystemFileSystem().status(of: MountedFileSystem.folder) == nil)
        #expect(folder.names == ["y"])
        try files.remove(inMemory + "2")
        #expect(try files.status(of: inMemory + "2") == nil)
    }
}
