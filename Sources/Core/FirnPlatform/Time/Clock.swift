package import FirnValues

/// A clock, which is injected so that tests can control time.
package protocol Clock: Sendable {
    /// Returns the nanoseconds since an arbitrary start, which never decrease.
    func monotonicNanoseconds() -> UInt64
    /// Returns the seconds and nanoseconds since 1970 in UTC.
    func wallTime() -> (seconds: Int64, nanoseconds: Int32)
    /// Suspends the thread.
    func sleep(nanoseconds: UInt64)
}

extension Clock {
    /// The wall time as a value.
    package var now: Timestamp {
        let time = wallTime()
        return Timestamp(seconds: time.seconds, nanoseconds: Int64(time.nanoseconds))
    }
}

/// A source of randomness, which is injected so that tests can repeat its output.
package protocol Entropy: Sendable {
    /// Returns 64 unpredictable bits.
    func random64() -> UInt64
}
