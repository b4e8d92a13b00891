import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An input that is not a regular file, read once from beginning to end.
///
/// It is a FIFO, the pipe of a process substitution, or a device.
package final class InputPipe {
    package let path: String
    private let descriptor: Int32

    /// - Throws: ``PlatformError/Code/notARegularFile`` for folders.
    package init(_ path: String) throws(PlatformError) {
        self.path = path
        // O_NONBLOCK: opening a FIFO would otherwise wait for its writer and ignore signals.
        // Reading waits instead.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        descriptor = try retryingInterrupts("open", path) {
            SystemFileSystem.openCall(path, flags, 0)
        }
        var status = stat()
        // The deinitializer closes the descriptor after an error, too.
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            throw PlatformError(.notARegularFile, operation: "open", path: path)
        }
    }

    deinit { close(descriptor) }

    /// Whether reading would not block.
    ///
    /// This includes the end of input.
    package var hasInput: Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0
    }

    /// Reads available bytes, up to the size of the buffer, and waits for at least one.
    ///
    /// - Returns: the number of bytes; 0 at the end of the input.
    /// - Throws: ``PlatformError/Code/interrupted`` if a signal of ``Signals`` ended the wait.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        try StreamReading(descriptor: descriptor, name: path).read(into: buffer)
    }
}
