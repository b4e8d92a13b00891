import FirnPlatform
import FirnTesting
import Glibc
import Testing

@Suite("The real file system")
struct SystemFileSystemTests {
    private let files = SystemFileSystem()

    @Test(
        "New files are private to their owner, and the umask can only restrict them further",
        .tags(.security))
    func mode() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            for (mask, expected) in [(0o000, 0o600), (0o022, 0o600), (0o277, 0o400)] {
                umask(mode_t(mask))
                let path = folder("mask\(mask)")
                _ = try SystemFileSystem().open(path, .createNew)
                var status = stat()
                #expect(stat(path, &status) == 0)
                #expect(status.st_mode & 0o7777 == mode_t(expected))
            }
        }
    }

    @Test("Missing permissions throw permissionDenied", .tags(.security))
    func permissions() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            let files = SystemFileSystem()
            _ = try files.open(folder("x"), .createNew)
            chmod(folder("x"), 0)
            chmod(folder.path, 0o555)
            // Root may do everything, so the test switches to the user nobody.
            if geteuid() == 0 {
                chown(folder.path, 65_534, 65_534)
                #expect(seteuid(65_534) == 0)
            }
            #expect(code { _ = try files.open(folder("x"), .readOnly) } == .permissionDenied)
            #expect(code { _ = try files.open(folder("y"), .createNew) } == .permissionDenied)
            #expect(code { try files.remove(folder("x")) } == .permissionDenied)
            if getuid() == 0 { seteuid(0) }
        }
    }

    @Test("createNew follows no symbolic link, not even a dangling one", .tags(.security))
    func dangling() throws {
        let folder = TemporaryFolder()
        symlink(folder("target"), folder("link"))
        #expect(code { _ = try files.open(folder("link"), .createNew) } == .alreadyExists)
        #expect(try files.status(of: folder("target")) == nil)
        #expect(try files.status(of: folder("link")) == nil, "status follows links")
        let target = try files.open(folder("target"), .createNew)
        #expect(try files.open(folder("link"), .readWrite).status() == target.status())
    }

    @Test("Loops of links and overlong names throw invalidPath", .tags(.security))
    func invalidPaths() {
        let folder = TemporaryFolder()
        symlink(folder("loop"), folder("loop"))
        #expect(code { _ = try files.open(folder("loop"), .readOnly) } == .invalidPath)
        let long = folder(String(repeating: "n", count: 300))
        #expect(code { _ = try files.open(long, .createNew) } == .invalidPath)
        #expect(code { _ = try files.status(of: long) } == .invalidPath)
    }

    @Test(
        "Devices and sockets are refused", .tags(.security),
        arguments: ["/dev/zero", "/dev/full", "/dev/tty"])
    func devices(path: String) {
        #expect(code { _ = try files.open(path, .readOnly) } == .notARegularFile)
    }

    @Test("Children do not inherit handles", .tags(.security))
    func closeOnExec() throws {
        let folder = TemporaryFolder()
        let file = try files.open(folder("x"), .createNew)
        let result = try CommandRunner("/bin/ls").run(["-l", "/proc/self/fd"])
        #expect(result.status == 0)
        #expect(!result.outputText.contains(folder("x")))
        #expect(try file.status().size == 0)
    }

    @Test("Closing releases the descriptor")
    func descriptors() throws {
        let folder = TemporaryFolder()
        _ = try files.open(folder("x"), .createNew)
        // Many more than a process may have open at the same time.
        for _ in 0..<70_000 { _ = try files.open(folder("x"), .readOnly) }
        for _ in 0..<70_000 { _ = code { _ = try files.open(folder.path, .readOnly) } }
    }

    /// The signal killed every program that used the library; only the commands ignored it.
    @Test("A file size limit throws an error, even in a program that does not handle signals")
    func fileSizeLimit() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            let file = try SystemFileSystem().open(folder("x"), .createNew)
            var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
            #expect(setrlimit(__rlimit_resource_t(1), &limit) == 0)
            #expect(code { try file.put(.init(repeating: 1, count: 2000), at: 0) } == .fileTooLarge)
            #expect(try file.status().size == 1000, "what fits was written")
        }
    }

    @Test("Blocks allocated past the end change neither the size nor the content")
    func reserve() throws {
        let folder = TemporaryFolder()
        let file = try files.open(folder("x"), .createNew)
        try file.put([1, 2, 3], at: 0)
        let isKept = try file.reserve(from: 3, byteCount: 100_000)
        #expect(try file.status().size == 3)
        #expect(try file.get(10) == [1, 2, 3])
        try file.put([4], at: 50_000)
        try file.truncate(to: 3)
        #expect(try file.reserve(from: 0, byteCount: 0))
        #expect(try file.reserve(from: 3, byteCount: 1) == isKept)
        let other = try files.open(folder("x"), .readOnly)
        #expect(throws: PlatformError.self) { try other.reserve(from: 3, byteCount: 1) }
    }

    @Test("The program's own handler for the file size signal stays installed")
    func fileSizeHandler() async {
        await #expect(processExitsWith: .success) {
            let own: @convention(c) (Int32) -> Void = { _ in }
            signal(SIGXFSZ, own)
            let folder = TemporaryFolder()
            _ = try SystemFileSystem().open(folder("x"), .createNew)
            let found = unsafeBitCast(signal(SIGXFSZ, own), to: Int.self)
            #expect(found == unsafeBitCast(own, to: Int.self))
        }
    }

    @Test("Locks exclude other processes and end with their process", .tags(.security))
    func locksAcrossProcesses() async throws {
        let folder = TemporaryFolder()
        let path = folder("x")
        let file = try files.open(path, .createNew)
        let held = LockRange(start: 1 << 61)
        let free = LockRange(start: 1 << 61 + 1)
        #expect(try file.tryLock(held, .exclusive))
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let file = try SystemFileSystem().open(path, .readWrite)
            let held = LockRange(start: 1 << 61)
            let free = LockRange(start: 1 << 61 + 1)
            guard try !file.tryLock(held, .shared),
                try file.conflictingLock(in: held, .shared) == held,
                try file.tryLock(free, .exclusive)
            else { exit(1) }
            kill(getpid(), SIGKILL)
        }
        #expect(try file.tryLock(free, .exclusive), "the lock died with the process")
    }

    @Test(
        "Error numbers of the system are mapped to codes",
        arguments: [
            (ENOENT, PlatformError.Code.notFound), (ENOTDIR, .notFound), (EEXIST, .alreadyExists),
            (EACCES, .permissionDenied), (EPERM, .permissionDenied),
            (EROFS, .readOnlyFileSystem), (EISDIR, .notARegularFile), (ENXIO, .notARegularFile),
            (ENOSPC, .diskFull), (EDQUOT, .diskFull), (EFBIG, .fileTooLarge), (EIO, .inputOutput),
            (EPIPE, .brokenPipe), (EMFILE, .tooManyOpenFiles), (ENFILE, .tooManyOpenFiles),
            (ELOOP, .invalidPath), (ENAMETOOLONG, .invalidPath), (EINTR, .interrupted),
            (ENOTTY, .other),
        ])
    func codes(number: Int32, expected: PlatformError.Code) {
        let error = PlatformError(system: number, operation: "pwrite", path: "/x")
        #expect(error.code == expected)
        #expect(error.description == "/x: \(error.reason)")
        #expect(!error.reason.isEmpty)
    }

    @Test("An error without a path names the operation")
    func descriptionWithoutPath() {
        let error = PlatformError(system: ENOSPC, operation: "write", path: "")
        #expect(error.description == "write: no space left on the disk")
        let own = PlatformError(.notARegularFile, operation: "open", path: "/dev/zero")
        #expect(own.description == "/dev/zero: not a regular file")
    }
}
