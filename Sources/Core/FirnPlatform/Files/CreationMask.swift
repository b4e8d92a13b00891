#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The permissions that files get when they are made.
package enum CreationMask {
    /// Runs a body that makes a file, with these permissions at most.
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
