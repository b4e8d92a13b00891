#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Whether other processes run.
package enum RunningProcess {
    /// Whether there is a process of that number, of whatever user.
    package static func exists(_ pid: Int32) -> Bool {
        // Nothing is sent; a process of another user refuses and so is there.
        pid > 0 && (kill(pid, 0) == 0 || errno != ESRCH)
    }
}
