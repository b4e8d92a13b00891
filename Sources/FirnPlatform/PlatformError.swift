/// What the operating system refused, where, and why.
package struct PlatformError: Error, Hashable, Sendable {
    /// The kinds of refusal that callers treat differently.
    package enum Code: Sendable {
        case notFound
        case alreadyExists
        case permissionDenied
        case readOnlyFileSystem
        case notARegularFile
        /// A file that holds what nobody wants to lose: an output does not take its place.
        case notReplaceable
        /// A path that the system cannot take: too long, with a NUL, or a loop of links.
        case invalidPath
        /// ENOSPC or EDQUOT.
        case diskFull
        /// EFBIG.
        case fileTooLarge
        /// EIO and whatever else the device reported.
        case inputOutput
        /// EPIPE: nobody reads any more.
        case brokenPipe
        case tooManyOpenFiles
        /// EBADF: a standard stream that is closed, or open for the other direction only.
        case notOpen
        /// A wait was ended by a signal that ``Signals`` remembers.
        case interrupted
        case other
    }

    package let code: Code
    /// The system call or step that failed, such as `pwrite`.
    package let operation: String
    /// The file, as the user named it; empty if there is none.
    package let path: String
    /// The system's number for the reason; 0 if the reason is not the system's.
    package let errno: Int32

    package init(_ code: Code, operation: String, path: String, errno: Int32 = 0) {
        self.code = code
        self.operation = operation
        self.path = path
        self.errno = errno
    }
}
