#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The permissions of newly created files.
package enum CreationMask {
    /// Runs a body that creates a file with at most these permissions.
    ///
    /// The mask is that of the process: other threads must not make files meanwhile.
    package static func restricting<Result>(
        to permissions: UInt32, _ body: () throws -> Result
    ) rethrows -> Result {
        let before = umask(mode_t(~permissions & 0o777))
        defer { umask(before) }
        return try body()
    }
}
