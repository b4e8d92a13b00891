import FirnPlatform
import Glibc

/// A program that a test talks to line by line while it runs; killed on deinitialization.
///
/// Its error output goes to that of the test.
package final class PipedProcess {
    private let child: SpawnedProcess
    private let input: Descriptor
    private let output: Descriptor
    /// Received bytes that were not returned yet.
    private var received: [UInt8] = []

    package init(
        _ executable: String, _ arguments: [String] = [],
        environment: [String: String] = CommandRunner.plainEnvironment
    ) throws {
        let streams = try (input: Pipe(), output: Pipe())
        child = try SpawnedProcess(
            executable, arguments, environment: environment, newSession: false
        ) { actions in
            posix_spawn_file_actions_adddup2(&actions, streams.input.reading.number, 0)
            posix_spawn_file_actions_adddup2(&actions, streams.output.writing.number, 1)
        }
        input = streams.input.writing
        output = streams.output.reading
    }

    package var pid: Int32 { child.pid }

    /// Whether it may still print something.
    package var isTalking: Bool { output.isOpen || !received.isEmpty }

    /// Writes a line to its input.
    package func say(_ line: String) {
        var text = line + "\n"
        text.withUTF8 { bytes in
            // Fewer bytes than a pipe holds are written at once; if the child has gone, its end
            // shows why.
            _ = write(input.number, bytes.baseAddress, bytes.count)
        }
    }

    /// Ends its standard input.
    package func endInput() { input.close() }

    /// Waits for its next line.
    ///
    /// - Throws: an error if it ends or the time is over before a whole line is received.
    package func line(seconds: Double = 120) throws -> String {
        let deadline = Deadline(seconds: seconds)
        while true {
            if let line = nextLine() { return line }
            guard output.isOpen, !deadline.isOver else {
                throw ProgramError(
                    "process \(pid) said no more than "
                        + "\"\(String(decoding: received, as: UTF8.self))\"")
            }
            PipedProcess.receive([self], within: deadline)
        }
    }

    /// All whole lines received so far, without waiting. A last line without an end is dropped when
    /// the process has ended: it was cut off.
    package func lines() -> [String] {
        var lines: [String] = []
        while let line = nextLine() { lines.append(line) }
        if !output.isOpen { received = [] }
        return lines
    }

    private func nextLine() -> String? {
        guard let end = received.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { received.removeSubrange(...end) }
        return String(decoding: received[..<end], as: UTF8.self)
    }

    /// Waits until one of the processes prints something or ends, or the time is over.
    package static func receive(_ processes: [PipedProcess], seconds: Double) {
        receive(processes, within: Deadline(seconds: seconds))
    }

    private static func receive(_ processes: [PipedProcess], within deadline: Deadline) {
        var polled = processes.map {
            pollfd(fd: $0.output.number, events: Int16(POLLIN), revents: 0)
        }
        guard poll(&polled, nfds_t(polled.count), deadline.milliseconds) > 0 else { return }
        for (process, answer) in zip(processes, polled) where answer.revents != 0 {
            process.output.drain(into: &process.received)
        }
    }

    /// Stops it like Ctrl-Z, and waits until it is stopped.
    package func stop() {
        child.send(signal: SIGSTOP)
        waitUntilStopped()
    }

    /// Waits until it was stopped, or has ended.
    package func waitUntilStopped() {
        var status: Int32 = 0
        while waitpid(pid, &status, WUNTRACED) == -1, errno == EINTR {}
    }

    /// Continues it after ``stop()``.
    package func goOn() { child.send(signal: SIGCONT) }

    package func send(signal number: Int32) { child.send(signal: number) }

    /// Kills it like `kill -9`; its earlier output can still be read.
    package func kill() { child.killAll() }

    /// Waits for its end, reading the rest of its output.
    ///
    /// - Parameter endsInput: whether to close its input.
    package func finish(seconds: Double = 120, endsInput: Bool = true) -> CommandResult {
        let deadline = Deadline(seconds: seconds)
        if endsInput { input.close() }
        while output.isOpen, !deadline.isOver { PipedProcess.receive([self], within: deadline) }
        let isTimedOut = output.isOpen
        if isTimedOut { child.killAll() }
        return child.result(output: received, isTimedOut: isTimedOut)
    }
}
