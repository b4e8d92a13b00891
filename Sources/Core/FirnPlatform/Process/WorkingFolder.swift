import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The folder that relative paths start from.
package enum WorkingFolder {
    /// Changes the working folder of the whole process.
    package static func change(to path: String) throws(PlatformError) {
        guard chdir(path) == 0 else {
            throw PlatformError(system: errno, operation: "chdir", path: path)
        }
    }
}
