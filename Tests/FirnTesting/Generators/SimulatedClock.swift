import FirnPlatform

/// A clock that stands still until a test advances it; sleeping advances it, too.
package final class SimulatedClock: Clock {
    private struct Now {
        var monotonic: UInt64
        var wall: (seconds: Int64, nanoseconds: Int32)
    }

    private let now: Guarded<Now>

    /// Starts in 2026, with the monotonic clock at one second.
    package init(seconds: Int64 = 1_767_225_600, nanoseconds: Int32 = 0) {
        now = Guarded(Now(monotonic: 1_000_000_000, wall: (seconds, nanoseconds)))
    }

    package func monotonicNanoseconds() -> UInt64 { now.withLock { $0.monotonic } }

    package func wallTime() -> (seconds: Int64, nanoseconds: Int32) { now.withLock { $0.wall } }

    package func sleep(nanoseconds: UInt64) { advance(nanoseconds: nanoseconds) }

    /// Advances both clocks.
    package func advance(nanoseconds: UInt64) {
        now.withLock { now in
            now.monotonic += nanoseconds
            let sum = UInt64(now.wall.nanoseconds) + nanoseconds % 1_000_000_000
            now.wall.seconds += Int64(nanoseconds / 1_000_000_000 + sum / 1_000_000_000)
            now.wall.nanoseconds = Int32(sum % 1_000_000_000)
        }
    }

    /// Sets the wall clock only, as a user or a time server does; it may be set back.
    package func setWallTime(seconds: Int64, nanoseconds: Int32 = 0) {
        now.withLock { $0.wall = (seconds, nanoseconds) }
    }
}
