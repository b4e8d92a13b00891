import FirnCodec
import FirnValues

/// Dates moved by a number of units.
///
/// Days and longer units keep the time of day in the zone. A day that the month does not have is
/// its last day.
struct DateAddition {
    let unit: DateUnit
    let zone: ZoneRules

    func values(_ dates: ColumnVector, _ counts: ColumnVector) -> ColumnVector {
        var result = ColumnVector(zeros: .date, count: dates.count, nullsOf: [dates, counts])
        var cursor = ZoneCursor(zone)
        for row in 0..<dates.count where !result.isNull(row) {
            guard let seconds = moved(dates.ints[row], counts.ints[row], &cursor) else {
                result.setNull(row)
                continue
            }
            result.ints[row] = seconds
            result.nanoseconds[row] = dates.nanoseconds[row]
        }
        return result
    }

    private func moved(
        _ seconds: Int64, _ count: Int64, _ cursor: inout ZoneCursor
    ) -> Int64? {
        if let unit = unit.fixedSeconds { return Self.sum(seconds, count, unit) }
        guard let local = cursor.local(seconds) else { return nil }
        guard let months = unit.months else {
            let days: Int64 = unit == .week ? 7 : 1
            return Self.sum(local, count, days * LocalTime.secondsPerDay)
                .flatMap { cursor.utc($0, from: seconds) }
        }
        let time = LocalTime(local)
        let (moved, overflow) = count.multipliedReportingOverflow(by: months)
        guard !overflow, let day = CivilDate(daysSince1970: time.days).adding(months: moved),
            let start = Self.sum(time.clock, day.daysSince1970, LocalTime.secondsPerDay)
        else { return nil }
        return cursor.utc(start, from: seconds)
    }

    private static func sum(_ start: Int64, _ count: Int64, _ unit: Int64) -> Int64? {
        let (distance, isTooLong) = count.multipliedReportingOverflow(by: unit)
        let (sum, overflow) = start.addingReportingOverflow(distance)
        return isTooLong || overflow ? nil : sum
    }
}

/// The number of whole units from one date to another: a - b.
///
/// It is the largest number of units by which `DateAddition` moves b, toward a and not past it.
struct DateDifference {
    let unit: DateUnit
    let zone: ZoneRules

    func values(_ left: ColumnVector, _ right: ColumnVector) -> ColumnVector {
        var result = ColumnVector(zeros: .int, count: left.count, nullsOf: [left, right])
        var cursor = ZoneCursor(zone)
        for row in 0..<left.count where !result.isNull(row) {
            let end = Instant(left.ints[row], left.nanoseconds[row])
            let start = Instant(right.ints[row], right.nanoseconds[row])
            if let distance = units(from: start, to: end, &cursor) {
                result.ints[row] = distance
            } else {
                result.setNull(row)
            }
        }
        return result
    }

    private struct Instant: Comparable {
        let seconds: Int64
        let nanoseconds: Int32

        init(_ seconds: Int64, _ nanoseconds: Int32) {
            self.seconds = seconds
            self.nanoseconds = nanoseconds
        }

        static func < (left: Instant, right: Instant) -> Bool {
            (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
        }
    }

    /// Returns the number of whole units from one instant to another, negative if that is earlier.
    private func units(
        from start: Instant, to end: Instant, _ cursor: inout ZoneCursor
    ) -> Int64? {
        guard let months = unit.months else {
            return end < start
                ? days(start, end, &cursor).map { -$0 } : days(end, start, &cursor)
        }
        guard let endSeconds = cursor.local(end.seconds),
            let startSeconds = cursor.local(start.seconds)
        else { return nil }
        let (last, first) = (LocalTime(endSeconds), LocalTime(startSeconds))
        let (to, from) = (
            CivilDate(daysSince1970: last.days), CivilDate(daysSince1970: first.days)
        )
        let distance = (to.year - from.year) * 12 + Int64(to.month - from.month)
        // The last day of a shorter month is the same day.
        let day = min(from.day, CivilDate.days(inMonth: to.month, of: to.year))
        let reached = (day, first.clock, start.nanoseconds)
        let wanted = (to.day, last.clock, end.nanoseconds)
        if end < start { return -((reached < wanted ? -distance - 1 : -distance) / months) }
        return (reached > wanted ? distance - 1 : distance) / months
    }

    /// Returns the number of whole days or shorter units between two instants, the later one first.
    private func days(
        _ later: Instant, _ earlier: Instant, _ cursor: inout ZoneCursor
    ) -> Int64? {
        if let unit = unit.fixedSeconds {
            let borrow: Int64 = later.nanoseconds < earlier.nanoseconds ? 1 : 0
            let (distance, overflow) = later.seconds.subtractingReportingOverflow(earlier.seconds)
            return overflow ? nil : (distance - borrow) / unit
        }
        guard let end = cursor.local(later.seconds), let start = cursor.local(earlier.seconds)
        else { return nil }
        let (last, first) = (LocalTime(end), LocalTime(start))
        let isEarlierInDay = (last.clock, later.nanoseconds) < (first.clock, earlier.nanoseconds)
        let days = last.days - first.days - (isEarlierInDay ? 1 : 0)
        return days / (unit == .week ? 7 : 1)
    }
}
