import Glibc

/// A child process in a process group or session of its own; killed if it was not waited for.
final class SpawnedProcess {
    /// The kind of its end.
    enum End: Equatable {
        case status(Int32)
        case signal(Int32)
    }

    /// `SETSID` is not visible through the module of the library.
    private static let newSession: Int16 = 0x80

    let pid: pid_t
    private var end: End?
    /// The peak memory in bytes that the child occupied; 0 before it has ended.
    private(set) var peakByteCount: UInt64 = 0

    /// - Parameter files: adds the file actions that give the child its streams.
    init(
        _ executable: String, _ arguments: [String], environment: [String: String],
        newSession: Bool, files: (inout posix_spawn_file_actions_t) -> Void
    ) throws {
        // Writing to a child that has gone must be an error here, not kill this process.
        signal(SIGPIPE, SIG_IGN)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        files(&actions)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for number in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&defaults, number) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        let group = newSession ? SpawnedProcess.newSession : Int16(POSIX_SPAWN_SETPGROUP)
        posix_spawnattr_setflags(
            &attributes, group | Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        var pid: pid_t = 0
        let texts = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let reason = withCStrings([executable] + arguments) { arguments in
            withCStrings(texts) { environment in
                posix_spawn(&pid, executable, &actions, &attributes, arguments, environment)
            }
        }
        guard reason == 0 else {
            throw ProgramError("cannot start \(executable): \(String(cString: strerror(reason)))")
        }
        self.pid = pid
    }

    deinit {
        guard end == nil else { return }
        killAll()
        _ = wait()
    }

    /// Kills the child and everything that it started in its group.
    func killAll() {
        guard end == nil else { return }
        kill(-pid, SIGKILL)
        kill(pid, SIGKILL)
    }

    func send(signal number: Int32) {
        guard end == nil else { return }
        kill(pid, number)
    }

    /// Waits for the end.
    func wait() -> End {
        if let end { return end }
        var status: Int32 = 0
        var usage = rusage()
        while wait4(pid, &status, 0, &usage) == -1, errno == EINTR {}
        peakByteCount = UInt64(max(0, usage.ru_maxrss)) * 1024
        let signal = status & 0x7f
        let ended: End = signal == 0 ? .status(status >> 8 & 0xff) : .signal(signal)
        end = ended
        return ended
    }
}

/// Calls the body with an array of C strings that ends with a null pointer.
private func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
}

/// The time left until a moment of the monotonic clock.
struct Deadline {
    private let end: UInt64

    init(seconds: Double) { end = Deadline.now + UInt64(seconds * 1e9) }

    /// Milliseconds for `poll`; 0 when the time is over.
    var milliseconds: Int32 {
        let now = Deadline.now
        return now >= end ? 0 : Int32(clamping: (end - now) / 1_000_000 + 1)
    }

    var isOver: Bool { Deadline.now >= end }

    private static var now: UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }
}
