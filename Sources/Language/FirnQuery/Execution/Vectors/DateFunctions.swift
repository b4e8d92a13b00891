import FirnCodec
import FirnSyntax
import FirnValues

/// Parts of dates in a zone.
///
/// Weekdays and weeks are those of ISO 8601: the first week of a year has its first Thursday.
struct DateParts {
    let zone: ZoneRules

    func values(
        _ function: ScalarFunction, _ dates: ColumnVector
    ) -> ColumnVector {
        var result = ColumnVector(zeros: .int, count: dates.count, nullsOf: [dates])
        var cursor = ZoneCursor(zone)
        for row in 0..<dates.count where !dates.isNull(row) {
            guard let local = cursor.local(dates.ints[row]) else {
                result.setNull(row)
                continue
            }
            result.ints[row] = Self.part(function, LocalTime(local))
        }
        return result
    }

    private static func part(
        _ function: ScalarFunction, _ time: LocalTime
    ) -> Int64 {
        switch function {
        case .hour: return time.clock / 3_600
        case .minute: return time.clock / 60 % 60
        case .second: return time.clock % 60
        case .weekday: return time.weekday
        default: break
        }
        let civil = CivilDate(daysSince1970: time.days)
        switch function {
        case .year: return civil.year
        case .quarter: return Int64(civil.month + 2) / 3
        case .month: return Int64(civil.month)
        case .day: return Int64(civil.day)
        case .yearday: return time.days - Self.firstDay(of: civil.year) + 1
        default:
            // The Thursday of the same week is in the year that the week belongs to.
            let thursday = time.days + 4 - time.weekday
            let year = CivilDate(daysSince1970: thursday).year
            return (thursday - Self.firstDay(of: year)) / 7 + 1
        }
    }

    private static func firstDay(of year: Int64) -> Int64 {
        CivilDate(year: year, month: 1, day: 1)?.daysSince1970 ?? 0
    }
}

/// Dates at the start of a unit of time.
struct DateTruncation {
    let unit: DateUnit
    let zone: ZoneRules

    func values(_ dates: ColumnVector) -> ColumnVector {
        var result = ColumnVector(zeros: .date, count: dates.count, nullsOf: [dates])
        var cursor = ZoneCursor(zone)
        for row in 0..<dates.count where !dates.isNull(row) {
            guard let local = cursor.local(dates.ints[row]),
                let start = start(of: local),
                let seconds = cursor.start(start, of: dates.ints[row])
            else {
                result.setNull(row)
                continue
            }
            result.ints[row] = seconds
        }
        return result
    }

    private func start(of seconds: Int64) -> Int64? {
        let time = LocalTime(seconds)
        if let unit = unit.fixedSeconds { return seconds - time.clock % unit }
        let days: Int64?
        switch unit {
        case .week: days = time.days - (time.weekday - 1)
        case .month, .quarter, .year:
            let civil = CivilDate(daysSince1970: time.days)
            let month =
                switch unit {
                case .month: civil.month
                case .quarter: (civil.month - 1) / 3 * 3 + 1
                default: 1
                }
            days = CivilDate(year: civil.year, month: month, day: 1)?.daysSince1970
        default: days = time.days
        }
        guard let days else { return nil }
        let (start, overflow) = days.multipliedReportingOverflow(by: LocalTime.secondsPerDay)
        return overflow ? nil : start
    }
}
