import FirnSyntax
import FirnValues

/// Arithmetic on the constants of a query text.
enum ConstantArithmetic {
    /// Computes an operation on numbers, dates and durations.
    ///
    /// The inner optional is `nil` if there is no result, as in a division by zero.
    ///
    /// - Returns: `.none` as the outer optional if the operands cannot be combined.
    static func combine(
        _ left: Operand, _ operation: ArithmeticOperator, _ right: Operand
    ) -> Operand?? {
        switch (left, right) {
        case (.constant(.int(let left)), .constant(.int(let right))):
            return .some(integers(left, operation, right).map { .constant(.int($0)) })
        case (.number, .number), (.number, .constant), (.constant, .number):
            guard let left = number(left), let right = number(right) else { return nil }
            return .some(numbers(left, operation, right).map { .number($0) })
        case (.constant(.string(let left)), .constant(.string(let right))):
            return operation == .add ? .some(.constant(.string(left + right))) : nil
        case (.constant(let left), .constant(let right)):
            guard let left = double(left), let right = double(right) else { return nil }
            return .some(doubles(left, operation, right).map { .constant(.double($0)) })
        case (.constant(.date(let date)), .duration(let milliseconds)):
            guard operation == .add || operation == .subtract else { return nil }
            return .some(
                moved(date, milliseconds, forward: operation == .add)
                    .map { .constant(.date($0)) })
        case (.duration(let milliseconds), .constant(.date(let date))):
            guard operation == .add else { return nil }
            return .some(moved(date, milliseconds, forward: true).map { .constant(.date($0)) })
        case (.duration(let left), .duration(let right)):
            guard operation == .add || operation == .subtract else { return nil }
            return .some(integers(left, operation, right).map { .duration(milliseconds: $0) })
        default: return nil
        }
    }

    /// Returns the exact result, or `nil` if it does not fit in 64 bits.
    static func integers(
        _ left: Int64, _ operation: ArithmeticOperator, _ right: Int64
    ) -> Int64? {
        let result =
            switch operation {
            case .add: left.addingReportingOverflow(right)
            case .subtract: left.subtractingReportingOverflow(right)
            case .multiply: left.multipliedReportingOverflow(by: right)
            case .divide: left.dividedReportingOverflow(by: right)
            case .remainder:
                // The remainder of the smallest integer exists, unlike its quotient.
                left.remainderReportingOverflow(dividingBy: right == -1 ? 1 : right)
            }
        return result.overflow ? nil : result.partialValue
    }

    /// Computes the result twice: in binary for use as a Double, and in decimal for use as a
    /// Decimal128.
    ///
    /// - Returns: `nil` if neither of them exists.
    private static func numbers(
        _ left: NumberLiteral, _ operation: ArithmeticOperator, _ right: NumberLiteral
    ) -> NumberLiteral? {
        guard let arithmetic = BoundExpression.Arithmetic(rawValue: operation.rawValue) else {
            return nil
        }
        var decimal: Decimal128?
        if let left = left.decimal, let right = right.decimal {
            decimal = DecimalArithmetic.result(arithmetic, left, right)
        }
        let double = doubles(left.double, operation, right.double)
        guard double != nil || decimal != nil else { return nil }
        return NumberLiteral(double: double ?? .infinity, decimal: decimal)
    }

    private static func number(_ operand: Operand) -> NumberLiteral? {
        switch operand {
        case .number(let number): number
        case .constant(.int(let number)):
            NumberLiteral(double: Double(number), decimal: Decimal128(number))
        case .constant(.double(let number)):
            NumberLiteral(double: number, decimal: Decimal128(shortest: number))
        default: nil
        }
    }

    /// Returns the result; `nil` if it does not fit, or after a division by zero.
    private static func doubles(
        _ left: Double, _ operation: ArithmeticOperator, _ right: Double
    ) -> Double? {
        BoundExpression.Arithmetic(rawValue: operation.rawValue).flatMap {
            DoubleArithmetic.result($0, left, right)
        }
    }

    private static func double(_ value: Value) -> Double? {
        switch value {
        case .int(let number): Double(number)
        case .float(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// Moves a date forward or back; `nil` outside the range of timestamps.
    private static func moved(
        _ date: Timestamp, _ milliseconds: Int64, forward: Bool
    ) -> Timestamp? {
        guard let distance = forward ? milliseconds : integers(0, .subtract, milliseconds),
            let seconds = integers(date.seconds, .add, distance / 1_000)
        else { return nil }
        let nanoseconds = Int64(date.nanoseconds) + distance % 1_000 * 1_000_000
        return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    }
}
