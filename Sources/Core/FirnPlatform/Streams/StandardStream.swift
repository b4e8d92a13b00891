import CPlatform
import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// One of the three standard streams of a process.
package enum StandardStream: Int32, Sendable {
    case input = 0
    case output = 1
    case error = 2

    /// Opens any standard streams that are closed, so that no file gets their descriptors.
    ///
    /// Reading from such a stream returns the end of the input, and writing to it fails. A program
    /// must call this for its own process, before it opens anything else.
    package static func openMissing() throws(PlatformError) {
        let reason = firn_open_missing_standard()
        guard reason == 0 else {
            throw PlatformError(system: reason, operation: "open", path: "/dev/null")
        }
    }

    /// Whether the stream is a terminal.
    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// The number of columns of the window; `nil` if there is no window or it has no width.
    package var windowColumns: Int? { windowSize?.columns }

    /// The number of rows of the window; `nil` if there is no window or it has no height.
    package var windowRows: Int? { windowSize.flatMap { $0.rows > 0 ? $0.rows : nil } }

    /// The current size of the window; `nil` if there is no window or it has no width.
    package var windowSize: WindowSize? {
        var columns: UInt16 = 0
        var rows: UInt16 = 0
        guard firn_terminal_size(rawValue, &columns, &rows) == 0, columns > 0 else { return nil }
        return WindowSize(columns: Int(columns), rows: Int(rows))
    }

    /// Returns the status of the file to which the stream is connected, to detect that two streams
    /// are the same file.
    package func status() throws(PlatformError) -> FileStatus {
        var status = stat()
        try retryingInterrupts("fstat", name) { fstat(rawValue, &status) }
        return FileStatus(status)
    }

    /// Writes all bytes to a stream of any kind.
    ///
    /// A file that cannot take all of them, because the disk is full, keeps none of them. If the reader is
    /// gone, the error is ``PlatformError/Code/brokenPipe``, unless SIGPIPE ends
    /// the process first.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        var done = 0
        while done < bytes.count, let base = bytes.baseAddress {
            let count = StandardStream.writeCall(rawValue, base + done, bytes.count - done)
            if count >= 0 {
                done += count
            } else {
                do { try recover(errno, "write", Int16(POLLOUT)) } catch {
                    removeCutLine(done)
                    throw error
                }
            }
        }
    }

    /// Reads available bytes, up to the size of the buffer, and waits for at least one.
    ///
    /// - Returns: the number of bytes; 0 at the end of the input.
    /// - Throws: ``PlatformError/Code/interrupted`` if a signal of ``Signals`` ended the wait.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        try StreamReading(descriptor: rawValue, name: name).read(into: buffer)
    }

    /// Handles a failed call, so that it can be repeated, or throws.
    ///
    /// A call is repeated after EINTR, and once a non-blocking stream is ready again.
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

    /// The name in errors.
    package var name: String {
        switch self {
        case .input: "standard input"
        case .output: "standard output"
        case .error: "standard error"
        }
    }

    /// A name under which the file to which the stream is connected can be opened again.
    package var path: String { "/dev/fd/\(rawValue)" }

    private static func writeCall(_ number: Int32, _ from: UnsafeRawPointer, _ count: Int) -> Int {
        #if canImport(Glibc)
        Glibc.write(number, from, count)
        #else
        Darwin.write(number, from, count)
        #endif
    }
}

/// The size of a terminal window in characters.
package struct WindowSize: Hashable, Sendable {
    package let columns: Int
    /// The number of rows; 0 if it is unknown.
    package let rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}
