#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension PlatformError {
    /// Creates an error from an `errno` value, and derives the code that callers check.
    package init(system number: Int32, operation: String, path: String) {
        self.init(Code(system: number), operation: operation, path: path, errno: number)
    }

    /// A short reason for users, without the path.
    package var reason: String {
        switch errno {
        case ENOENT, ENOTDIR: "no such file or directory"
        case EEXIST: "a file of that name exists already"
        case EACCES, EPERM: "permission denied"
        case EROFS: "the file system is read-only"
        case ENOSPC: "no space left on the disk"
        case EDQUOT: "the disk quota is used up"
        case EFBIG: "the file would become too large"
        case EIO: "the device reported an input/output error"
        case EPIPE: "nobody reads the output any more"
        case EBADF: "it is closed"
        case EMFILE: "this process has too many open files"
        case ENFILE: "the system has too many open files"
        case ENAMETOOLONG: "the name is too long"
        case ELOOP: "too many symbolic links"
        case EISDIR, ENOTEMPTY: "this is a directory"
        case EINTR: "interrupted by a signal"
        case 0: code.reason
        default: PlatformError.systemText(errno)
        }
    }

    /// The remedy for a full disk.
    package static let diskFullRemedy = "make room on the disk and try again"

    private static func systemText(_ number: Int32) -> String {
        // strerror is safe here: in both libraries, its result is either constant or thread-local,
        // and it is copied at once.
        guard let text = strerror(number) else { return "system error \(number)" }
        return String(cString: text)
    }
}

extension PlatformError: CustomStringConvertible {
    /// The file (or the operation, if there is no file), followed by the reason.
    package var description: String { "\(path.isEmpty ? operation : path): \(reason)" }
}

extension PlatformError.Code {
    /// Returns the code for an errno.
    package init(system number: Int32) {
        self =
            switch number {
            case ENOENT, ENOTDIR: .notFound
            case EEXIST: .alreadyExists
            case EACCES, EPERM: .permissionDenied
            case EROFS: .readOnlyFileSystem
            // Opening a socket, or a FIFO without a reader, returns ENXIO. Replacing a folder by a
            // file inside it returns ENOTEMPTY.
            case EISDIR, ENXIO, ENOTEMPTY: .notARegularFile
            case ENOSPC, EDQUOT: .diskFull
            case EFBIG: .fileTooLarge
            case EPIPE: .brokenPipe
            case EMFILE, ENFILE: .tooManyOpenFiles
            case EBADF: .notOpen
            case ENAMETOOLONG, ELOOP, EILSEQ: .invalidPath
            case EINTR: .interrupted
            case EIO: .inputOutput
            default: .other
            }
    }

    /// The reason of an error without an errno.
    var reason: String {
        switch self {
        case .notFound: "no such file or directory"
        case .alreadyExists: "a file of that name exists already"
        case .permissionDenied: "permission denied"
        case .readOnlyFileSystem: "the file system is read-only"
        case .notARegularFile: "not a regular file"
        case .notReplaceable: "an output does not replace this file"
        case .invalidPath: "the path contains a NUL character"
        case .diskFull: "no space left on the disk"
        case .fileTooLarge: "the file would become too large"
        case .inputOutput: "the device reported an input/output error"
        case .brokenPipe: "nobody reads the output any more"
        case .tooManyOpenFiles: "too many open files"
        case .notOpen: "it is closed"
        case .interrupted: "interrupted by a signal"
        case .damagedCompression: "its compressed data is damaged"
        case .truncatedCompression: "its compressed data ends early"
        case .invalidText: "its text is not in its encoding"
        case .other: "the system refused"
        }
    }
}
