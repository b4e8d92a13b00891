/// A point in time: whole seconds since 1970-01-01T00:00:00Z, and the nanoseconds after them.
///
/// Invariant: `0 <= nanoseconds < 1_000_000_000`, even before 1970. The order of timestamps is
/// therefore the order of the pairs.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// The seconds since 1970 in UTC, negative before.
    public let seconds: Int64
    /// The nanoseconds after `seconds`, 0 to 999,999,999.
    public let nanoseconds: Int32

    /// Creates a timestamp.
    ///
    /// Nanoseconds outside one second are carried into the seconds.
    ///
    /// A time before the first or after the last timestamp becomes that timestamp.
    ///
    /// - Parameters:
    ///   - seconds: the seconds since 1970 in UTC.
    ///   - nanoseconds: any number of nanoseconds to add, which may be negative.
    public init(seconds: Int64, nanoseconds: Int64 = 0) {
        let billion: Int64 = 1_000_000_000
        var carry = nanoseconds / billion
        var rest = nanoseconds % billion
        if rest < 0 {
            rest += billion
            carry -= 1
        }
        let (sum, overflow) = seconds.addingReportingOverflow(carry)
        if overflow {
            self.seconds = carry < 0 ? .min : .max
            self.nanoseconds = carry < 0 ? 0 : 999_999_999
        } else {
            self.seconds = sum
            self.nanoseconds = Int32(truncatingIfNeeded: rest)
        }
    }

    /// Returns whether the left point in time is earlier.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.seconds != right.seconds
            ? left.seconds < right.seconds : left.nanoseconds < right.nanoseconds
    }
}
