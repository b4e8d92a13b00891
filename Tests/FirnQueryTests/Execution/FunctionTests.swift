import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

@Suite("Functions")
struct FunctionTests {
    private static let noon = Timestamp(seconds: 1_362_834_000)  // 2013-03-09T13:00:00Z

    /// One object with a value of each kind, and one whose values are nil.
    private func table() throws -> StoredTable {
        try StoredTable(
            ["i?": .int, "d?": .double, "s?": .string, "t?": .date, "b?": .bool, "n": .int],
            [
                [
                    .int(-7), .double(2.675), .string("Élan, vital"), .date(Self.noon), .bool(true),
                    .int(0),
                ], [.null, .null, .null, .null, .null, .int(1)],
            ])
    }

    private func check(_ expression: String, _ expected: Value, null: Value = .null) throws {
        let rows = try table().rows("Item | select(v = \(expression))")
        #expect(rows == [[expected], [null]], "\(expression)")
    }

    @Test(
        "Number functions return the expected values",
        arguments: [
            ("round(d)", Value.double(3)), ("round(d, 2)", .double(2.68)),
            ("round(-d)", .double(-3)),
            ("round(d, -1)", .double(0)), ("round(i)", .int(-7)), ("round(i, -1)", .int(-10)),
            ("floor(d)", .double(2)), ("ceil(-d)", .double(-2)), ("floor(i)", .int(-7)),
            ("abs(i)", .int(7)), ("abs(-d)", .double(2.675)), ("sign(i)", .int(-1)),
            ("min(i, 3)", .int(-7)), ("max(i, d, 1)", .double(2.675)),
            ("max(s, 'Z')", .string("Élan, vital")),
            ("power(i, 2)", .double(49)), ("sqrt(i)", .null), ("sqrt(i * -1 + 2)", .double(3)),
            ("ln(i)", .null), ("log(i + 107)", .double(2)), ("log(i + 15, 2)", .double(3)),
            ("exp(i + 7)", .double(1)), ("power(10, i * -100)", .null), ("i % 4", .int(-3)),
            ("d % 2", .double(2.675.truncatingRemainder(dividingBy: 2))), ("i % (i + 7)", .null),
        ])
    func numbers(expression: String, expected: Value) throws { try check(expression, expected) }

    /// A product beyond the range of Doubles was infinite, but a power was nil; `int` of a Decimal128
    /// was that of the nearest Double, and 1 for 0.99999999999999999999.
    @Test(
        "A number that does not fit becomes nil, whatever computes it",
        arguments: [
            ("d * 1e308 * 10", Value.null), ("d * 1e308 + 1.5e308", .null),
            ("d / 1e-308 / 10", .null),
            ("power(d + 10, 400)", .null), ("exp(d * 1000)", .null),
            ("round(d * 6.7e307, -308)", .null),
            ("d / (d - d)", .null), ("decimal(d) / (decimal(d) - decimal(d))", .null),
            ("d * inf", .double(.infinity)), ("d - inf", .double(-.infinity)),
            ("abs(d * nan)", .double(.nan)), ("abs(decimal(d * nan))", .decimal128(.nan)),
            ("sign(d * nan)", .null), ("sign(decimal(d * nan))", .null),
            ("min(d, d * nan)", .double(2.675)), ("min(d * nan, d)", .double(2.675)),
            ("max(d * nan, d)", .double(2.675)), ("max(d, d * nan)", .double(2.675)),
            ("max(decimal(d * nan), decimal(d))", .decimal128(Decimal128("2.675") ?? .nan)),
            ("int(decimal(d) * 0 + decimal('0.99999999999999999999'))", .int(0)),
            ("int(decimal(d) * 0 + decimal('-9007199254740993.9'))", .int(-9_007_199_254_740_993)),
            ("int(decimal(d) * decimal('1e30'))", .null), ("int(d * 1e30)", .null),
            ("double(decimal(d) * decimal('1e400'))", .null),
            ("double(replace(s, s, '1e400'))", .null), ("double(replace(s, s, '0x10'))", .null),
            ("int(replace(s, s, '0x10'))", .null), ("decimal(replace(s, s, '0x10'))", .null),
            ("double(replace(s, s, '-.5e1'))", .double(-5)),
            ("double(replace(s, s, '-Inf'))", .double(-.infinity)),
        ])
    func numbersThatDoNotFit(expression: String, expected: Value) throws {
        let rows = try table().rows("Item | select(v = \(expression))")
        // NaN equals nothing.
        #expect(rows.first?.first?.description == expected.description, "\(expression)")
    }

    @Test("A constant that does not exist is an error at its position")
    func missingConstants() throws {
        for text in [
            "1.0 / 0", "5 / 0", "double('0x10')", "double('1e400')",
        ] {
            #expect(throws: QueryFailure.self, "\(text)") {
                _ = try table().rows("Item | select(v = \(text))")
            }
        }
    }

    /// `difference` compared days of the month, so that May 31 to November 30 was five months,
    /// though `add` moves May 31 by six months to that day.
    @Test(
        "difference is the largest number of units that add can add without passing the other date",
        arguments: ["year", "quarter", "month", "week", "day", "hour"])
    func differenceIsThatOfAdd(word: String) throws {
        let unit = try #require(DateUnit(rawValue: word))
        var generator = SplitMix64(seed: 46)
        var dates = (0..<400).map { _ in
            Timestamp(
                seconds: Int64.random(in: 1_600_000_000...1_800_000_000, using: &generator) / 43_200
                    * 43_200, nanoseconds: 0)
        }
        dates += ["2024-05-31", "2024-11-30", "2024-02-29", "2025-02-28"].compactMap {
            Timestamp($0)
        }
        func vector(_ dates: [Timestamp?]) -> ColumnVector {
            var vector = ColumnVector(kind: .date)
            for date in dates { vector.append(date.map { .date($0) } ?? .null) }
            return vector
        }
        func moved(_ date: Timestamp, _ count: Int64) -> Timestamp? {
            let counts = ColumnVector(repeating: .int(count), kind: .int, count: 1)
            let value = DateAddition(unit: unit, zone: .utc).values(vector([date]), counts)
            guard case .date(let date) = value.value(at: 0) else { return nil }
            return date
        }
        for (to, from) in Array(zip(dates, dates.reversed())) + zip(dates, dates.dropFirst(7)) {
            let difference = DateDifference(unit: unit, zone: .utc).values(
                vector([to]), vector([from]))
            guard case .int(let count) = difference.value(at: 0) else { continue }
            let reached = try #require(moved(from, count))
            let passed = try #require(moved(from, count + (to < from ? -1 : 1)))
            if to < from {
                #expect(to <= reached && passed < to, "\(from) \(to) \(count)")
            } else {
                #expect(reached <= to && to < passed, "\(from) \(to) \(count)")
            }
        }
    }

    @Test(
        "String functions return the expected values",
        arguments: [
            ("upper(s)", Value.string("ÉLAN, VITAL")), ("lower(s)", .string("élan, vital")),
            ("length(s)", .int(11)), ("trim('  ' + s)", .string("Élan, vital")),
            // A character is a Unicode scalar, of which LIKE and MATCHES match one.
            ("length(s + 'e\u{301}🇳🇴')", .int(15)), ("length(s + '\r\n')", .int(13)),
            ("substring('e\u{301}x🇳🇴' + s, 1, 2)", .string("\u{301}x")),
            ("substring(s + '🇳🇴', -1)", .string("🇴")),
            ("trim('\u{A0}\r\n' + s + '\u{2003}')", .string("Élan, vital")),
            ("substring(s, 0, 4)", .string("Élan")), ("substring(s, -5)", .string("vital")),
            ("substring(s, -50, 2)", .string("Él")), ("substring(s, 50)", .string("")),
            ("substring(s, 1, -1)", .null), ("replace(s, 'a', 'oo')", .string("Éloon, vitool")),
            ("replace(s, '', 'x')", .string("Élan, vital")),
            ("replace(s, 'É', 'e')", .string("elan, vital")),
            ("split(s, ', ', 0)", .string("Élan")), ("split(s, ', ', 1)", .string("vital")),
            ("split(s, ', ', -1)", .string("vital")), ("split(s, ', ', 2)", .null),
            ("split(s, ', ', -3)", .null), ("split(s, '', 0)", .string("Élan, vital")),
            ("s + '!' + s", .string("Élan, vital!Élan, vital")),
            ("concat(s, s, 'x')", .string("Élan, vitalÉlan, vitalx")),
            ("text(i) + '/' + text(d)", .string("-7/2.675")), ("format(d, 1)", .string("2.7")),
            ("format(i, 2)", .string("-7.00")), ("format(d - d, 0)", .string("0")),
        ])
    func texts(expression: String, expected: Value) throws { try check(expression, expected) }

    /// The offset of New York changed on the day after the stored date, and Kolkata is half an hour
    /// from the other zones.
    @Test(
        "Date functions return the expected values",
        arguments: [
            ("year(t)", Value.int(2013)), ("quarter(t)", .int(1)), ("month(t)", .int(3)),
            ("week(t)", .int(10)), ("day(t)", .int(9)), ("yearday(t)", .int(68)),
            ("weekday(t)", .int(6)), ("hour(t)", .int(13)), ("minute(t)", .int(0)),
            ("hour(t, 'America/New_York')", .int(8)), ("minute(t, 'Asia/Kolkata')", .int(30)),
            ("hour(t, '+02:00')", .int(15)), ("hour(t + 1d, 'America/New_York')", .int(9)),
            ("week(date(2012, 1, 1 + n))", .int(52)),
            ("truncate(t, 'day', 'Asia/Kolkata')", .date(Timestamp(seconds: 1_362_767_400))),
            ("truncate(t, 'week')", .date(Timestamp(seconds: 1_362_355_200))),
            ("truncate(t, 'quarter')", .date(Timestamp(seconds: 1_356_998_400))),
            ("truncate(t, 'years')", .date(Timestamp(seconds: 1_356_998_400))),
            ("difference(t, 2013-03-09, 'hour')", .int(13)),
            ("difference(2013-03-09, t, 'day')", .int(0)),
            ("difference(t, 2013-01-10, 'month')", .int(1)),
            ("difference(t, 2013-01-09, 'month')", .int(2)),
            ("difference(2000-02-29, t, 'year')", .int(-13)),
            ("difference(add(2024-11-30, i + 7, 'day'), 2024-05-31, 'month')", .int(6)),
            ("difference(add(2024-05-31, i + 7, 'day'), 2024-11-30, 'month')", .int(-5)),
            ("add(t, -1, 'month')", .date(Timestamp(seconds: 1_360_414_800))),
            ("add(t, 1, 'day', 'America/New_York')", .date(Timestamp(seconds: 1_362_916_800))),
            ("add(t, 9223372036854775807, 'year')", .null),
            ("format(t, 'yyyy-MM-dd HH:mm')", .string("2013-03-09 13:00")),
            (#"format(t, "EEEE d. MMM yy, h a 'Z'")"#, .string("Saturday 9. Mar 13, 1 PM Z")),
            ("format(t, 'HH', 'Europe/Berlin')", .string("14")),
            ("date(2013, 2, i + 37)", .null),
            ("date(2013, 2, i + 35)", .date(Timestamp(seconds: 1_362_009_600))),
            (
                "date('2013-02-28T' + text(i + 17) + ':00:00Z')",
                .date(Timestamp(seconds: 1_362_045_600))
            ),
        ])
    func dates(expression: String, expected: Value) throws {
        let null: Value = expression.contains("n))") ? .int(1) : .null
        try check(expression, expected, null: null)
    }

    @Test(
        "Dates are read by a pattern, and only a whole date is accepted",
        arguments: [
            ("'9.3.2013'", "d.M.yyyy", 1_362_787_200),
            ("'09.03.2013'", "dd.MM.yyyy", 1_362_787_200),
            ("'9.3.2013'", "dd.MM.yyyy", nil), ("'09.03.2013 '", "dd.MM.yyyy", nil),
            ("'x09.03.2013'", "dd.MM.yyyy", nil), ("'29.02.2013'", "dd.MM.yyyy", nil),
            ("'3/9/13 1:00 pm'", "M/d/yy h:mm a", 1_362_834_000),
            ("'12/31/99 12:30 AM'", "MM/dd/yy hh:mm a", 946_600_200),
            ("'12/31/99 13:30 AM'", "MM/dd/yy hh:mm a", nil),
            ("'Sat, 9 mar 2013'", "EEE, d MMM yyyy", 1_362_787_200),
            ("'March 2013'", "MMMM yyyy", 1_362_096_000), ("'2013'", "yyyy", 1_356_998_400),
            ("'20130309T130000'", "yyyyMMdd'T'HHmmss", 1_362_834_000),
            ("'2013-03-09 24:00'", "yyyy-MM-dd HH:mm", nil), ("''", "yyyy", nil),
        ] as [(String, String, Int64?)])
    func datesByPattern(text: String, pattern: String, seconds: Int64?) throws {
        // The text is computed: a constant that is not a date is an error.
        let expected = seconds.map { Value.date(Timestamp(seconds: $0)) } ?? .null
        let rows = try table().rows(
            #"Item i != nil | select(v = date(if(b, \#(text), nil), "\#(pattern)"))"#)
        #expect(rows == [[expected]], "\(text) \(pattern)")
    }

    @Test("Fractional seconds are read by a pattern, and a time zone shifts the date")
    func fractionsByPattern() throws {
        try check(
            "format(date('2013-03-09 08:00:00.25', 'yyyy-MM-dd HH:mm:ss.SS', 'America/New_York'), "
                + "'HH:mm:ss.SSS')", .string("13:00:00.250"), null: .string("13:00:00.250"))
    }

    @Test(
        "A session has a time zone, which is ignored by a function that names its own",
        arguments: [
            ("hour(t)", Value.int(8)), ("hour(t, 'UTC')", .int(13)),
            ("truncate(t, 'day')", .date(Timestamp(seconds: 1_362_805_200))),
            ("truncate(t, 'day', 'UTC')", .date(Timestamp(seconds: 1_362_787_200))),
            ("format(t, 'HH:mm')", .string("08:00")), ("format(d, 1)", .string("2.7")),
            ("hour(add(t, 1, 'day'))", .int(8)),
            ("date(2013, 3, 9)", .date(Timestamp(seconds: 1_362_805_200))),
            ("date(2013, 3, 9, 8, 0, 0)", .date(Timestamp(seconds: 1_362_834_000))),
            ("date('2013-03-09')", .date(Timestamp(seconds: 1_362_787_200))),
            ("date('9.3.2013', 'd.M.yyyy')", .date(Timestamp(seconds: 1_362_805_200))),
            ("difference(t, 2013-03-09, 'day')", .int(0)),
        ])
    func sessionZone(expression: String, expected: Value) throws {
        let result = try table().snapshot().query(
            "Item i != nil | select(v = \(expression))",
            arguments: QueryArguments([:], zone: "America/New_York"))
        #expect(try result.next()?.vectors.first?.value(at: 0) == expected, "\(expression)")
    }

    /// Zones follow a rule after the last transition in their file.
    @Test("Time zones have daylight saving time in any year")
    func farZones() throws {
        try check("hour(add(t, 100, 'year'), 'America/New_York')", .int(8))
        try check("hour(add(add(t, 100, 'year'), 4, 'month'), 'America/New_York')", .int(9))
        try check("hour(add(t, -300, 'year'), 'America/New_York')", .int(8))
    }

    /// Times at the limits, multiplied and moved by an offset, left the range of integers.
    @Test(
        "Values at the limits of dates and numbers have no result, or the nearest one",
        arguments: [
            ("hour(T9223372036854775807:0, 'America/New_York')", Value.int(10)),
            ("hour(T-9223372036854775807:0, 'Europe/Berlin')", .int(9)),
            ("date(900000000000, 1, 1 + n * 0)", .null),
            ("truncate(T-9223372036854775807:0, 'week')", .null),
            ("difference(T9223372036854775807:0, T-9223372036854775807:0, 'second')", .null),
            ("add(T9223372036854775807:0, 1, 'second')", .null),
            ("(-9223372036854775807 - 1) % (n - 1)", .int(0)),
            ("(-9223372036854775807 - 1) / (n - 1)", .null),
            ("abs(n - 9223372036854775807 - 1)", .null),
            ("substring('abc', -9223372036854775807 - 1, 9223372036854775807)", .string("abc")),
            ("split('abc', 'b', -9223372036854775807 - 1)", .null),
            ("round(n + 1.5, 9223372036854775807)", .double(1.5)),
            ("if(n == 0, nil, nil)", .null), ("length(nil)", .null), ("hour(nil)", .null),
        ])
    func limits(expression: String, expected: Value) throws {
        let rows = try table().rows("Item n == 0 | select(v = \(expression))")
        #expect(rows == [[expected]], "\(expression)")
    }

    @Test(
        "Values are converted to other types",
        arguments: [
            ("int(d)", Value.int(2)), ("int(-d)", .int(-2)), ("int(s)", .null), ("int(b)", .int(1)),
            ("int(text(i))", .int(-7)), ("double(i)", .double(-7)),
            ("double('1e' + text(i))", .double(1e-7)),
            ("bool(i + 7)", .bool(false)), ("text(b)", .string("true")),
            ("text(t)", .string("2013-03-09T13:00:00Z")),
            ("date(s)", .null), ("int(d * 1e300)", .null),
            ("decimal(d)", .decimal128(Decimal128("2.675") ?? .nan)),
        ])
    func conversions(expression: String, expected: Value) throws { try check(expression, expected) }

    @Test("Functions are valid wherever a value is valid")
    func everywhere() throws {
        let table = try table()
        #expect(try table.value("Item length(s) > 3 AND round(d) == 3 | count") == .int(1))
        #expect(try table.ints("Item | SORT(abs(i) DESC) | select(n)") == [0, 1])
        #expect(
            try table.ints("Item | group(k = coalesce(upper(s), '-'); @count) | select(@count)")
                == [1, 1])
        #expect(try table.value("Item | DISTINCT(length(s)) | count") == .int(2))
        #expect(try table.value("Item if(i == nil, 'x', s) == 'x' | count") == .int(1))
    }

    @Test(
        "Invalid constants are errors",
        arguments: [
            ("hour(t, 'Mars/Olympus')", "no time zone \"Mars/Olympus\""),
            ("hour(t, '../passwd')", "no time zone \"../passwd\""),
            ("hour(t, s)", "a time zone is needed here, not String property \"s\""),
            ("truncate(t, 'eon')", "a unit of time is needed here, not String \"eon\""),
            ("date(2013, 2, 30)", "this date does not exist"),
            ("date(s, 'dd.MM')", "a date cannot be read without a year"),
            ("date(s, 'yyyy D')", "the field \"D\" cannot be read"),
            ("date(s, 'yyyy h')", "\"h\" and \"a\" need each other"),
            (
                "date('03.13.2013', 'dd.MM.yyyy')",
                "String \"03.13.2013\" is not a date in the form \"dd.MM.yyyy\""
            ),
            ("t - 2013-03-01", "cannot compute Date - Date"),
            ("t + 1", "cannot compute Date + Int"),
            ("date('2013-02-30')", "String \"2013-02-30\" is not a date"),
            ("int('x')", "String \"x\" is not a valid int"),
            ("format(t, 'qqq')", "no field \"qqq\" in dates"),
            ("format(d, 101)", "a number has 0 to 100 places"),
            ("if(i, 1, 2)", "if needs a condition, not Int property \"i\""),
            ("if(b, 1, 'a')", "if needs values of one type, not Int and String"),
            ("min(1)", "min takes at least two values"),
            ("round(s)", "round needs a number, not String property \"s\""),
            ("substring(s)", "substring takes 2 to 3 values"),
            ("1 + 's'", "cannot compute Int + String"),
            ("@first(nil)", "@first needs values, not null null"),
        ])
    func errors(expression: String, message: String) throws {
        let table = try table()
        #expect {
            _ = try table.rows("Item | select(v = \(expression))")
        } throws: { error in
            guard case .query(let error)? = error as? QueryFailure else { return false }
            return error.message == message
        }
    }
}
