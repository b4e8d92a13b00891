import FirnPlatform
import Glibc

/// A program that runs on a terminal of its own, as if with a user.
package final class TerminalSession {
    // Constants that the headers hide from Swift.
    private static let unlockTerminal: UInt = 0x4004_5431
    private static let terminalNumber: UInt = 0x8004_5430
    private static let setWindowSize: UInt = 0x5414

    private let master: Descriptor
    /// Stays open after the last program has gone, to see the settings that it left.
    private let settings: Descriptor
    private let child: SpawnedProcess
    private var printed: [UInt8] = []
    /// The end of the output that ``wait(for:seconds:)`` has searched.
    private var seen = 0

    /// Starts the program on a new terminal that it controls.
    ///
    /// - Parameter outputPath: a file that its standard output goes to; `nil` for the terminal.
    package init(
        _ executable: String, _ arguments: [String] = [],
        environment: [String: String] = CommandRunner.plainEnvironment,
        columns: UInt16 = 80, rows: UInt16 = 24, in folder: String? = nil,
        outputPath: String? = nil
    ) throws {
        let number = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw ProgramError("no terminal: errno \(errno)") }
        master = Descriptor(number)
        settings = Descriptor(fcntl(number, F_DUPFD_CLOEXEC, 0))
        var unlocked: CInt = 0
        var slave: CInt = 0
        guard ioctl(number, Self.unlockTerminal, &unlocked) == 0,
            ioctl(number, Self.terminalNumber, &slave) == 0
        else { throw ProgramError("no terminal: errno \(errno)") }
        guard Self.resize(number, columns, rows) else {
            throw ProgramError("no window size: errno \(errno)")
        }
        var environment = environment
        if environment["TERM"] == nil { environment["TERM"] = "xterm-256color" }
        if environment["INPUTRC"] == nil { environment["INPUTRC"] = "/dev/null" }
        child = try SpawnedProcess(
            executable, arguments, environment: environment, newSession: true
        ) { actions in
            if let folder { LibCShims.changeFolder(&actions, folder) }
            // The first terminal that the leader of a session opens becomes its own.
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/pts/\(slave)", O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
            if let outputPath {
                posix_spawn_file_actions_addopen(
                    &actions, 1, outputPath, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            } else {
                posix_spawn_file_actions_adddup2(&actions, 0, 1)
            }
        }
    }

    private static func resize(_ number: Int32, _ columns: UInt16, _ rows: UInt16) -> Bool {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        return ioctl(number, setWindowSize, &size) == 0
    }

    /// Resizes the window, and notifies the program.
    package func resize(columns: UInt16, rows: UInt16 = 24) {
        _ = TerminalSession.resize(master.number, columns, rows)
    }

    /// All output of the terminal, with `\r\n` at line ends.
    package var transcript: String { String(decoding: printed, as: UTF8.self) }

    /// Whether the terminal echoes typed text and passes it on line by line, as shells expect.
    package var isSane: Bool {
        var flags = termios()
        guard tcgetattr(settings.number, &flags) == 0 else { return false }
        let wanted = tcflag_t(ECHO | ICANON | ISIG)
        return flags.c_lflag & wanted == wanted
    }

    /// Types something; `\u{3}` is Ctrl-C, `\u{4}` is Ctrl-D.
    package func type(_ text: String) { type(bytes: Array(text.utf8)) }

    /// Types bytes that need not be text.
    package func type(bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            var done = 0
            while done < bytes.count {
                let count = write(
                    master.number, bytes.baseAddress.map { $0 + done }, bytes.count - done)
                if count < 0, errno != EINTR { return }
                done += max(0, count)
            }
        }
    }

    /// Waits for a text after the output of earlier waits.
    ///
    /// - Throws: an error with the whole transcript if the text never comes.
    package func wait(for text: String, seconds: Double = 120) throws {
        let wanted = Array(text.utf8)
        let deadline = Deadline(seconds: seconds)
        while true {
            if let end = TerminalSession.end(of: wanted, in: printed[seen...]) {
                seen = end
                return
            }
            guard master.isOpen, !deadline.isOver else {
                throw ProgramError("\"\(text)\" never came; shown: \(transcript)")
            }
            drain(deadline)
        }
    }

    /// Waits for the end of the program.
    ///
    /// - Returns: its result; `output` is everything that the terminal has shown.
    package func finish(seconds: Double = 120) -> CommandResult {
        let deadline = Deadline(seconds: seconds)
        while master.isOpen, !deadline.isOver { drain(deadline) }
        let isTimedOut = master.isOpen
        if isTimedOut { child.killAll() }
        return child.result(output: printed, isTimedOut: isTimedOut)
    }

    /// Sends a signal to the program.
    package func send(signal: Int32) { child.send(signal: signal) }

    private func drain(_ deadline: Deadline) {
        var polled = pollfd(fd: master.number, events: Int16(POLLIN), revents: 0)
        if poll(&polled, 1, deadline.milliseconds) > 0 { master.drain(into: &printed) }
    }

    private static func end(of wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard !wanted.isEmpty, bytes.count >= wanted.count else { return nil }
        for start in bytes.startIndex...(bytes.endIndex - wanted.count)
        where bytes[start..<start + wanted.count].elementsEqual(wanted) {
            return start + wanted.count
        }
        return nil
    }
}
