import FirnCodec
import FirnValues

/// Moves dates by a fixed duration.
enum DateMove {
    private static let nanosecondsPerMillisecond: Int64 = 1_000_000

    /// Returns the moved dates; null for results outside the range of dates.
    static func values(_ dates: ColumnVector, _ milliseconds: Int64) -> ColumnVector {
        var moved = ColumnVector(kind: .date)
        let seconds = milliseconds / 1_000
        let rest = milliseconds % 1_000 * nanosecondsPerMillisecond
        for row in 0..<dates.count {
            guard !dates.isNull(row) else {
                moved.appendNull()
                continue
            }
            let (sum, overflow) = dates.ints[row].addingReportingOverflow(seconds)
            let nanoseconds = Int64(dates.nanoseconds[row]) + rest
            let isBeyond =
                overflow || sum == .min && nanoseconds < 0
                || sum == .max && nanoseconds >= 1_000 * nanosecondsPerMillisecond
            moved.append(
                isBeyond ? .null : .date(Timestamp(seconds: sum, nanoseconds: nanoseconds)))
        }
        return moved
    }
}
