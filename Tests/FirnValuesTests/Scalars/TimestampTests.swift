import FirnTesting
import FirnValues
import Testing

@Suite("Timestamps")
struct TimestampTests {
    @Test(
        "Strings are parsed and written",
        arguments: [
            ("1970-01-01", "1970-01-01T00:00:00Z"), ("2024-02-29", "2024-02-29T00:00:00Z"),
            ("2013-06-30T23:59:59Z", "2013-06-30T23:59:59Z"),
            ("2013-06-30 23:59", "2013-06-30T23:59:00Z"),
            ("2013-06-30@01:02:03", "2013-06-30T01:02:03Z"),
            ("2013-06-30T00:00:00+02:00", "2013-06-29T22:00:00Z"),
            ("2013-06-30t00:00:00-0530", "2013-06-30T05:30:00Z"),
            ("2013-06-30T00:00:00.5z", "2013-06-30T00:00:00.5Z"),
            ("2013-06-30T00:00:00,000000001", "2013-06-30T00:00:00.000000001Z"),
            ("0000-01-01", "0000-01-01T00:00:00Z"),
            ("9999-12-31T23:59:59.999999999", "9999-12-31T23:59:59.999999999Z"),
            ("T0:0", "1970-01-01T00:00:00Z"), ("T-1:-500000000", "1969-12-31T23:59:58.5Z"),
            ("T9223372036854775807:999999999", "T9223372036854775807:999999999"),
            ("T-9223372036854775808:0", "T-9223372036854775808:0"),
        ])
    func texts(text: String, expected: String) throws {
        let timestamp = try #require(Timestamp(text))
        #expect(timestamp.description == expected)
        #expect(Timestamp(expected) == timestamp)
    }

    @Test(
        "A string that is not a valid moment is refused",
        arguments: [
            "", "T", "T1", "T1:", "T1:1000000000", "T1:-1", "T-1:1", "T-:1", "T+1:1", "T1:1x",
            "T9223372036854775808:0", "T-9223372036854775808:-1", "T99999999999999999999:0",
            "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-01", "2024-01-00", "2024-04-31",
            "24-01-01", "12024-01-01", "2024-01-01T", "2024-01-01T24:00", "2024-01-01T23:60",
            "2024-01-01T23:59:60", "2024-01-01T1", "2024-01-01T10:00:00.",
            "2024-01-01T10:00:00.1234567890",
            "2024-01-01T10:00+24:00", "2024-01-01T10:00+01:60", "2024-01-01T10:00+1",
            "2024-01-01T10:00Zx", "2024-01-01x", "-2024-01-01", "2024/01/01", "\u{662}024-01-01",
        ])
    func refused(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test("A date is distinguished from a date with a time")
    func precision() {
        func precision(_ text: String) -> Timestamp.Precision? {
            var text = text
            return text.withUTF8 { Timestamp.parse($0)?.precision }
        }
        #expect(precision("2024-01-01") == .date)
        #expect(precision("2024-01-01T00:00") == .dateAndTime)
        #expect(precision("T0:0") == .dateAndTime)
    }

    @Test("Nanoseconds carry over, even at the limits of the range")
    func carrying() {
        #expect(
            Timestamp(seconds: 0, nanoseconds: -1)
                == Timestamp(seconds: -1, nanoseconds: 999_999_999))
        #expect(
            Timestamp(seconds: 5, nanoseconds: 3_000_000_001)
                == Timestamp(seconds: 8, nanoseconds: 1))
        let last = Timestamp(seconds: .max, nanoseconds: 999_999_999)
        #expect(Timestamp(seconds: .max, nanoseconds: .max) == last)
        #expect(Timestamp(seconds: .max, nanoseconds: 1_000_000_000) == last)
        #expect(Timestamp(seconds: .min, nanoseconds: .min) == Timestamp(seconds: .min))
        #expect(Timestamp(seconds: .min, nanoseconds: -1) == Timestamp(seconds: .min))
        #expect(Timestamp(seconds: .min) < last)
    }

    @Test("Every timestamp has a string that round-trips", arguments: TestScale.seeds(4))
    func roundTrip(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let borders: [Int64] = [
            .min, .min + 1, .max, .max - 1, -1, 0, -62_167_219_200, -62_167_219_201,
            253_402_300_799, 253_402_300_800, -86_400, 86_399,
        ]
        for round in 0..<2000 {
            let shift = UInt64.random(in: 0..<64, using: &generator)
            let seconds =
                round < borders.count
                ? borders[round] : Int64(bitPattern: generator.next()) >> shift
            for nanoseconds in [0, 1, 999_999_999, Int64(generator.next() % 1_000_000_000)] {
                let timestamp = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
                #expect(Timestamp(timestamp.description) == timestamp, "seed \(seed)")
            }
        }
    }

    @Test("Only timestamps at midnight are written as dates")
    func dateOnly() {
        func text(_ timestamp: Timestamp) -> String? {
            var bytes: [UInt8] = []
            guard timestamp.appendDateOnly(to: &bytes) else {
                #expect(bytes.isEmpty)
                return nil
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(text(Timestamp(seconds: -86_400)) == "1969-12-31")
        #expect(text(Timestamp(seconds: 1)) == nil)
        #expect(text(Timestamp(seconds: 0, nanoseconds: 1)) == nil)
        #expect(text(Timestamp(seconds: .max / 86_400 * 86_400)) == nil)
        #expect(text(Timestamp(seconds: .min)) == nil)
    }
}

@Suite("Dates of the calendar")
struct CivilDateTests {
    @Test("Days and dates match over five centuries, day by day")
    func dayByDay() throws {
        var expected = try #require(CivilDate(year: 1799, month: 12, day: 31))
        for day in expected.daysSince1970 + 1..<120_000 {
            let date = CivilDate(daysSince1970: day)
            #expect(date.daysSince1970 == day)
            let isMonthEnd =
                expected.day == CivilDate.days(inMonth: expected.month, of: expected.year)
            let isYearEnd = isMonthEnd && expected.month == 12
            expected = try #require(
                CivilDate(
                    year: expected.year + (isYearEnd ? 1 : 0),
                    month: isYearEnd ? 1 : expected.month + (isMonthEnd ? 1 : 0),
                    day: isMonthEnd ? 1 : expected.day + 1))
            guard date == expected else {
                Issue.record("\(date) is not \(expected)")
                return
            }
        }
    }

    @Test(
        "Leap days follow the Gregorian calendar",
        arguments: [
            (2000, true), (1900, false), (2024, true), (2023, false), (0, true), (-4, true),
            (-100, false),
        ])
    func leapDays(year: Int, exists: Bool) {
        #expect((CivilDate(year: Int64(year), month: 2, day: 29) != nil) == exists)
    }

    @Test("The limits of the range are valid dates, and years beyond them are refused")
    func extremes() {
        for seconds in [Int64.min, .max] {
            let date = CivilDate(daysSince1970: seconds / 86_400)
            #expect(date.daysSince1970 == seconds / 86_400)
            #expect(CivilDate(year: date.year, month: date.month, day: date.day) == date)
        }
        for year in [Int64.min, .max, CivilDate.years.upperBound + 1] {
            #expect(CivilDate(year: year, month: 1, day: 1) == nil)
        }
        for year in [CivilDate.years.lowerBound, CivilDate.years.upperBound] {
            let date = CivilDate(year: year, month: 1, day: 1)
            #expect(date.map { CivilDate(daysSince1970: $0.daysSince1970) } == date)
        }
    }
}
