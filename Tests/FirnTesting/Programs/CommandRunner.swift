import FirnPlatform
import Glibc

/// The result of a program.
package struct CommandResult: Sendable, CustomStringConvertible {
    package let output: [UInt8]
    package let errorOutput: [UInt8]
    /// The exit status; `nil` if a signal killed it.
    package let status: Int32?
    /// The signal that killed it; `nil` if it exited.
    package let signal: Int32?
    /// Whether it was killed because of the time limit.
    package let isTimedOut: Bool
    /// The peak memory in bytes that it occupied, or that this process did when it started
    /// it.
    package let peakByteCount: UInt64

    package var outputText: String { String(decoding: output, as: UTF8.self) }
    package var errorText: String { String(decoding: errorOutput, as: UTF8.self) }

    package var description: String {
        """
        status \(status.map(String.init) ?? "-"), signal \(signal.map(String.init) ?? "-")\
        \(isTimedOut ? ", timed out" : "")
        --- output
        \(outputText)
        --- error output
        \(errorText)
        """
    }
}

/// Runs a program with pipes, as a shell does.
package struct CommandRunner: Sendable {
    package let executable: String
    /// The whole environment of the child.
    package var environment: [String: String]
    package var timeoutSeconds: Double

    /// The smallest environment, in which every machine prints the same.
    package static let plainEnvironment = [
        "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC",
        // The backtracer would take seconds for a crash, and ask questions on a terminal.
        "SWIFT_BACKTRACE": "enable=no",
    ]

    package init(
        _ executable: String, environment: [String: String] = CommandRunner.plainEnvironment,
        timeoutSeconds: Double = 120
    ) {
        self.executable = executable
        self.environment = environment
        self.timeoutSeconds = timeoutSeconds
    }

    /// Runs it to its end, writing its input and reading both outputs concurrently.
    ///
    ///  - Parameters:
    ///   - input: the content of the standard input.
    ///   - folder: the working folder of the child; `nil` for that of the test.
    package func run(
        _ arguments: [String], input: [UInt8] = [], in folder: String? = nil
    ) throws -> CommandResult {
        let streams = try (input: Pipe(), output: Pipe(), error: Pipe())
        let child = try SpawnedProcess(
            executable, arguments, environment: environment, newSession: false
        ) { actions in
            if let folder { LibCShims.changeFolder(&actions, folder) }
            posix_spawn_file_actions_adddup2(&actions, streams.input.reading.number, 0)
            posix_spawn_file_actions_adddup2(&actions, streams.output.writing.number, 1)
            posix_spawn_file_actions_adddup2(&actions, streams.error.writing.number, 2)
        }
        // Otherwise the end of file never comes.
        streams.input.reading.close()
        streams.output.writing.close()
        streams.error.writing.close()
        var transfer = Transfer(
            input: input[...], into: streams.input.writing, output: streams.output.reading,
            error: streams.error.reading)
        let isTimedOut = !transfer.run(until: Deadline(seconds: timeoutSeconds))
        if isTimedOut { child.killAll() }
        return child.result(
            output: transfer.outputBytes, errorOutput: transfer.errorBytes, isTimedOut: isTimedOut)
    }

    /// Runs it with text as its input.
    package func run(
        _ arguments: [String], input: String, in folder: String? = nil
    ) throws -> CommandResult {
        try run(arguments, input: Array(input.utf8), in: folder)
    }
}

extension SpawnedProcess {
    /// Waits for the end, and returns the result.
    func result(
        output: [UInt8], errorOutput: [UInt8] = [], isTimedOut: Bool
    ) -> CommandResult {
        let end = wait()
        return CommandResult(
            output: output, errorOutput: errorOutput, status: end.status, signal: end.signal,
            isTimedOut: isTimedOut, peakByteCount: peakByteCount)
    }
}

extension SpawnedProcess.End {
    var status: Int32? {
        if case .status(let number) = self { return number }
        return nil
    }

    var signal: Int32? {
        if case .signal(let number) = self { return number }
        return nil
    }
}

/// The three ends of the pipes that remain in this process.
private struct Transfer {
    var input: ArraySlice<UInt8>
    let into: Descriptor
    let output: Descriptor
    let error: Descriptor
    var outputBytes: [UInt8] = []
    var errorBytes: [UInt8] = []

    init(
        input: ArraySlice<UInt8>, into: Descriptor, output: Descriptor, error: Descriptor
    ) {
        self.input = input
        self.into = into
        self.output = output
        self.error = error
        // A full pipe must not keep us from reading the others.
        _ = fcntl(into.number, F_SETFL, O_NONBLOCK)
        if input.isEmpty { into.close() }
    }

    /// Moves bytes until both outputs have ended.
    ///
    /// - Returns: whether they did before the time limit.
    mutating func run(until deadline: Deadline) -> Bool {
        while output.isOpen || error.isOpen {
            var polled = [
                pollfd(fd: into.number, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: output.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: error.number, events: Int16(POLLIN), revents: 0),
            ]
            // A closed descriptor has the number -1, which poll skips.
            let ready = poll(&polled, 3, deadline.milliseconds)
            if ready == 0, deadline.isOver { return false }
            if polled[0].revents != 0 { feed() }
            if polled[1].revents != 0 { output.drain(into: &outputBytes) }
            if polled[2].revents != 0 { error.drain(into: &errorBytes) }
        }
        into.close()
        return true
    }

    private mutating func feed() {
        let count = input.withUnsafeBytes { write(into.number, $0.baseAddress, $0.count) }
        if count > 0 { input = input.dropFirst(count) }
        // The child may end without having read everything.
        if input.isEmpty || (count < 0 && errno != EAGAIN && errno != EINTR) { into.close() }
    }
}
