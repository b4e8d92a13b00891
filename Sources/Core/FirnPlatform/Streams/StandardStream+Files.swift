import CPlatform
import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A standard stream that the shell has redirected to a file.
extension StandardStream {
    /// Makes the content of a regular file durable; does nothing for any other stream.
    package func syncFile() throws(PlatformError) {
        guard isFile else { return }
        let reason = firn_sync(rawValue, 1)
        guard reason == 0 else {
            throw PlatformError(system: reason, operation: "fsync", path: name)
        }
    }

    /// Whether the stream is a regular file whose last byte is not a line end.
    ///
    /// A stream that was opened for appending cannot be read, so the file is opened again.
    package var endsInsideLine: Bool {
        var status = stat()
        guard isFile, fstat(rawValue, &status) == 0, status.st_size > 0 else { return false }
        let file = open("/dev/fd/\(rawValue)", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var last: UInt8 = UInt8(ascii: "\n")
        guard pread(file, &last, 1, status.st_size - 1) == 1 else { return false }
        return last != UInt8(ascii: "\n")
    }

    /// Whether the stream is a pipe or a socket.
    package var isPipe: Bool {
        var status = stat()
        guard fstat(rawValue, &status) == 0 else { return false }
        return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }

    /// Removes the incomplete last line that an interrupted write left in a regular file, so that
    /// the next line does not continue it.
    ///
    /// - Parameter count: the number of bytes that were written of the line.
    func removeCutLine(_ count: Int) {
        var status = stat()
        guard count > 0, isFile, fstat(rawValue, &status) == 0, status.st_size >= count else {
            return
        }
        // An error is ignored: the write has failed already, and its error is reported.
        _ = ftruncate(rawValue, status.st_size - off_t(count))
    }

    private var isFile: Bool {
        var status = stat()
        return fstat(rawValue, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
