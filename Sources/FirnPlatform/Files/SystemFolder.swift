import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Makes and removes folders of the machine.
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

    /// In C, the path would end at a NUL.
    private static func check(_ path: String, _ operation: String) throws(PlatformError) {
        guard !path.utf8.contains(0) else {
            throw PlatformError(.invalidPath, operation: operation, path: path)
        }
    }
}
