import CPlatform

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// One of the three streams that every process is born with.
package enum StandardStream: Int32, Sendable {
    case input = 0
    case output = 1
    case error = 2

    /// Opens the streams that are closed, so that no file takes their numbers: reading from such a
    /// stream finds the end of the input, and writing to it fails.
    ///
    /// To be called before anything else is opened, and only by a program for its own process.
    package static func openMissing() throws(PlatformError) {
        let reason = firn_open_missing_standard()
        guard reason == 0 else {
            throw PlatformError(system: reason, operation: "open", path: "/dev/null")
        }
    }

    /// Whether a person sits at the other end.
    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// How many columns the window has; `nil` if there is no window or it has no width.
    package var windowColumns: Int? { windowSize?.columns }

    /// How many rows the window has; `nil` if there is no window or it has no height.
    package var windowRows: Int? { windowSize.flatMap { $0.rows > 0 ? $0.rows : nil } }

    /// How large the window is now; `nil` if there is no window or it has no width.
    package var windowSize: WindowSize? {
        var columns: UInt16 = 0
        var rows: UInt16 = 0
        guard firn_terminal_size(rawValue, &columns, &rows) == 0, columns > 0 else { return nil }
        return WindowSize(columns: Int(columns), rows: Int(rows))
    }

    /// The file behind the stream, to find out whether two streams are the same file.
    package func status() throws(PlatformError) -> FileStatus {
        var status = stat()
        try retryingInterrupts("fstat", name) { fstat(rawValue, &status) }
        return FileStatus(status)
    }

    /// Writes all the bytes, whatever the stream is.
    ///
    /// A reader that has gone is ``PlatformError/Code/brokenPipe``, unless SIGPIPE kills first.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        var done = 0
        while done < bytes.count, let base = bytes.baseAddress {
            let count = StandardStream.writeCall(rawValue, base + done, bytes.count - done)
            if count >= 0 {
                done += count
            } else {
                try recover(errno, "write", Int16(POLLOUT))
            }
        }
    }

    /// Reads what there is, at most as much as the buffer holds, waiting for at least one byte.
    ///
    /// - Returns: the number of bytes; 0 at the end of the input.
    /// - Throws: ``PlatformError/Code/interrupted`` when a signal of ``Signals`` ended the wait.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        try StreamReading(descriptor: rawValue, name: name).read(into: buffer)
    }

    /// Waits until a stream that somebody made non-blocking is ready again; throws otherwise.
    private func recover(
        _ reason: Int32, _ operation: String, _ events: Int16
    ) throws(PlatformError) {
        switch reason {
        case EINTR: return
        case EAGAIN:
            var waiting = pollfd(fd: rawValue, events: events, revents: 0)
            poll(&waiting, 1, -1)
        default: throw PlatformError(system: reason, operation: operation, path: name)
        }
    }

    /// What errors call it.
    package var name: String {
        switch self {
        case .input: "standard input"
        case .output: "standard output"
        case .error: "standard error"
        }
    }

    private static func writeCall(_ number: Int32, _ from: UnsafeRawPointer, _ count: Int) -> Int {
        #if canImport(Glibc)
        Glibc.write(number, from, count)
        #else
        Darwin.write(number, from, count)
        #endif
    }
}

/// The size of the window of a terminal, in characters.
package struct WindowSize: Hashable, Sendable {
    package let columns: Int
    /// 0 if it is not known.
    package let rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}
