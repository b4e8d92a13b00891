import FirnValues

/// The arithmetic operations of queries on doubles.
enum DoubleArithmetic {
    /// Returns the result of an operation; `nil` if it does not fit, or after a division by zero.
    static func result(
        _ operation: BoundExpression.Arithmetic, _ left: Double, _ right: Double
    ) -> Double? {
        let value =
            switch operation {
            case .add: left + right
            case .subtract: left - right
            case .multiply: left * right
            case .divide: left / right
            case .remainder: left.truncatingRemainder(dividingBy: right)
            }
        let divides = operation == .divide || operation == .remainder
        if divides && right == 0 { return nil }
        return value.isFinite || !left.isFinite || !right.isFinite ? value : nil
    }
}

/// The arithmetic operations of queries on decimals.
enum DecimalArithmetic {
    /// Returns a number as a decimal.
    ///
    /// A double becomes the shortest decimal that reads back as the same double.
    static func decimal(_ value: Value) -> Decimal128? {
        switch value {
        case .decimal128(let number): number
        case .int(let number): Decimal128(number)
        case .double(let number): Decimal128(shortest: number)
        case .float(let number): Decimal128(shortest: number)
        default: nil
        }
    }

    /// Returns the result of an operation; `nil` if it does not fit, or after a division by zero.
    static func result(
        _ operation: BoundExpression.Arithmetic, _ left: Decimal128, _ right: Decimal128
    ) -> Decimal128? {
        let divides = operation == .divide || operation == .remainder
        if divides && right.isZero { return nil }
        let value =
            switch operation {
            case .add: left.adding(right)
            case .subtract: left.subtracting(right)
            case .multiply: left.multiplied(by: right)
            case .divide: left.divided(by: right)
            case .remainder: left.remainder(dividingBy: right)
            }
        return value.isFinite || !left.isFinite || !right.isFinite ? value : nil
    }
}
