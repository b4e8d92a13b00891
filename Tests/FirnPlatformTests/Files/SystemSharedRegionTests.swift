import FirnPlatform
import FirnTesting
import Glibc
import Testing

@Suite("Shared memory of real processes")
struct SystemSharedRegionTests {
    private let files = SystemFileSystem()

    @Test("Two programs see each other's words")
    func otherProgram() throws {
        let folder = TemporaryFolder()
        let region = try files.sharedRegion(folder("x"), .createNew, words: 4)
        region.store(0x1122_3344_5566_7788, at: 1)
        let script = """
            import mmap, struct, sys
            with open(sys.argv[1], "r+b") as file:
                words = mmap.mmap(file.fileno(), 0)
            print("%x" % struct.unpack_from("<Q", words, 8)[0], flush=True)
            struct.pack_into("<Q", words, 24, 99)
            print("written", flush=True)
            sys.stdin.read()
            """
        let child = try PipedProcess("/usr/bin/python3", ["-c", script, folder("x")])
        #expect(try child.line() == "1122334455667788")
        #expect(try child.line() == "written")
        #expect(region.load(3) == 99)
        #expect(child.finish().status == 0)
    }

    @Test("Two processes wake each other", .timeLimit(.minutes(1)))
    func waking() async throws {
        let folder = TemporaryFolder()
        let path = folder("x")
        let region = try files.sharedRegion(path, .createNew, words: 2)
        let answers = try WorkerThread {
            for round in UInt64(1)...200 {
                // Longer than the test may take: a lost wake-up makes the test fail.
                while region.load(0) != round {
                    region.wait(0, while: UInt32(round - 1), nanoseconds: 600_000_000_000)
                }
                region.store(round, at: 1)
                region.wake(1)
            }
        }
        await #expect(processExitsWith: .success) { [path = path as String] in
            let region = try SystemFileSystem().sharedRegion(path, .readWrite, words: 2)
            for round in UInt64(1)...200 {
                region.add(1, at: 0)
                region.wake(0)
                while region.load(1) != round {
                    region.wait(1, while: UInt32(round - 1), nanoseconds: 600_000_000_000)
                }
            }
        }
        answers.join()
        #expect(region.load(0) == 200 && region.load(1) == 200)
    }

    @Test("Two processes increment a counter without losing an increment")
    func counting() async throws {
        let folder = TemporaryFolder()
        let path = folder("x")
        let region = try files.sharedRegion(path, .createNew, words: 2)
        let counting = try WorkerThread {
            // Waits until the other process counts, too.
            while region.load(1) == 0 { region.wait(1, while: 0, nanoseconds: 1_000_000_000) }
            for _ in 0..<100_000 { region.add(1, at: 0) }
        }
        await #expect(processExitsWith: .success) { [path = path as String] in
            let region = try SystemFileSystem().sharedRegion(path, .readWrite, words: 2)
            region.store(1, at: 1)
            region.wake(1)
            for _ in 0..<100_000 {
                var seen = region.load(0)
                while !region.exchange(seen, for: seen + 1, at: 0) { seen = region.load(0) }
            }
        }
        counting.join()
        #expect(region.load(0) == 200_000)
    }

    @Test("New memory is accessible only to its owner", .tags(.security))
    func mode() throws {
        let folder = TemporaryFolder()
        _ = try files.sharedRegion(folder("x"), .createNew, words: 1)
        var status = stat()
        #expect(stat(folder("x"), &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o600)
    }

    @Test("Symbolic links are refused", .tags(.security))
    func links() throws {
        let folder = TemporaryFolder()
        let region = try files.sharedRegion(folder("x"), .createNew, words: 8)
        symlink(folder("x"), folder("link"))
        symlink(folder("none"), folder("dangling"))
        for mode in [OpenMode.readOnly, .readWrite] {
            for name in ["link", "dangling"] {
                #expect(
                    code { _ = try files.sharedRegion(folder(name), mode, words: 8) }
                        == .invalidPath)
            }
        }
        #expect(
            code { _ = try files.sharedRegion(folder("dangling"), .createNew, words: 8) }
                == .alreadyExists)
        #expect(folder.names == ["dangling", "link", "x"])
        #expect(region.load(0) == 0)
    }

    @Test("Memory that does not fit on the disk throws an error and leaves nothing")
    func full() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            try Signals.install()
            var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
            #expect(setrlimit(__rlimit_resource_t(1), &limit) == 0)
            let files = SystemFileSystem()
            #expect(
                code { _ = try files.sharedRegion(folder("x"), .createNew, words: 20_000) }
                    == .fileTooLarge)
            #expect(folder.names.isEmpty)
        }
    }

    @Test("All blocks are allocated from the start")
    func blocks() throws {
        let folder = TemporaryFolder()
        let region = try files.sharedRegion(folder("x"), .createNew, words: 20_000)
        let file = try files.open(folder("x"), .readOnly)
        try file.sync(.full)
        var status = stat()
        #expect(stat(folder("x"), &status) == 0)
        #expect(status.st_blocks * 512 >= 160_000)
        #expect(region.load(19_999) == 0)
    }

    @Test("Closing releases memory and descriptors")
    func closing() throws {
        let folder = TemporaryFolder()
        _ = try files.sharedRegion(folder("x"), .createNew, words: 512)
        // Many more than a process may have mapped or open at the same time.
        for _ in 0..<70_000 { _ = try files.sharedRegion(folder("x"), .readWrite, words: 512) }
        for _ in 0..<70_000 {
            _ = code { _ = try files.sharedRegion(folder("x"), .readWrite, words: 511) }
        }
    }

    @Test("Programming errors end the program")
    func mistakes() async {
        await #expect(processExitsWith: .failure) {
            let folder = TemporaryFolder()
            let files = SystemFileSystem()
            _ = try files.sharedRegion(folder("x"), .createNew, words: 8)
            try files.sharedRegion(folder("x"), .readOnly, words: 8).store(1, at: 0)
        }
        await #expect(processExitsWith: .failure) {
            let folder = TemporaryFolder()
            let region = try SystemFileSystem().sharedRegion(folder("x"), .createNew, words: 8)
            _ = region.load(8)
        }
    }
}
