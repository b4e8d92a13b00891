import FirnPlatform
import FirnTesting

/// A clock that advances a fifth of a second at each access, so that short work seems long.
final class SteppingClock: Clock {
    private let clock = SimulatedClock()

    func monotonicNanoseconds() -> UInt64 {
        clock.advance(nanoseconds: 200_000_000)
        return clock.monotonicNanoseconds()
    }

    func wallTime() -> (seconds: Int64, nanoseconds: Int32) { clock.wallTime() }

    func sleep(nanoseconds: UInt64) { clock.sleep(nanoseconds: nanoseconds) }
}
