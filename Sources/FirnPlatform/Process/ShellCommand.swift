import CPlatform

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A command line that `/bin/sh` executes as a child of this process.
package enum ShellCommand {
    /// The durations of the first and of the longest wait between checks of a running child.
    private static let waitMilliseconds: (first: Int32, last: Int32) = (1, 20)

    /// The result of a command.
    package struct Ending: Hashable, Sendable {
        /// The exit status as in a shell: 128 plus the signal if it was killed by one.
        package let status: Int32
        /// Whether the command was terminated because of its deadline.
        package let isTimedOut: Bool
    }

    /// The time after which a command that was asked to terminate is killed.
    private static let graceNanoseconds: UInt64 = 2_000_000_000

    /// Runs a command until it ends.
    ///
    /// It writes to the output streams of this process.
    ///
    /// A signal that ``Signals`` records in the meantime is forwarded to it.
    ///
    /// - Parameters:
    ///   - input: the content of its standard input. The command need not read it.
    ///   - variables: variables to set in its environment.
    ///   - deadline: the time at which it is asked to terminate, on the monotonic clock.
    package static func run(
        _ command: String, input: UnsafeRawBufferPointer,
        variables: [(name: String, value: String)], deadline: UInt64? = nil
    ) throws(PlatformError) -> Ending {
        var process: Int32 = 0
        var pipe: Int32 = -1
        let additions: [UnsafeMutablePointer<CChar>?] =
            variables.map { strdup("\($0.name)=\($0.value)") } + [nil]
        defer { for addition in additions { free(addition) } }
        let reason = additions.map { UnsafePointer($0) }.withUnsafeBufferPointer { buffer in
            firn_shell_start(command, buffer.baseAddress, &process, &pipe)
        }
        guard reason == 0 else {
            throw PlatformError(system: reason, operation: "start", path: "/bin/sh")
        }
        return follow(process, feeding: input, to: pipe, until: deadline)
    }

    /// Runs an interactive command, with the standard input of this process.
    ///
    /// - Returns: its exit status as in a shell: 128 plus the signal if it was killed by one.
    package static func runHere(
        _ command: String, variables: [(name: String, value: String)] = []
    ) throws(PlatformError) -> Int32 {
        var process: Int32 = 0
        let additions: [UnsafeMutablePointer<CChar>?] =
            variables.map { strdup("\($0.name)=\($0.value)") } + [nil]
        defer { for addition in additions { free(addition) } }
        let reason = additions.map { UnsafePointer($0) }.withUnsafeBufferPointer { buffer in
            firn_shell_start_here(command, buffer.baseAddress, &process)
        }
        guard reason == 0 else {
            throw PlatformError(system: reason, operation: "start", path: "/bin/sh")
        }
        return follow(process)
    }

    /// Waits for the end of a child.
    static func follow(_ process: Int32) -> Int32 {
        follow(
            process, feeding: UnsafeRawBufferPointer(start: nil, count: 0), to: -1, until: nil
        ).status
    }

    /// Writes input to a child, and waits for its end.
    private static func follow(
        _ process: Int32, feeding input: UnsafeRawBufferPointer, to pipe: Int32,
        until deadline: UInt64?
    ) -> Ending {
        var pipe = pipe
        var rest = input
        var status: Int32 = 0
        var wait = waitMilliseconds.first
        var passedOn = false
        var timer = Timer(deadline: deadline)
        while true {
            if pipe >= 0, !feed(&rest, to: pipe) {
                close(pipe)
                pipe = -1
            }
            if firn_shell_ended(process, &status) == 1 { break }
            if let signal = Signals.pending, !passedOn {
                kill(process, signal)
                passedOn = true
            }
            if let signal = timer.dueSignal { kill(process, signal) }
            // After a signal, its descriptor would end every wait.
            var polled = [
                pollfd(fd: pipe, events: Int16(POLLOUT), revents: 0),
                pollfd(
                    fd: passedOn ? -1 : firn_signals_descriptor(), events: Int16(POLLIN), revents: 0
                ),
            ]
            if poll(&polled, 2, wait) == 0 { wait = min(waitMilliseconds.last, wait * 2) }
        }
        if pipe >= 0 { close(pipe) }
        return Ending(status: status, isTimedOut: timer.hasAsked)
    }

    /// Terminates a child after its deadline.
    private struct Timer {
        let deadline: UInt64?
        private(set) var hasAsked = false
        private var hasKilled = false

        init(deadline: UInt64?) { self.deadline = deadline }

        /// The signal that is due.
        ///
        /// Each signal is returned once.
        var dueSignal: Int32? {
            mutating get {
                guard let deadline, !hasKilled else { return nil }
                let now = SystemClock().monotonicNanoseconds()
                if !hasAsked, now >= deadline {
                    hasAsked = true
                    return SIGTERM
                }
                guard now >= deadline, now - deadline >= graceNanoseconds else { return nil }
                hasKilled = true
                return SIGKILL
            }
        }
    }

    /// Writes as much as possible without waiting.
    ///
    /// - Returns: whether there is more to write, and a reader for it.
    private static func feed(_ rest: inout UnsafeRawBufferPointer, to pipe: Int32) -> Bool {
        while !rest.isEmpty {
            let count = write(pipe, rest.baseAddress, rest.count)
            if count > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno == EAGAIN {
                return true
            } else if errno != EINTR {
                return false
            }
        }
        return false
    }
}
