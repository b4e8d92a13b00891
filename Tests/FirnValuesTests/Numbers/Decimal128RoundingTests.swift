import FirnValues
import Testing

@Suite("Rounding of decimals")
struct Decimal128RoundingTests {
    private func decimal(_ text: String) throws -> Decimal128 { try #require(Decimal128(text)) }

    @Test(
        "A decimal is rounded to places after or before the point",
        arguments: [
            ("2.5", 0, "3", "2", "3"), ("-2.5", 0, "-3", "-3", "-2"), ("2.49", 0, "2", "2", "3"),
            ("0.4", 0, "0", "0", "1"), ("-0.4", 0, "0", "-1", "0"),
            ("1.005", 2, "1.01", "1.00", "1.01"),
            ("1250", -2, "1300", "1200", "1300"), ("49", -2, "0", "0", "1E+2"),
            ("7", 3, "7", "7", "7"), ("1E-6000", 0, "0", "0", "1"),
            ("-1E-6000", 2, "0", "-0.01", "0"),
            (
                "9999999999999999999999999999999999E-1", 0, "1000000000000000000000000000000000",
                "999999999999999999999999999999999", "1000000000000000000000000000000000"
            ),
            ("5E+40", 0, "5E+40", "5E+40", "5E+40"),
        ])
    func rounding(text: String, places: Int64, nearest: String, down: String, up: String) throws {
        let number = try decimal(text)
        for (rounding, wanted) in [
            (Decimal128.Rounding.nearest, nearest), (.down, down), (.up, up),
        ] {
            let rounded = number.rounded(rounding, places: places)
            let expected = try decimal(wanted)
            #expect(
                rounded.isNumericallyEqual(to: expected), "\(text) \(rounding): \(rounded)")
        }
    }

    @Test("Places beyond all digits give the number or 0, and special values are unchanged")
    func limits() throws {
        let number = try decimal("123.456")
        #expect(number.rounded(.nearest, places: .max) == number)
        #expect(number.rounded(.nearest, places: .min).isZero)
        #expect(number.rounded(.nearest, places: 6_000) == number)
        #expect(number.rounded(.nearest, places: -6_000).isZero)
        #expect(Decimal128.infinity.rounded(.up) == .infinity)
        #expect(Decimal128.nan.rounded(.down).isNaN)
    }

    @Test(
        "The remainder is exact, and has the sign of the dividend",
        arguments: [
            ("7", "3", "1"), ("-7", "3", "-1"), ("7", "-3", "1"), ("1.5", "0.4", "0.3"),
            ("1E+30", "7", "1"), ("3", "1E+40", "3"), ("3", "1E+33", "3"), ("1E+6000", "3", "1"),
            ("0", "3", "0"), ("5.00", "2", "1.00"),
        ])
    func remainders(dividend: String, divisor: String, wanted: String) throws {
        let rest = try decimal(dividend).remainder(dividingBy: try decimal(divisor))
        let expected = try decimal(wanted)
        #expect(rest.isNumericallyEqual(to: expected), "\(rest)")
    }

    @Test("A division by zero or of an infinity has no remainder")
    func missing() throws {
        #expect(try decimal("1").remainder(dividingBy: Decimal128(0)).isNaN)
        #expect(Decimal128.infinity.remainder(dividingBy: Decimal128(2)).isNaN)
        #expect(Decimal128(5).remainder(dividingBy: .infinity) == Decimal128(5))
    }
}
