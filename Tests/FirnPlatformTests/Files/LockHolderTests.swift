import FirnPlatform
import FirnTesting
import Glibc
import Testing

@testable import FirnPlatform

@Suite("Holders of a lock")
struct LockHolderTests {
    private let files = SystemFileSystem()

    /// Another process that holds a lock on a file until its input ends.
    private func holder(
        of path: String, _ kind: LockKind, start: UInt64, length: UInt64
    ) throws -> PipedProcess {
        let script = """
            import fcntl, struct, sys
            file = open(sys.argv[1], "r+b")
            # F_OFD_SETLK with a struct flock.
            kind = fcntl.F_WRLCK if sys.argv[2] == "exclusive" else fcntl.F_RDLCK
            fcntl.fcntl(file, 37, struct.pack("hhqqi4x", kind, 0, int(sys.argv[3]), int(sys.argv[4]), 0))
            print("locked", flush=True)
            sys.stdin.read()
            """
        let child = try PipedProcess(
            "/usr/bin/python3", ["-c", script, path, "\(kind)", "\(start)", "\(length)"])
        #expect(try child.line() == "locked")
        return child
    }

    @Test("Another process is listed with its command, its age and its ranges")
    func another() throws {
        let folder = TemporaryFolder()
        let file = try files.open(folder("x"), .createNew)
        let other = try files.open(folder("y"), .createNew)
        let identity = try file.status().identity
        #expect(files.lockHolders(of: identity) == [])
        let writer = try holder(of: folder("x"), .exclusive, start: 1 << 61, length: 3)
        let reader = try holder(of: folder("x"), .shared, start: 1 << 62, length: 0)
        let found = files.lockHolders(of: identity).sorted { $0.range.start < $1.range.start }
        try #require(found.count == 2)
        #expect(found[0].pid == writer.pid && found[0].kind == .exclusive)
        #expect(found[0].range == LockRange(start: 1 << 61, length: 3))
        #expect(found[0].command.hasPrefix("/usr/bin/python3 -c "))
        #expect(found[0].command.hasSuffix(" \(folder("x")) exclusive \(1 << 61) 3"))
        #expect(found[0].ageSeconds < 60 && !found[0].isStopped && !found[0].isThisProcess)
        #expect(found[1].pid == reader.pid && found[1].kind == .shared)
        #expect(found[1].range.start == 1 << 62)
        #expect(found[1].range.isValid, "a lock without an end has the last possible one")
        #expect(files.lockHolders(of: try other.status().identity) == [])
        writer.kill()
        #expect(writer.finish().signal == SIGKILL)
        #expect(reader.finish().status == 0)
        #expect(files.lockHolders(of: identity) == [], "locks die with their processes")
    }

    @Test("A stopped process is distinguished from a running one")
    func stopped() throws {
        let folder = TemporaryFolder()
        let identity = try files.open(folder("x"), .createNew).status().identity
        let child = try holder(of: folder("x"), .exclusive, start: 5, length: 1)
        child.stop()
        #expect(files.lockHolders(of: identity).map(\.isStopped) == [true])
        child.goOn()
        #expect(child.finish().status == 0)
    }

    @Test("This process is listed, too")
    func thisProcess() throws {
        let folder = TemporaryFolder()
        let file = try files.open(folder("x"), .createNew)
        #expect(try file.tryLock(LockRange(start: 9, length: 2), .exclusive))
        #expect(try file.tryLock(LockRange(start: 20), .shared))
        let found = files.lockHolders(of: try file.status().identity)
        #expect(found.map(\.pid) == [getpid(), getpid()])
        #expect(found.allSatisfy { $0.isThisProcess && !$0.isStopped && !$0.command.isEmpty })
        #expect(found.map(\.kind) == [.exclusive, .shared])
        #expect(found.map(\.range) == [LockRange(start: 9, length: 2), LockRange(start: 20)])
    }

    @Test("The holders of a removed file are listed")
    func removed() throws {
        let folder = TemporaryFolder()
        let file = try files.open(folder("x"), .createNew)
        #expect(try file.tryLock(LockRange(start: 9), .exclusive))
        try files.remove(folder("x"))
        #expect(files.lockHolders(of: try file.status().identity).count == 1)
    }

    @Test("Lines about locks are parsed")
    func lines() throws {
        let read = try #require(
            HeldLock(line: "lock:\t1: OFDLCK ADVISORY  READ -1 fe:00:162 12 14"))
        #expect(read.kind == .shared && read.range == LockRange(start: 12, length: 3))
        let write = try #require(
            HeldLock(line: "lock:\t12: OFDLCK ADVISORY  WRITE -1 fe:00:162 7 EOF"))
        #expect(write.kind == .exclusive)
        #expect(write.range == LockRange(start: 7, length: UInt64(Int64.max) - 7))
        #expect(write.range.isValid)
    }

    @Test(
        "Other lines are ignored",
        arguments: [
            "", "pos:\t0", "lock:", "lock:\t1: POSIX  ADVISORY  READ 77 fe:00:162 12 14",
            "lock:\t1: FLOCK  ADVISORY  WRITE 77 fe:00:162 0 EOF",
            "lock:\t1: OFDLCK ADVISORY  READ -1 fe:00:162 14 12",
            "lock:\t1: OFDLCK ADVISORY  READ -1 fe:00:162 x 12",
            "lock:\t1: OFDLCK ADVISORY  UNLCK -1 fe:00:162 1 12",
            "lock:\t1: OFDLCK ADVISORY  READ -1 fe:00:162 1 99999999999999999999",
            "lock:\t1: OFDLCK ADVISORY  READ -1 fe:00:162 18446744073709551615 EOF",
            "lock:\t1: OFDLCK ADVISORY  READ -1 fe:00:162 1 9223372036854775807",
        ])
    func otherLines(line: String) { #expect(HeldLock(line: line) == nil) }

    @Test("Processes with unusual names are described")
    func descriptions() throws {
        let fields = "1 1 1 0 -1 4194304 103 0 0 0 0 0 0 0 20 0 1 0 2000 31 41"
        func describe(_ arguments: String, _ status: String) -> ProcessStatus? {
            ProcessStatus(
                arguments: arguments, status: status, uptime: "100.50 3.2", ticksPerSecond: 100)
        }
        let plain = try #require(describe("a\0b c\0", "7 (a) S \(fields)"))
        #expect(plain.command == "a b c" && plain.ageSeconds == 80 && !plain.isStopped)
        let odd = try #require(describe("", "7 (x) y T 1 (z) T \(fields)"))
        #expect(odd.isStopped && odd.ageSeconds == 80)
        #expect(try #require(describe("", "7 (x) t \(fields)")).isStopped)
        for status in [
            "", "7", "7 (", "7 )(", "7 (a)", "7 (a) S 1 2", "7 (a) S \(fields.prefix(40))",
        ] {
            #expect(describe("a", status) == nil)
        }
    }
}
