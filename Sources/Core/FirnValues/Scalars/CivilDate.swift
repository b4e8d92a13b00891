/// A date of the proleptic Gregorian calendar, and its number of days since 1970-01-01.
///
/// The conversions are the era-based ones from Howard Hinnant, "chrono-Compatible Low-Level Date
/// Algorithms": a year begins on March 1, so that the leap day is the last day of a year.
public struct CivilDate: Hashable, Sendable {
    /// The astronomical year: 0 is 1 BC.
    public let year: Int64
    /// The month, 1 to 12.
    public let month: Int
    /// The day of the month, 1 to 31.
    public let day: Int

    /// The years that dates can have: a wider range than for timestamps, in which days cannot
    /// overflow.
    public static let years: ClosedRange<Int64> = -1_000_000_000_000...1_000_000_000_000

    /// Creates a date, or `nil` if the month or the day does not exist, or if the year is not in
    /// ``years``.
    public init?(year: Int64, month: Int, day: Int) {
        guard CivilDate.years.contains(year), (1...12).contains(month), day >= 1,
            day <= CivilDate.days(inMonth: month, of: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates the date at a number of days after 1970-01-01.
    ///
    /// - Parameter daysSince1970: a number between -2^52 and 2^52, as for every timestamp.
    public init(daysSince1970: Int64) {
        let shifted = daysSince1970 + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
        month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The number of days since 1970-01-01, negative before.
    public var daysSince1970: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let shiftedMonth = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Returns the number of days in a month of a year.
    public static func days(inMonth month: Int, of year: Int64) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
