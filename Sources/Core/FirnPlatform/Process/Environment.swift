import CPlatform

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The environment of the process.
package enum Environment {
    /// Returns the value of an environment variable; `nil` if it is not set.
    ///
    /// The value may be empty. Bytes that are not UTF-8 are replaced.
    package static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// The words of the command line, the name of the program first; empty if the program was started
    /// without any.
    ///
    /// They come from C's `main` and need no file. Bytes that are not UTF-8 are replaced.
    package static var arguments: [String] {
        (0..<firn_argument_count()).compactMap { index in
            firn_argument(index).map { String(cString: $0) }
        }
    }

    /// The number of processors that this thread may use, at least 1.
    ///
    /// On Linux, `taskset` and the limits of a container can exclude some of the machine's.
    package static var processorCount: Int { max(1, Int(firn_core_count())) }

    /// The id of this process, for messages only, because ids are reused.
    package static var processNumber: Int32 { getpid() }
}
