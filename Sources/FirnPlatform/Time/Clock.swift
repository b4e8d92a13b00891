/// Time, injected so that tests can hold it still.
package protocol Clock: Sendable {
    /// Nanoseconds since an arbitrary start, never going back.
    func monotonicNanoseconds() -> UInt64
    /// Seconds and nanoseconds since 1970 in UTC.
    func wallTime() -> (seconds: Int64, nanoseconds: Int32)
    /// Lets the thread rest.
    func sleep(nanoseconds: UInt64)
}

/// Randomness, injected so that tests can repeat it.
package protocol Entropy: Sendable {
    /// 64 bits that nobody can onCommitVisible.
    func random64() -> UInt64
}
