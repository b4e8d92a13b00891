import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Tests whether other processes are running.
package enum RunningProcess {
    /// Returns whether a process with an id exists, for any user.
    package static func exists(_ pid: Int32) -> Bool {
        // No signal is sent. An error other than ESRCH means that the process belongs to another
        // user.
        pid > 0 && (kill(pid, 0) == 0 || errno != ESRCH)
    }
}
