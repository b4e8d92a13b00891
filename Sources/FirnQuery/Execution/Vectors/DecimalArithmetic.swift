import FirnValues

/// The four operations of queries on decimals.
enum DecimalArithmetic {
    /// A number as a decimal; a double is the shortest decimal that reads back as it.
    static func decimal(_ value: Value) -> Decimal128? {
        switch value {
        case .decimal128(let number): number
        case .int(let number): Decimal128(number)
        case .double(let number): Decimal128(shortest: number)
        case .float(let number): Decimal128(shortest: number)
        default: nil
        }
    }

    /// Nil for what is divided by zero.
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

    /// Whether a finite number is divided by zero.
    private static func isQuotientMissing(_ left: Decimal128, _ right: Decimal128) -> Bool {
        left.isFinite && right.isZero
    }
}
