import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The clock of the machine.
package struct SystemClock: Clock {
    package init() {}

    package func monotonicNanoseconds() -> UInt64 {
        let now = SystemClock.read(CLOCK_MONOTONIC)
        return UInt64(clamping: now.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: now.tv_nsec)
    }

    package func wallTime() -> (seconds: Int64, nanoseconds: Int32) {
        let now = SystemClock.read(CLOCK_REALTIME)
        return (Int64(now.tv_sec), Int32(truncatingIfNeeded: now.tv_nsec))
    }

    package func sleep(nanoseconds: UInt64) {
        var wanted = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        var rest = timespec()
        while nanosleep(&wanted, &rest) == -1, errno == EINTR { wanted = rest }
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var now = timespec()
        // Cannot fail, because both clocks exist on every supported system.
        clock_gettime(clock, &now)
        return now
    }
}
