import FirnValues

/// The four operations on decimals, rounded once to 34 digits, halves to even.
enum DecimalArithmetic {
    /// A number as a decimal; a double is the shortest decimal that reads back as it.
    static func decimal(_ value: Value) -> Decimal128? {
        switch value {
        case .decimal128(let number): number
        case .int(let number): Decimal128(number)
        case .double(let number): decimal(number.description, number)
        case .float(let number): decimal(number.description, Double(number))
        default: nil
        }
    }

    private static func decimal(_ text: String, _ number: Double) -> Decimal128? {
        if number.isNaN { return .nan }
        if number.isInfinite { return number < 0 ? Decimal128.infinity.negated : .infinity }
        return Decimal128(text)
    }

    /// Nil for what is divided by zero.
    static func result(
        _ operation: BoundExpression.Arithmetic, _ left: Decimal128, _ right: Decimal128
    ) -> Decimal128? {
        switch operation {
        case .add: return sum(left, right)
        case .subtract: return sum(left, right.negated)
        case .multiply: return product(left, right)
        case .divide: return quotient(left, right)
        }
    }

    private static func sum(_ left: Decimal128, _ right: Decimal128) -> Decimal128? {
        var sum = DecimalSum()
        sum.add(left)
        sum.add(right)
        return sum.value()
    }

    private static func infinity(_ isNegative: Bool) -> Decimal128 {
        isNegative ? Decimal128.infinity.negated : .infinity
    }

    private static func product(_ left: Decimal128, _ right: Decimal128) -> Decimal128 {
        if left.isNaN || right.isNaN { return .nan }
        let isNegative = left.isNegative != right.isNegative
        let (leftDigits, leftExponent) = left.parts
        let (rightDigits, rightExponent) = right.parts
        guard left.isFinite, right.isFinite else {
            let hasZero =
                left.isFinite && leftDigits == 0 || right.isFinite && rightDigits == 0
            return hasZero ? .nan : infinity(isNegative)
        }
        // In halves of 17 digits, the products of which fit 128 bits.
        let half = UInt128(100_000_000_000_000_000)
        let exponent = leftExponent + rightExponent
        var sum = DecimalSum()
        for (leftPart, leftShift) in [(leftDigits % half, 0), (leftDigits / half, 17)] {
            for (rightPart, rightShift) in [(rightDigits % half, 0), (rightDigits / half, 17)] {
                sum.add(
                    leftPart * rightPart, exponent: exponent + leftShift + rightShift,
                    isNegative: isNegative)
            }
        }
        return sum.rounded(preferred: exponent)
    }

    private static func quotient(_ left: Decimal128, _ right: Decimal128) -> Decimal128? {
        if left.isNaN || right.isNaN { return .nan }
        let isNegative = left.isNegative != right.isNegative
        let (dividend, leftExponent) = left.parts
        let (divisor, rightExponent) = right.parts
        if left.isInfinite { return right.isInfinite ? .nan : infinity(isNegative) }
        if right.isInfinite {
            return DecimalDigits(isNegative: isNegative, digits: [], exponent: 0)
                .rounded(preferred: Decimal128.exponents.lowerBound)
        }
        guard divisor != 0 else { return nil }
        var exponent = leftExponent - rightExponent
        let preferred = exponent
        var digits: [UInt8] = []
        var whole = dividend / divisor
        var rest = dividend % divisor
        while whole != 0 {
            digits.insert(UInt8(whole % 10), at: 0)
            whole /= 10
        }
        // The rest is below 10^34, so ten times it fits.
        while rest != 0, digits.count <= Decimal128.digitsMax {
            let next = UInt8(rest * 10 / divisor)
            rest = rest * 10 % divisor
            exponent -= 1
            if next != 0 || !digits.isEmpty { digits.append(next) }
        }
        return DecimalDigits(
            isNegative: isNegative, digits: digits, exponent: exponent, hasRest: rest != 0
        ).rounded(preferred: preferred)
    }
}
