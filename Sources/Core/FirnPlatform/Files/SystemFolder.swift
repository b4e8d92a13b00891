import CPlatform
import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Creates and removes folders of the machine.
package enum SystemFolder {
    /// Creates a folder, which other users may read as the umask of the process permits.
    ///
    /// - Throws: ``PlatformError`` with `alreadyExists` if the name exists.
    package static func make(_ path: String) throws(PlatformError) {
        try check(path, "mkdir")
        try retryingInterrupts("mkdir", path) { mkdir(path, 0o777) }
    }

    /// Removes an empty folder.
    package static func remove(_ path: String) throws(PlatformError) {
        try check(path, "rmdir")
        try retryingInterrupts("rmdir", path) { rmdir(path) }
    }

    /// Exchanges the names of two folders in one step that no crash can interrupt.
    ///
    /// - Returns: whether the file system can do that; if not, nothing has changed.
    package static func exchange(
        _ path: String, _ other: String
    ) throws(PlatformError) -> Bool {
        try check(path, "rename")
        try check(other, "rename")
        let reason = firn_rename_exchange(path, other)
        switch reason {
        case 0: return true
        case EINVAL, ENOSYS, ENOTSUP: return false
        default: throw PlatformError(system: reason, operation: "rename", path: other)
        }
    }

    /// Rejects a NUL, at which the path would end in C.
    private static func check(_ path: String, _ operation: String) throws(PlatformError) {
        guard !path.utf8.contains(0) else {
            throw PlatformError(.invalidPath, operation: operation, path: path)
        }
    }
}
