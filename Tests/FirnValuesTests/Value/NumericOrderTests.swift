import FirnTesting
import FirnValues
import Testing

@Suite("The order of numbers of different kinds")
struct NumericOrderTests {
    private func decimal(_ text: String) throws -> Value {
        .decimal128(try #require(Decimal128(text)))
    }

    @Test("Comparisons never round to a common type")
    func exactness() throws {
        let pairs: [(Value, Value, Ordering)] = try [
            (.int(1), .double(1), .equal),
            (.int(.max), .double(0x1p63), .less),
            (.int(.max - 1), .double(0x1p63 - 1024), .greater),
            (.int(.min), .double(-0x1p63), .equal),
            (.int(1 << 53 + 1), .double(0x1p53), .greater),
            (.int(-3), .double(-2.5), .less),
            (.int(-2), .double(-2.5), .greater),
            (.float(0.1), .double(0.1), .greater),
            (decimal("0.1"), .double(0.1), .less),
            (decimal("0.1000000000000000055511151231257827"), .double(0.1), .less),
            (decimal("0.1000000000000000055511151231257828"), .double(0.1), .greater),
            (decimal("0.5"), .double(0.5), .equal),
            (decimal("9007199254740993"), .double(0x1p53), .greater),
            (decimal("9223372036854775807"), .int(.max), .equal),
            (decimal("9223372036854775807.5"), .int(.max), .greater),
            (decimal("-9223372036854775808.1"), .int(.min), .less),
            (decimal("1E+309"), .double(.greatestFiniteMagnitude), .greater),
            (
                decimal("1.797693134862315708145274237317043E+308"),
                .double(.greatestFiniteMagnitude), .less
            ),
            (
                decimal("1.797693134862315708145274237317044E+308"),
                .double(.greatestFiniteMagnitude), .greater
            ),
            (
                decimal("4.940656458412465441765687928682213E-324"),
                .double(.leastNonzeroMagnitude), .less
            ),
            (
                decimal("4.940656458412465441765687928682214E-324"),
                .double(.leastNonzeroMagnitude), .greater
            ),
            (decimal("1E-6176"), .double(.leastNonzeroMagnitude), .less),
            (decimal("-1E-6176"), .double(-.leastNonzeroMagnitude), .greater),
            (decimal("9E+6144"), .double(.infinity), .less),
            (decimal("Infinity"), .double(.infinity), .equal),
            (decimal("NaN"), .double(.infinity), .greater),
            (decimal("NaN"), .double(.nan), .equal),
            (decimal("-0"), .double(0), .equal),
            (.double(-0.0), .int(0), .equal),
            (.double(.nan), .int(.max), .greater),
            (.float(.nan), .double(.nan), .equal),
        ]
        for (left, right, expected) in pairs {
            #expect(left.order(relativeTo: right) == expected, "\(left) and \(right)")
            #expect(right.order(relativeTo: left) == expected.reversed, "\(right) and \(left)")
        }
    }

    @Test("Doubles and their exact decimals agree", arguments: TestScale.seeds(4))
    func wholeDoubles(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<1000 {
            // Whole numbers below 10^34 and binary fractions of few digits are exact in both.
            let whole = Int64(truncatingIfNeeded: generator.next()) >> 11
            let places = Int.random(in: 0...10, using: &generator)
            let double = Double(whole) / Double(1 << places)
            var scaled = Int64(1)
            for _ in 0..<places { scaled *= 5 }
            let (digits, overflow) = whole.multipliedReportingOverflow(by: scaled)
            guard !overflow else { continue }
            let exact = try decimal("\(digits)E-\(places)")
            #expect(exact.order(relativeTo: .double(double)) == .equal, "seed \(seed): \(exact)")
            #expect(
                exact.order(relativeTo: .double(double.nextUp)) == .less, "seed \(seed): \(exact)")
            #expect(
                exact.order(relativeTo: .double(double.nextDown)) == .greater,
                "seed \(seed): \(exact)")
        }
    }
}
