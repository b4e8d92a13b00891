#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What a path leads to if it is no regular file, read once from its beginning to its end.
///
/// That is a FIFO, the pipe of a process substitution, or a device.
package final class InputPipe {
    package let path: String
    private let descriptor: Int32

    /// - Throws: ``PlatformError/Code/notARegularFile`` for folders.
    package init(_ path: String) throws(PlatformError) {
        self.path = path
        // O_NONBLOCK: opening a FIFO would otherwise wait for its writer, deaf to signals.
        // Reading waits instead.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        descriptor = try retryingInterrupts("open", path) {
            SystemFileSystem.openCall(path, flags, 0)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            close(descriptor)
            throw PlatformError(.notARegularFile, operation: "open", path: path)
        }
    }

    deinit { close(descriptor) }

    /// Whether reading would return at once, be it with the end of the input.
    package var hasInput: Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0
    }

    /// Reads what there is, at most as much as the buffer holds, waiting for at least one byte.
    ///
    /// - Returns: the number of bytes; 0 at the end of the input.
    /// - Throws: ``PlatformError/Code/interrupted`` when a signal of ``Signals`` ended the wait.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        try StreamReading(descriptor: descriptor, name: path).read(into: buffer)
    }
}
