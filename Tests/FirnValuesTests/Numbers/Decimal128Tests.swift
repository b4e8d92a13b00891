import FirnTesting
import FirnValues
import Testing

@Suite("Decimal128")
struct Decimal128Tests {
    @Test(
        "A string round-trips",
        arguments: [
            "0", "-0", "0.0", "0.00", "1", "-1", "0.1", "0.10", "123.456", "-0.000001",
            "1.23E-7", "0E-7", "0.000000", "1E+3", "1.5E+10", "-9.99E+6144",
            "9.999999999999999999999999999999999E+6144", "1E-6176", "0E-6176", "0E+6111",
            "1234567890123456789012345678901234", "0.1234567890123456789012345678901234",
            "Infinity", "-Infinity", "NaN", "-NaN", "sNaN", "12345678901234567890.123456789",
        ])
    func roundTrip(text: String) throws {
        let expected = text.replacing(
            "-9.99E+6144", with: "-9.990000000000000000000000000000000E+6144")
        let number = try #require(Decimal128(text))
        #expect(number.description == expected)
        #expect(Decimal128(number.description) == number)
    }

    @Test(
        "Other spellings are parsed",
        arguments: [
            ("+1", "1"), ("1.", "1"), (".5", "0.5"), ("-.5e1", "-5"), ("007", "7"),
            ("1e3", "1E+3"), ("1E+03", "1E+3"), ("10E-1", "1.0"), ("inf", "Infinity"),
            ("-INF", "-Infinity"), ("+Infinity", "Infinity"), ("nan", "NaN"),
            ("00000000000000000000000000000000000000000000001.50", "1.50"),
            ("0.00000000000000000000000000000000000000000000001", "1E-47"),
            ("0E+99999999999999999999999", "0E+6111"), ("-0E-99999999999999999999999", "-0E-6176"),
        ])
    func spellings(text: String, expected: String) {
        #expect(Decimal128(text)?.description == expected)
    }

    @Test(
        "A string that is not a number or has too many digits is refused",
        arguments: [
            "", " ", "+", "-", ".", "e5", "1e", "1e+", "1.2.3", "1 ", " 1", "--1", "0x10", "1_000",
            "infinit", "nano", "in", "\u{661}", "1\0", "1e5.0", "Infinity1", "١",
            "12345678901234567890123456789012345", "1.2345678901234567890123456789012345",
            "1E+6145", "10E+6144", "1E-6177", "12E-6177", "1E+99999999999999999999",
            "1E-99999999999999999999",
        ])
    func refused(text: String) {
        #expect(Decimal128(text) == nil)
    }

    @Test("Zeros shift the exponent where no digit is lost")
    func shifting() {
        // 34 digits with zeros after them.
        let long = Decimal128("1234567890123456789012345678901234000")
        #expect(long?.description == "1.234567890123456789012345678901234E+36")
        #expect(Decimal128("120E-6177")?.description == "1.2E-6175")
        #expect(Decimal128("1E+6144")?.parts.exponent == 6111)
        #expect(Decimal128("0.1234567890123456789012345678901234000")?.parts.exponent == -34)
    }

    @Test("A long string is parsed in linear time")
    func longTexts() {
        let zeros = String(repeating: "0", count: 1 << 16)
        #expect(Decimal128("1" + zeros) == nil)
        #expect(Decimal128("1" + zeros + "E-65536")?.description.hasPrefix("1.0000") == true)
        #expect(Decimal128("0." + zeros + "1E65537") == Decimal128("1"))
        #expect(Decimal128("0." + zeros) == Decimal128("0E-6176"))
        #expect(Decimal128("1E" + zeros + "5") == Decimal128("1E5"))
    }

    @Test("The encodings match the standard")
    func encodings() {
        #expect(Decimal128("1") == Decimal128(high: 0x3040_0000_0000_0000, low: 1))
        #expect(Decimal128("-1") == Decimal128(high: 0xB040_0000_0000_0000, low: 1))
        #expect(Decimal128("0.1") == Decimal128(high: 0x303E_0000_0000_0000, low: 1))
        #expect(
            Decimal128("9.999999999999999999999999999999999E+6144")
                == Decimal128(high: 0x5FFF_ED09_BEAD_87C0, low: 0x378D_8E63_FFFF_FFFF))
        #expect(Decimal128("NaN") == Decimal128(high: 0x7C00_0000_0000_0000, low: 0))
        #expect(Decimal128("sNaN") == Decimal128(high: 0x7E00_0000_0000_0000, low: 0))
        #expect(Decimal128("-Infinity") == Decimal128(high: 0xF800_0000_0000_0000, low: 0))
        #expect(Decimal128(Int64.min).description == "-9223372036854775808")
        #expect(Decimal128(Int64.max) == Decimal128("9223372036854775807"))
    }

    @Test("Non-canonical encodings have the value zero")
    func nonCanonical() {
        // One more than 34 nines, and the long form of the coefficient.
        let tooLarge = Decimal128(high: 0x3041_ED09_BEAD_87C0, low: 0x378D_8E64_0000_0000)
        let long = Decimal128(high: 0x6C10_0000_0000_0000, low: 12345)
        for number in [tooLarge, long] {
            #expect(number.isFinite && number.parts.coefficient == 0)
            #expect(number.numericOrder(relativeTo: Decimal128(0)) == .equal)
            #expect(number.description.hasPrefix("0"))
        }
        #expect(long.parts.exponent == 6176 - 6176)
    }

    @Test("Every encoding has a string that round-trips", arguments: TestScale.seeds(4))
    func randomEncodings(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<2000 {
            let number = Decimal128(high: generator.next(), low: generator.next())
            let text = number.description
            let again = Decimal128(text)
            #expect(again?.description == text, "seed \(seed)")
            #expect(again?.numericOrder(relativeTo: number) == .equal, "seed \(seed): \(text)")
        }
    }

    @Test("Equality compares the bits, but ordering compares the values")
    func equality() throws {
        let (short, long) = try (#require(Decimal128("1.0")), #require(Decimal128("1.00")))
        #expect(short != long)
        #expect(short.numericOrder(relativeTo: long) == .equal)
        #expect(Decimal128.nan.numericOrder(relativeTo: .nan) == .equal)
        #expect(Decimal128.nan.negated.numericOrder(relativeTo: .infinity) == .greater)
        #expect(Decimal128(0).negated.numericOrder(relativeTo: Decimal128(0)) == .equal)
    }

    @Test("Numbers are ordered")
    func order() throws {
        let ascending = try [
            "-Infinity", "-9E+6144", "-1.1", "-1", "-1E-6176", "0", "1E-6176", "2E-6176", "1E-100",
            "0.9999999999999999999999999999999999", "1", "1.000000000000000000000000000000001",
            "9.999999999999999999999999999999999", "10", "1E+33", "1E+6144", "Infinity", "NaN",
        ].map { try #require(Decimal128($0)) }
        for (left, first) in ascending.enumerated() {
            for (right, second) in ascending.enumerated() {
                #expect(first.numericOrder(relativeTo: second) == Ordering(left, right))
            }
        }
    }
}
