import FirnValues

/// An error of the operating system: the failed operation, the file and the reason.
package struct PlatformError: Error, Hashable, Sendable {
    /// The kinds of errors that callers handle differently.
    package enum Code: Sendable {
        case notFound
        case alreadyExists
        case permissionDenied
        case readOnlyFileSystem
        case notARegularFile
        /// The file contains data that must not be lost, so an output must not replace it.
        case notReplaceable
        /// A path that the system does not accept: too long, with a NUL, or a loop of links.
        case invalidPath
        /// ENOSPC or EDQUOT.
        case diskFull
        /// EFBIG.
        case fileTooLarge
        /// EIO and other errors that the device reported.
        case inputOutput
        /// EPIPE: the reader has closed the pipe.
        case brokenPipe
        case tooManyOpenFiles
        /// EBADF: a standard stream that is closed, or open only for the other direction.
        case notOpen
        /// A wait was ended by a signal that ``Signals`` recorded.
        case interrupted
        /// Compressed data that differs from what was written.
        case damagedCompression
        /// Compressed data that ends before its end mark.
        case truncatedCompression
        /// Text that is not valid in its encoding; the operation says where.
        case invalidText
        case other
    }

    package let code: Code
    /// The system call or step that failed, such as `pwrite`.
    package let operation: String
    /// The file, as given by the user; empty if there is none.
    package let path: String
    /// The errno; 0 if the error is not from the system.
    package let errno: Int32

    package init(_ code: Code, operation: String, path: String, errno: Int32 = 0) {
        self.code = code
        self.operation = operation
        self.path = path
        self.errno = errno
    }
}
