import FirnValues

/// The time of a change in a hybrid logical clock: physical time, and a counter for changes in the
/// same millisecond.
///
///     63      20 19     12 11           0
///     milliseconds | counter | client
///
/// Times are ordered as numbers. The low bits come from the id of the client, so that the changes
/// of two clients practically never have the same time.
///
/// Source: Kulkarni et al., "Logical Physical Clocks", 2014.
struct HybridTime: Hashable, Comparable, Sendable {
    let rawValue: Int64

    init(_ rawValue: Int64) { self.rawValue = rawValue }

    static func < (left: HybridTime, right: HybridTime) -> Bool { left.rawValue < right.rawValue }

    /// Returns the time of a change: physical time, or later than all times seen.
    init(
        nanosecondsSince1970 nanoseconds: Int64, after last: HybridTime, client: FirnValues.UUID
    ) {
        let milliseconds = max(0, nanoseconds / 1_000_000)
        let physical = min(milliseconds, HybridTime.millisecondsMaximum) << 8
        let ticks = max(physical, (last.rawValue >> 12) &+ 1)
        rawValue = ticks << 12 | Int64(client.low & 0xFFF)
    }

    /// The greatest physical time, far beyond the year 2200.
    private static let millisecondsMaximum: Int64 = 1 << 42

    /// The bits that come from the id of the client.
    var client: Int64 { rawValue & 0xFFF }

    /// Returns the time of a row, or zero if it is later than any that a file may have given it.
    ///
    /// Another program may have written it, or the clock of the server was set back. A change of
    /// the row would otherwise never win, and the file would continue from that time.
    func plausible(toServer milliseconds: Int64) -> HybridTime {
        rawValue >= 0 && rawValue >> 20 <= milliseconds + 120_000 ? self : HybridTime(0)
    }

    /// Returns the time, limited to one minute after the time of the server.
    ///
    /// Changes of a machine whose clock is years ahead would otherwise win for years.
    func limited(toServer milliseconds: Int64) -> HybridTime {
        let limit = (milliseconds + 60_000) << 20
        return rawValue <= limit ? self : HybridTime(limit | rawValue & 0xFFF)
    }
}
