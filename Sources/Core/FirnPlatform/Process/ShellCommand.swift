import CPlatform
import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A command line that `/bin/sh` runs as a child of this process.
package enum ShellCommand {
    /// The first and the longest wait between checks of a running child.
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
    /// A signal that ``Signals`` records in the meantime is forwarded to it and to everything that it
    /// started, and the call returns once all of them have ended.
    ///
    /// - Parameters:
    ///   - input: the content of its standard input, which is complete before the command starts. The
    ///     command need not read it.
    ///   - variables: variables to set in its environment.
    ///   - deadline: the time at which it is asked to terminate, on the monotonic clock.
    package static func run(
        _ command: String, input: UnsafeRawBufferPointer,
        variables: [(name: String, value: String)], deadline: UInt64? = nil
    ) throws(PlatformError) -> Ending {
        var process: Int32 = 0
        let additions: [UnsafeMutablePointer<CChar>?] =
            variables.map { strdup("\($0.name)=\($0.value)") } + [nil]
        defer { for addition in additions { free(addition) } }
        let reason = additions.map { UnsafePointer($0) }.withUnsafeBufferPointer { buffer in
            firn_shell_start(
                command, buffer.baseAddress, input.baseAddress, input.count, &process)
        }
        guard reason == 0 else {
            throw PlatformError(system: reason, operation: "start", path: "/bin/sh")
        }
        return follow(process, leadsGroup: true, until: deadline)
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
        follow(process, leadsGroup: false, until: nil).status
    }

    /// Waits for the end of a child.
    ///
    /// - Parameter leadsGroup: whether signals are for the process group of the child.
    private static func follow(
        _ process: Int32, leadsGroup: Bool, until deadline: UInt64?
    ) -> Ending {
        let target = leadsGroup ? -process : process
        var status: Int32 = 0
        var wait = waitMilliseconds.first
        var passedOn = false
        var timer = Timer(deadline: deadline)
        while firn_shell_ended(process, &status) == 0 {
            if let signal = Signals.pending, !passedOn {
                kill(target, signal)
                passedOn = true
            }
            if let signal = timer.dueSignal { kill(target, signal) }
            // After a signal, its descriptor would end every wait.
            var polled = pollfd(
                fd: passedOn ? -1 : firn_signals_descriptor(), events: Int16(POLLIN), revents: 0)
            if poll(&polled, 1, wait) == 0 { wait = min(waitMilliseconds.last, wait * 2) }
        }
        if leadsGroup, passedOn || timer.hasAsked { endGroup(target) }
        return Ending(status: status, isTimedOut: timer.hasAsked)
    }

    /// Waits until the rest of a group, which received a signal, has ended.
    private static func endGroup(_ group: Int32) {
        let clock = SystemClock()
        let start = clock.monotonicNanoseconds()
        var timer = Timer(deadline: start)
        // Nothing may collect the ended processes of a container, so that their group stays.
        while kill(group, 0) == 0, clock.monotonicNanoseconds() - start < 2 * graceNanoseconds {
            if let signal = timer.dueSignal, signal == SIGKILL { kill(group, signal) }
            poll(nil, 0, waitMilliseconds.last)
        }
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
}
