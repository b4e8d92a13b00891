import CPlatform
import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A command line that `/bin/sh` executes while this process writes its input.
package final class ShellPipe {
    private let process: Int32
    /// The write end of the pipe; negative once it is closed.
    private var pipe: Int32

    /// Starts a command.
    ///
    /// It writes to the output streams of this process.
    package init(_ command: String) throws(PlatformError) {
        var process: Int32 = 0
        var pipe: Int32 = -1
        let reason = firn_shell_start_pipe(command, &process, &pipe)
        guard reason == 0 else {
            throw PlatformError(system: reason, operation: "start", path: "/bin/sh")
        }
        self.process = process
        self.pipe = pipe
    }

    deinit { finish() }

    /// Writes all bytes, and waits while the command does not read them.
    ///
    /// - Throws: ``PlatformError/Code/brokenPipe`` if the command no longer reads, and
    ///   ``PlatformError/Code/interrupted`` if a signal of ``Signals`` ended the wait.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = SystemCalls.write(pipe, rest)
            if count > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: try waitForReader()
            default: throw PlatformError(system: errno, operation: "write", path: "the command")
            }
        }
    }

    private func waitForReader() throws(PlatformError) {
        var polled = [
            pollfd(fd: pipe, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: firn_signals_descriptor(), events: Int16(POLLIN), revents: 0),
        ]
        poll(&polled, 2, -1)
        guard Signals.pending == nil else {
            throw PlatformError(system: EINTR, operation: "write", path: "the command")
        }
    }

    /// Closes the input of the command, and waits for its end.
    ///
    /// - Returns: its exit status as in a shell; 0 if this was called before.
    @discardableResult
    package func finish() -> Int32 {
        guard pipe >= 0 else { return 0 }
        close(pipe)
        pipe = -1
        return ShellCommand.follow(process)
    }

    private enum SystemCalls {
        static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
            #if canImport(Glibc)
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            #else
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
            #endif
        }
    }
}
