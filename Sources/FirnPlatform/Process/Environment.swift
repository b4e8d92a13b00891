#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What surrounds the process.
package enum Environment {
    /// The value of an environment variable; `nil` if it is not set.
    ///
    /// It may be empty. Bytes that are not UTF-8 are replaced.
    package static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// How many processors this process may use, at least 1.
    package static var processorCount: Int {
        max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }

    /// The number of this process, for messages only: numbers are used again.
    package static var processNumber: Int32 { getpid() }
}
