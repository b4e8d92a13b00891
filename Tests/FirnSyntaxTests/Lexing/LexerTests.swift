import FirnSyntax
import FirnValues
import Testing

/// The constant on the right side of `x == text`.
private func literal(_ text: String) throws -> Literal? {
    let statement = try Statement.parse("x == " + text, entry: .predicate)
    guard case .filter(.comparison(let comparison)) = statement.stages.first?.kind,
        case .literal(let literal, _) = comparison.right
    else { return nil }
    return literal
}

@Suite("Literals")
struct LexerTests {
    @Test(
        "Numbers are parsed",
        arguments: [
            ("5", .int(5)), ("-5", .int(-5)), ("+5", .int(5)), ("- 5", .int(-5)), ("007", .int(7)),
            ("0x1F", .int(31)), ("-0xff", .int(-255)), ("9223372036854775807", .int(.max)),
            ("-9223372036854775808", .int(.min)), ("inf", .double(.infinity)),
            ("-Infinity", .double(-.infinity)), ("NaN", .double(.nan)),
        ] as [(String, Value)])
    func numbers(text: String, value: Value) throws {
        #expect(try literal(text) == .value(value))
    }

    @Test(
        "Numbers with a point, an exponent or more than 64 bits keep all of their digits",
        arguments: [
            ("1.5", 1.5, "1.5"), (".5", 0.5, "0.5"), ("5.", 5, "5"), ("1e3", 1000, "1E+3"),
            ("1.5E-2", 0.015, "0.015"), ("1.5f", 1.5, "1.5"), ("-0.0", -0.0, "-0.0"),
            ("3.141592653589793238", 3.141592653589793, "3.141592653589793238"),
            ("-12345678901234567890", -12_345_678_901_234_567_168, "-12345678901234567890"),
            ("9223372036854775808", 0x1p63, "9223372036854775808"),
            ("1e400", .infinity, "1E+400"),
        ] as [(String, Double, String)])
    func exactNumbers(text: String, double: Double, digits: String) throws {
        guard case .number(let number) = try literal(text) else {
            Issue.record("\(text) is not a number literal")
            return
        }
        #expect(number.double.bitPattern == double.bitPattern)
        #expect(number.decimal?.description == digits)
    }

    @Test(
        "Strings and their escapes are parsed",
        arguments: [
            ("''", ""), ("\"it's\"", "it's"), ("'a\\'b'", "a'b"),
            (#""\" \' \/ \\ \b\f\n\r\t\0""#, "\" ' / \\ \u{8}\u{c}\n\r\t\0"),
            (#""\u00e9\u20AC""#, "é€"), (#""\ud83d\uDE00""#, "😀"), ("'a\nb'", "a\nb"),
            ("'Größe 名'", "Größe 名"), ("'-- no comment'", "-- no comment"),
        ])
    func strings(text: String, value: String) throws {
        #expect(try literal(text) == .value(.string(value)))
    }

    @Test(
        "Dates are parsed",
        arguments: [
            ("2013-01-01", 1_356_998_400, 0), ("2013-1-1", 1_356_998_400, 0),
            ("2013-01-01T10:00:00.5+02:00", 1_357_027_200, 500_000_000),
            ("2013-01-01T10:00-0200", 1_357_041_600, 0),
            ("2013-01-01T10:00:00Z", 1_357_034_400, 0),
            ("2013-01-01@10:00:01", 1_357_034_401, 0),
            ("2013-01-01@10:00:01:5", 1_357_034_401, 5), ("T12:34", 12, 34),
            ("T-1:-500000000", -2, 500_000_000),
        ] as [(String, Int64, Int64)])
    func dates(text: String, seconds: Int64, nanoseconds: Int64) throws {
        let expected = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
        #expect(try literal(text) == .value(.date(expected)))
    }

    @Test(
        "Durations, words and bytes are parsed",
        arguments: [
            ("250ms", .duration(milliseconds: 250)), ("5s", .duration(milliseconds: 5_000)),
            ("2m", .duration(milliseconds: 120_000)), ("1h", .duration(milliseconds: 3_600_000)),
            ("7d", .duration(milliseconds: 604_800_000)), ("TRUE", .value(.bool(true))),
            ("false", .value(.bool(false))), ("nil", .value(.null)), ("Null", .value(.null)),
            ("B64\"aGk=\"", .value(.data([104, 105]))),
            (
                "uuid('00112233-4455-6677-8899-aabbccddeeff')",
                .value(.uuid(UUID(high: 0x0011_2233_4455_6677, low: 0x8899_aabb_ccdd_eeff)))
            ),
        ] as [(String, Literal)])
    func others(text: String, value: Literal) throws {
        #expect(try literal(text) == value)
    }

    @Test(
        "A malformed token is an error with its position",
        arguments: [
            ("x == 'abc", 5..<6, "this string has no closing quote"),
            ("`abc", 0..<1, "this name has no closing backquote"),
            ("``", 0..<2, "a name in backquotes cannot be empty"),
            (#"x == 'a\q'"#, 7..<9, #"unknown escape \q"#),
            (#"x == "\ud83d""#, 6..<12, "half of a surrogate pair is not a character"),
            (#"x == "\u12""#, 6..<10, #"\u needs four hexadecimal digits"#),
            ("x == 1e7000", 5..<11, "1e7000 is larger than any Double or Decimal128"),
            ("x == 12ab", 5..<9, "\"12ab\" is neither a number nor a duration"),
            ("x == 0x", 5..<7, "\"0x\" is neither a number nor a duration"),
            ("x == 2013-02-30", 5..<15, "2013-02-30 is not a date that exists"),
            ("x == 2013-01-01T25:00", 5..<21, "2013-01-01T25:00 is not a date that exists"),
            ("x & y", 2..<3, "unexpected character \"&\" (U+0026)"),
            ("x == \u{201c}a\u{201d}", 5..<8, "unexpected character \"\u{201c}\" (U+201C)"),
            ("x\u{a0}== 1", 1..<3, "unexpected character U+00A0"),
            ("x == 1 \u{1b}", 7..<8, "unexpected character U+001B"),
            ("x == $", 5..<6, "a name is missing after \"$\""),
            ("x.@ == 1", 2..<3, "a name is missing after \"@\""),
            ("x == B64'a'", 8..<11, "this is not base64"),
            ("x == uuid('a')", 10..<13, "this is not a UUID"),
        ])
    func malformed(text: String, range: Range<Int>, message: String) {
        let error = #expect(throws: QueryError.self) {
            try Statement.parse(text, entry: .pipeline)
        }
        #expect(error?.message == message)
        #expect(error?.range == range)
        #expect(error?.code == .syntax)
    }
}
