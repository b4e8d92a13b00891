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

    /// The number of processors that this thread may use, at least 1.
    ///
    /// On Linux, processors are excluded with `taskset`, or by the limits of a container.
    package static var processorCount: Int {
        #if os(Linux)
        var allowed = cpu_set_t()
        if sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &allowed) == 0 {
            let count = withUnsafeBytes(of: allowed) { bytes in
                bytes.reduce(0) { $0 + $1.nonzeroBitCount }
            }
            if count > 0 { return count }
        }
        #endif
        return max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }

    /// The id of this process, for messages only, because ids are reused.
    package static var processNumber: Int32 { getpid() }
}
