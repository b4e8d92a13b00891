import FirnValues

/// The rule of a zone for all later years, in the form of the POSIX variable `TZ`:
/// `EST5EDT,M3.2.0,M11.1.0`.
struct ZoneYearRule: Sendable {
    /// The day and time of a change.
    struct Change: Sendable {
        enum Day: Sendable {
            /// A day of the year, 1 to 365, without February 29.
            case julian(Int)
            /// A day of the year, 0 to 365.
            case ordinal(Int)
            /// A weekday, Sunday being 0, in week 1 to 5 of a month, where 5 is the last one.
            case week(month: Int, week: Int, weekday: Int)
        }

        let day: Day
        /// The local time in seconds after midnight, which can be on another day.
        let seconds: Int64
    }

    /// The years for which changes are computed; other years are near the limits of dates.
    private static let years: ClosedRange<Int64> = -1_000_000_000...1_000_000_000

    let standard: Int64
    /// The offset in summer, with its start and end; `nil` if there is none.
    let summer: (offset: Int64, start: Change, end: Change)?

    /// Parses the text; `nil` if it is invalid.
    init?(_ text: [UInt8]) {
        var scanner = Scanner(text: text)
        guard scanner.skipName(), let standard = scanner.offset() else { return nil }
        self.standard = -standard
        guard !scanner.isAtEnd else {
            summer = nil
            return
        }
        guard scanner.skipName() else { return nil }
        var offset = self.standard + 3_600
        if let next = scanner.next, next != UInt8(ascii: ",") {
            guard let parsed = scanner.offset() else { return nil }
            offset = -parsed
        }
        guard scanner.skip(","), let start = scanner.change(), scanner.skip(","),
            let end = scanner.change(), scanner.isAtEnd
        else { return nil }
        summer = (offset, start, end)
    }

    /// Returns the period that contains a point in time.
    func period(at seconds: Int64) -> ZoneRules.Period {
        guard let summer else {
            return ZoneRules.Period(start: .min, end: .max, offset: standard)
        }
        let days = (seconds / 86_400) - (seconds % 86_400 < 0 ? 1 : 0)
        let year = CivilDate(daysSince1970: days).year
        guard Self.years.contains(year) else {
            return ZoneRules.Period(start: seconds, end: seconds, offset: standard)
        }
        var changes: [(time: Int64, offset: Int64)] = []
        for year in (year - 1)...(year + 1) {
            changes.append((summer.start.time(year) - standard, summer.offset))
            changes.append((summer.end.time(year) - summer.offset, standard))
        }
        changes.sort { $0.time < $1.time }
        for (change, next) in zip(changes, changes.dropFirst())
        where change.time <= seconds && seconds < next.time {
            return ZoneRules.Period(start: change.time, end: next.time, offset: change.offset)
        }
        return ZoneRules.Period(start: seconds, end: seconds, offset: standard)
    }

    private struct Scanner {
        let text: [UInt8]
        var position = 0

        var isAtEnd: Bool { position == text.count }
        var next: UInt8? { position < text.count ? text[position] : nil }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard next == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        /// Skips letters, or any characters between `<` and `>`.
        mutating func skipName() -> Bool {
            let start = position
            if skip("<") {
                while let byte = next, byte != UInt8(ascii: ">") { position += 1 }
                return skip(">")
            }
            while let byte = next, (byte | 0x20) &- UInt8(ascii: "a") < 26 { position += 1 }
            return position - start >= 3
        }

        mutating func number() -> Int? {
            var number: Int?
            while let byte = next, byte &- UInt8(ascii: "0") < 10 {
                number = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
                guard let number, number < 10_000 else { return nil }
                position += 1
            }
            return number
        }

        /// Parses `[+-]hh[:mm[:ss]]` in seconds.
        mutating func offset() -> Int64? {
            let isNegative = skip("-")
            if !isNegative { _ = skip("+") }
            guard let hours = number(), hours <= 167 else { return nil }
            var seconds = hours * 3_600
            for unit in [60, 1] where skip(":") {
                guard let part = number(), part < 60 else { return nil }
                seconds += part * unit
            }
            return Int64(isNegative ? -seconds : seconds)
        }

        mutating func change() -> Change? {
            let day: Change.Day
            if skip("M") {
                guard let month = number(), (1...12).contains(month), skip("."),
                    let week = number(), (1...5).contains(week), skip("."),
                    let weekday = number(), weekday < 7
                else { return nil }
                day = .week(month: month, week: week, weekday: weekday)
            } else if skip("J") {
                guard let number = number(), (1...365).contains(number) else { return nil }
                day = .julian(number)
            } else {
                guard let number = number(), number <= 365 else { return nil }
                day = .ordinal(number)
            }
            guard skip("/") else { return Change(day: day, seconds: 7_200) }
            return offset().map { Change(day: day, seconds: $0) }
        }
    }
}

extension ZoneYearRule.Change {
    /// Returns the local time in a year, as seconds since 1970 without an offset.
    fileprivate func time(_ year: Int64) -> Int64 {
        guard let first = CivilDate(year: year, month: 1, day: 1)?.daysSince1970 else { return 0 }
        let day: Int64
        switch self.day {
        case .ordinal(let number): day = first + Int64(number)
        case .julian(let number):
            let isLeap = CivilDate.days(inMonth: 2, of: year) == 29
            day = first + Int64(number - 1) + (isLeap && number >= 60 ? 1 : 0)
        case .week(let month, let week, let weekday):
            let start = CivilDate(year: year, month: month, day: 1)?.daysSince1970 ?? first
            // 1970-01-01 was a Thursday, which is 4 if Sunday is 0.
            let startWeekday = ((start + 4) % 7 + 7) % 7
            var offset = (Int64(weekday) - startWeekday + 7) % 7 + Int64(week - 1) * 7
            if offset >= CivilDate.days(inMonth: month, of: year) { offset -= 7 }
            day = start + offset
        }
        return day * 86_400 + seconds
    }
}
