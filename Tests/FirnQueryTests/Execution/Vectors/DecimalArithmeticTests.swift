import FirnValues
import Testing

@testable import FirnQuery

@Suite("Decimal arithmetic")
struct DecimalArithmeticTests {
    private func decimal(_ text: String) throws -> Decimal128 {
        try #require(Decimal128(text), "\(text)")
    }

    @Test(
        "Decimal arithmetic is exact, and rounds once to 34 digits with halves to even",
        arguments: [
            ("0.1", "+", "0.2", "0.3"), ("1.00", "+", "1", "2.00"), ("1e34", "+", "1", "1e34"),
            ("9999999999999999999999999999999999", "+", "1", "1e34"),
            ("9999999999999999999999999999999999", "+", "0.5", "1e34"),
            (
                "9999999999999999999999999999999998", "+", "0.5",
                "9999999999999999999999999999999998"
            ),
            ("1", "-", "1.0", "0.0"), ("-5", "-", "-7.25", "2.25"),
            ("1e-6176", "+", "1e6000", "1e6000"),
            ("1.5", "*", "1.5", "2.25"), ("-3", "*", "0.1", "-0.3"),
            (
                "9999999999999999999999999999999999", "*", "9999999999999999999999999999999999",
                "9999999999999999999999999999999998e34"
            ),
            ("1", "/", "3", "0.3333333333333333333333333333333333"),
            ("2", "/", "3", "0.6666666666666666666666666666666667"),
            ("10", "/", "4", "2.5"), ("6", "/", "2", "3"),
            ("1e-6176", "/", "10", "0"), ("1e-6176", "*", "0.6", "1e-6176"),
            ("inf", "-", "inf", "nan"), ("inf", "*", "0", "nan"), ("1", "/", "inf", "0"),
        ])
    func operations(left: String, sign: String, right: String, expected: String) throws {
        let operation = try #require(BoundExpression.Arithmetic(rawValue: sign))
        let result = try #require(
            DecimalArithmetic.result(operation, decimal(left), decimal(right)))
        let wanted = try decimal(expected)
        #expect(result.numericOrder(relativeTo: wanted) == .equal, "\(result)")
        #expect(result.isNaN == wanted.isNaN)
    }

    @Test("A division by zero and a result that does not fit give nil")
    func byZero() throws {
        #expect(try DecimalArithmetic.result(.multiply, decimal("1e6140"), decimal("1e10")) == nil)
        #expect(DecimalArithmetic.result(.divide, try decimal("1"), try decimal("0.0")) == nil)
    }

    @Test("A sum does not depend on the order, and an average is rounded once")
    func sums() throws {
        let numbers = try ["1e30", "0.3", "-1e30", "1e-20", "-0.1", "7"].map(decimal)
        for shift in numbers.indices {
            var sum = DecimalSum()
            for number in numbers[shift...] + numbers[..<shift] { sum.add(number) }
            #expect(sum.value() == (try decimal("7.20000000000000000001")))
        }
        var sum = DecimalSum()
        for _ in 0..<3 { sum.add(try decimal("0.2")) }
        sum.add(try decimal("-0.4"))
        #expect(sum.value(dividedBy: 3)?.description == "0.06666666666666666666666666666666667")
        #expect(sum.value(dividedBy: 0) == nil)
        #expect(DecimalSum().value() == Decimal128(0))
    }
}
