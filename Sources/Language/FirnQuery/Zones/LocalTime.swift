import FirnValues

/// The calendar time of a zone, from seconds since 1970 in that zone.
struct LocalTime {
    static let secondsPerDay: Int64 = 86_400

    /// The days since 1970-01-01, rounded down even for earlier dates.
    let days: Int64
    /// The second of the day.
    let clock: Int64

    init(_ seconds: Int64) {
        let rest = seconds % Self.secondsPerDay
        clock = rest < 0 ? rest + Self.secondsPerDay : rest
        days = seconds / Self.secondsPerDay - (rest < 0 ? 1 : 0)
    }

    /// Returns the start of a day as seconds since 1970; `nil` outside the range of dates.
    static func midnight(_ date: CivilDate) -> Int64? {
        let (seconds, overflow) = date.daysSince1970.multipliedReportingOverflow(by: secondsPerDay)
        // The last day may not be complete.
        return overflow || seconds > .max - secondsPerDay ? nil : seconds
    }

    /// The weekday: Monday is 1 and Sunday is 7.
    ///
    /// 1970-01-01 was a Thursday.
    var weekday: Int64 { ((days + 3) % 7 + 7) % 7 + 1 }
}

extension CivilDate {
    /// Returns the day a number of months later, or the last day of that month if it is shorter;
    /// `nil` outside the range of dates.
    func adding(months: Int64) -> CivilDate? {
        let (total, overflow) = (year * 12 + Int64(month - 1)).addingReportingOverflow(months)
        guard !overflow else { return nil }
        let month = (total % 12 + 12) % 12
        let year = (total - month) / 12
        return CivilDate(
            year: year, month: Int(month) + 1,
            day: Swift.min(day, CivilDate.days(inMonth: Int(month) + 1, of: year)))
    }
}
