import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The locks of whole files by which other programs announce that they are working with a file.
package enum AdvisoryLock {
    /// Returns whether another open file holds a lock on the whole file (`flock`).
    ///
    /// A file that does not exist or cannot be opened has no lock.
    package static func isHeld(_ path: String) -> Bool {
        guard !path.utf8.contains(0) else { return false }
        let descriptor = SystemFileSystem.openCall(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else {
            flock(descriptor, LOCK_UN)
            return false
        }
        return errno == EWOULDBLOCK
    }
}
