import Firn
import Foundation
import Testing

@Suite("Decimal128 of the object API")
struct Decimal128Tests {
    @Test("A literal keeps the digits as written")
    func literals() {
        let (whole, point, text) = (42 as Decimal128, 0.1 as Decimal128, "19.90" as Decimal128)
        #expect(whole.stringValue == "42")
        #expect(point.stringValue == "0.1")
        #expect(text.stringValue == "19.90")
        #expect((-9_223_372_036_854_775_808 as Decimal128).description == "-9223372036854775808")
        #expect(Decimal128().stringValue == "0")
        #expect(0.1 + 0.2 as Decimal128 == 0.3)
    }

    @Test(
        "A value of any numeric type becomes the number as it is written",
        arguments: [
            (Int8(-5), "-5"), (UInt64.max, "18446744073709551615"), (Int(7), "7"),
            (1.5 as Float, "1.5"), (0.1 as Float, "0.1"), (0.1, "0.1"), (1e100, "1E+100"),
            (-Double.infinity, "-Infinity"), (Double.nan, "NaN"), ("1.50", "1.50"),
            ("1.50".dropLast(), "1.5"), (Decimal(string: "12.5")!, "12.5"), (Decimal.nan, "NaN"),
            (NSNumber(value: 3), "3"), (NSNumber(value: 0.1), "0.1"), (NSNumber(value: 1.0), "1.0"),
            (NSNumber(value: UInt64.max), "18446744073709551615"),
            (
                NSDecimalNumber(string: "0.123456789012345678901234567890"),
                "0.12345678901234567890123456789"
            ),
            (NSNull(), "NaN"), ("2.5" as Decimal128, "2.5"),
        ] as [(any Sendable, String)])
    func values(value: any Sendable, expected: String) {
        #expect(Decimal128(value: value).stringValue == expected)
    }

    @Test("A value that is not a number stops the program")
    func noNumbers() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Decimal128(value: "twelve")
        }.says("String \"twelve\" cannot be a Decimal128: pass a number or a")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Decimal128(value: true)
        }.says("Bool \"true\" cannot be a Decimal128: pass a number or a text")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Decimal128(value: [1])
        }.says("Array<Int> \"[1]\" cannot be a Decimal128: pass a number or a")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = "1,5" as Decimal128
        }.says("\"1,5\" is not a number: write a Decimal128 like \"-12.50\" or \"1E+9\"")
    }

    @Test("A string is parsed and rounded, and an invalid string becomes nil or NaN")
    func texts() {
        #expect(Decimal128("12.50" as String)?.description == "12.50")
        #expect(Decimal128("twelve" as String) == nil)
        #expect(Decimal128(string: "twelve").isNaN)
        #expect(Decimal128(string: "-inf").isInfinite)
        let long = Decimal128(string: "0.12345678901234567890123456789012345")
        #expect(long.stringValue == "0.1234567890123456789012345678901234")
        #expect(Decimal128(string: "1E+7000").isInfinite)
        #expect(Decimal128(string: "1E-7000") == 0)
        #expect(Decimal128(string: "sNaN").isSignalingNaN)
        #expect(Decimal128(string: "sNaN").isSignaling && !Decimal128.nan.isSignaling)
        #expect(!(Decimal128(string: "sNaN") + 1).isSignaling)
    }

    @Test("Integers are exact up to 34 digits")
    func integers() {
        #expect(Decimal128(exactly: UInt64.max)?.stringValue == "18446744073709551615")
        #expect(Decimal128(exactly: UInt128.max) == nil)
        #expect(Decimal128(UInt128.max).stringValue == "3.402823669209384634633746074317682E+38")
        #expect(Decimal128(Int128.min).stringValue == "-1.701411834604692317316873037158841E+38")
        #expect(Int64(exactly: "9223372036854775807" as Decimal128) == .max)
        #expect(Int64(exactly: "-9223372036854775808.00" as Decimal128) == .min)
        #expect(Int64(exactly: "9223372036854775808" as Decimal128) == nil)
        #expect(Int64(exactly: "1E+18" as Decimal128) == 1_000_000_000_000_000_000)
        #expect(Int64(exactly: "0.5" as Decimal128) == nil)
        #expect(Int64(exactly: Decimal128.nan) == nil)
    }

    @Test("A Double converts by its shortest digits, or by its exact value on request")
    func doubles() {
        let exact = Decimal128(exactValueOf: 0.1)
        #expect(exact.stringValue == "0.1000000000000000055511151231257827")
        #expect(Decimal128(0.1).doubleValue == 0.1)
        #expect(exact.doubleValue == 0.1)
        #expect(Decimal128.max.doubleValue == .infinity)
        #expect(Decimal128.nan.doubleValue.isNaN)
        #expect(("1E-6000" as Decimal128).doubleValue == 0)
        let numbers = [.pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e22, 1e23, 123.456]
        for number in numbers as [Double] {
            #expect(Decimal128(number).doubleValue == number)
            #expect(Decimal128(exactValueOf: -number).doubleValue == -number)
        }
    }

    @Test(
        "A Foundation decimal keeps the digits that fit",
        arguments: [
            ("0", "0"), ("-0", "0"), ("-12.50", "-12.5"), ("1E-128", "1E-128"),
            ("15E-129", "2E-128"), ("25E-129", "2E-128"), ("1E-129", "0"), ("51E-130", "1E-128"),
            ("1E-6176", "0"),
            ("1234567890123456789012345678901234E-20", "12345678901234.56789012345678901234"),
            ("1234567890123456789012345678901234E+120", "1.234567890123456789012345678901234E+153"),
        ])
    func foundationDecimals(text: String, expected: String) {
        let decimal = Decimal128(string: text).decimalValue
        #expect(Decimal128(decimal) == Decimal128(string: expected), "\(decimal)")
    }

    @Test(
        "A Decimal128 that does not fit a Foundation decimal becomes NaN",
        arguments: ["NaN", "inf", "-inf", "1E+166"])
    func beyondFoundation(text: String) {
        #expect(Decimal128(string: text).decimalValue.isNaN)
    }

    @Test("Numbers are equal by value, and have equal hashes")
    func equality() {
        let (short, long) = ("1.5" as Decimal128, "1.500" as Decimal128)
        #expect(short == long && short.hashValue == long.hashValue)
        #expect(Set([short, long, 1.5]).count == 1)
        #expect((0 as Decimal128) == -(0 as Decimal128))
        #expect(Decimal128.nan != .nan && short != .nan)
        #expect(
            Decimal128.infinity == "inf" && Decimal128.infinity > .max
                && -.infinity < Decimal128.min)
    }

    @Test("NaN sorts first, and is unordered with itself")
    func order() {
        let sorted = [2, .nan, "-inf", 1.5, .nan, -3, "inf", 0].sorted() as [Decimal128]
        #expect(
            sorted.map(\.stringValue) == [
                "NaN", "NaN", "-Infinity", "-3", "0", "1.5", "2", "Infinity",
            ])
        let nan = Decimal128.nan
        #expect(nan < 1 && nan <= 1 && !(nan > 1) && !(nan >= 1) && 1 > nan && 1 >= nan)
        #expect(!(nan < nan) && !(nan <= nan) && !(nan > nan) && !(nan >= nan))
        #expect((2 as Decimal128).isGreaterThan(1) && !(1 as Decimal128).isGreaterThan(1))
        #expect((1 as Decimal128).isGreaterThanOrEqual(to: 1))
        #expect((1 as Decimal128).isLessThan(2) && (1 as Decimal128).isLessThanOrEqual(to: 1))
    }

    @Test("Operators calculate with decimals")
    func arithmetic() {
        var number: Decimal128 = 10
        number += 2.5
        number -= 0.5
        number *= 3
        number /= 8
        #expect(number == 4.5)
        #expect((1 as Decimal128) / 3 == "0.3333333333333333333333333333333333")
        #expect(((1 as Decimal128) / 0).isInfinite && ((0 as Decimal128) / 0).isNaN)
        #expect((6 as Decimal128).dividing(by: 4) == 1.5)
        #expect((6 as Decimal128).multiplying(by: 4).adding(1).subtracting(5) == 20)
        number.negate()
        #expect(number == -4.5 && number.magnitude == 4.5 && -number == 4.5)
        let numbers: [Decimal128] = [0.1, 0.2, 0.3]
        #expect(numbers.reduce(0, +) == 0.6)
        #expect(Array(stride(from: 0 as Decimal128, to: 0.5, by: 0.2)) == [0, 0.2, 0.4])
        #expect((1 as Decimal128).distance(to: 3.5) == 2.5)
    }

    @Test("The largest and the smallest decimal are finite")
    func extremes() {
        #expect(Decimal128.max.stringValue == "9.999999999999999999999999999999999E+6144")
        #expect(Decimal128.min == -Decimal128.max && Decimal128.max.isFinite)
        #expect((Decimal128.max * 10).isInfinite)
        #expect((-(0 as Decimal128)).isNegative && (-(0 as Decimal128)).isZero)
    }

    @Test("A number is encoded as a string, and decoded from strings and numbers")
    func coding() throws {
        let numbers: [Decimal128] = ["1.50", 3, "-1E+40"]
        let data = try JSONEncoder().encode(numbers)
        #expect(String(decoding: data, as: UTF8.self) == #"["1.50","3","-1E40"]"#)
        let decoded = try JSONDecoder().decode([Decimal128].self, from: data)
        #expect(decoded.map(\.stringValue) == numbers.map(\.stringValue))
        let mixed = try JSONDecoder().decode([Decimal128].self, from: Data("[7, 0.25]".utf8))
        #expect(mixed == [7, 0.25])
        for text in ["[true]", "[\"twelve\"]", "[null]", "[{}]"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([Decimal128].self, from: Data(text.utf8))
            }
        }
    }
}
