import FirnValues

/// The four arithmetic operations of queries on decimals.
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

    /// Returns the result of an operation, or `nil` for a division by zero.
    static func result(
        _ operation: BoundExpression.Arithmetic, _ left: Decimal128, _ right: Decimal128
    ) -> Decimal128? {
        switch operation {
        case .add: left.adding(right)
        case .subtract: left.subtracting(right)
        case .multiply: left.multiplied(by: right)
        case .divide: isQuotientMissing(left, right) ? nil : left.divided(by: right)
        }
    }

    /// Returns whether a finite number is divided by zero.
    private static func isQuotientMissing(_ left: Decimal128, _ right: Decimal128) -> Bool {
        left.isFinite && right.isZero
    }
}
