import FirnPlatform

/// Times work with the clock of the machine.
enum Stopwatch {
    private static let clock = SystemClock()

    /// - Returns: the nanoseconds that the body took, and its result.
    static func timeAndResult<Result>(_ body: () throws -> Result) rethrows -> (UInt64, Result) {
        let start = clock.monotonicNanoseconds()
        let result = try body()
        return (clock.monotonicNanoseconds() &- start, result)
    }

    /// - Returns: the nanoseconds that the body took.
    static func time(_ body: () throws -> Void) rethrows -> UInt64 {
        let (nanoseconds, _): (UInt64, Void) = try timeAndResult(body)
        return nanoseconds
    }
}
