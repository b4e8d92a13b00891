import FirnValues
import Testing

/// The published test cases of the arithmetic that IEEE 754-2008 describes.
///
/// Left out: cases that round in another way than to the nearest with halves to even and have a
/// result that shows it, the engineering notation, and operands that are encodings (`#...`) in the
/// other of the two formats of the standard. The conditions of an operation are not compared,
/// because ours only return results.
@Suite("Published decimal test cases")
struct DecimalTestcaseTests {
    @Test(
        "The published cases have the published results",
        arguments: [
            ("dqAdd", 866), ("dqSubtract", 446), ("dqMultiply", 470), ("dqDivide", 681),
            ("dqCompare", 657), ("dqAbs", 74), ("dqMinus", 43), ("dqPlus", 43),
            ("dqReduce", 133), ("dqBase", 728), ("dqCopyAbs", 43), ("dqCopyNegate", 43),
        ])
    func results(file: String, expectedCount: Int) throws {
        var count = 0
        for testcase in try DecimalTestcase.read(file) where isCovered(testcase) {
            let result = try #require(self.result(of: testcase), "\(testcase)")
            let expected = try #require(Decimal128(testcase.result), "\(testcase)")
            #expect(result == expected, "\(testcase), not \(result)")
            if testcase.operation == "tosci" {
                #expect(result.description == testcase.result, "\(testcase)")
            }
            count += 1
        }
        #expect(count == expectedCount)
    }

    private func isCovered(_ testcase: DecimalTestcase) -> Bool {
        // Encodings of the other format, and a # alone for a missing operand.
        if (testcase.operands + [testcase.result]).contains(where: { $0.hasPrefix("#") }) {
            return false
        }
        if testcase.operation == "toeng" || testcase.operation == "apply" { return false }
        if testcase.rounding == "half_even" { return true }
        let roundsVisibly = !testcase.conditions.isDisjoint(with: ["inexact", "overflow"])
        // Only with rounding towards -infinity a sum that cancels is -0.
        return !roundsVisibly && testcase.rounding != "floor"
    }

    private func result(of testcase: DecimalTestcase) -> Decimal128? {
        let operands = testcase.operands.compactMap { Decimal128(rounding: $0) }
        if testcase.operation == "tosci" { return operands.first ?? .nan }
        guard let first = operands.first, operands.count == testcase.operands.count else {
            return nil
        }
        // The specification defines these as sums with a zero of the same exponent.
        let zero = Decimal128(isNegative: false, coefficient: 0, exponent: first.parts.exponent)
        switch testcase.operation {
        case "copyabs": return first.magnitude
        case "copynegate": return first.negated
        case "reduce": return first.reduced
        case "plus": return zero?.adding(first)
        case "minus": return zero?.subtracting(first)
        case "abs":
            return first.isNegative && !first.isNaN ? zero?.subtracting(first) : zero?.adding(first)
        default: return operands.last.flatMap { result(testcase.operation, first, $0) }
        }
    }

    private func result(
        _ operation: String, _ first: Decimal128, _ second: Decimal128
    ) -> Decimal128? {
        switch operation {
        case "add": first.adding(second)
        case "subtract": first.subtracting(second)
        case "multiply": first.multiplied(by: second)
        case "divide": first.divided(by: second)
        case "compare":
            // A comparison with NaN is that NaN, like a sum with it.
            first.isNaN || second.isNaN
                ? first.adding(second)
                : Decimal128(Int64(first.numericOrder(relativeTo: second).rawValue))
        default: nil
        }
    }
}
