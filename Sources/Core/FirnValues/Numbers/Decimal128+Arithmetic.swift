/// The operations of IEEE 754-2008, as in the General Decimal Arithmetic specification.
///
/// The specification is by Mike Cowlishaw, version 1.70. Each operation computes the exact result
/// and rounds it once to 34 digits, halves to even.
///
/// An exact result keeps the exponent that the operands suggest: `1.20 + 1.30` is `2.50`. A result
/// out of range becomes infinite, a subnormal number, or 0. An operation without a result returns
/// NaN, and an operation on NaN returns that NaN. No operation allocates memory.
extension Decimal128 {
    /// Returns the sum.
    package func adding(_ other: Decimal128) -> Decimal128 {
        guard isFinite, other.isFinite else {
            if let nan = nan(with: other) { return nan }
            if isInfinite, other.isInfinite, isNegative != other.isNegative { return .nan }
            return isInfinite ? infinite : other.infinite
        }
        let isLeftHigher = parts.exponent >= other.parts.exponent
        let (high, low) = isLeftHigher ? (self, other) : (other, self)
        let (highDigits, highExponent) = high.parts
        let (lowDigits, lowExponent) = low.parts
        let count = UInt256(highDigits).digitCount
        let distance = highExponent - lowExponent
        if highDigits == 0 || count + distance <= Decimal128.alignedDigitsMax {
            let aligned = highDigits == 0 ? UInt256(0) : UInt256(highDigits, tens: distance)
            return Decimal128.sum(
                (high.isNegative, aligned), (low.isNegative, UInt256(lowDigits)), lowExponent)
        }
        let zeros = Decimal128.digitsMax + Decimal128.guardDigits - count
        let extended = UInt256(highDigits, tens: zeros)
        let isSubtraction = high.isNegative != low.isNegative && lowDigits != 0
        let exact = UnroundedDecimal(
            isNegative: high.isNegative,
            coefficient: isSubtraction ? extended - UInt256(1) : extended,
            exponent: highExponent - zeros, hasRest: lowDigits != 0)
        return exact.rounded(preferred: lowExponent)
    }

    /// The number of digits that are aligned exactly.
    ///
    /// A number further below another one is less than one unit of its last guard digit.
    private static let alignedDigitsMax = 76
    /// The number of guard digits.
    ///
    /// Two would suffice: one for a borrow, and one that shows which half the rest is in.
    private static let guardDigits = 3

    /// Adds two magnitudes with the same exponent, each with its sign.
    private static func sum(
        _ left: (isNegative: Bool, digits: UInt256), _ right: (isNegative: Bool, digits: UInt256),
        _ exponent: Int
    ) -> Decimal128 {
        let isNegative: Bool
        let digits: UInt256
        if left.isNegative == right.isNegative {
            (isNegative, digits) = (left.isNegative, left.digits + right.digits)
        } else if left.digits == right.digits {
            // If halves round to even, an exact difference of zero is +0.
            (isNegative, digits) = (false, UInt256(0))
        } else if left.digits > right.digits {
            (isNegative, digits) = (left.isNegative, left.digits - right.digits)
        } else {
            (isNegative, digits) = (right.isNegative, right.digits - left.digits)
        }
        return UnroundedDecimal(isNegative: isNegative, coefficient: digits, exponent: exponent)
            .rounded(preferred: exponent)
    }

    /// Returns the difference.
    package func subtracting(_ other: Decimal128) -> Decimal128 {
        // A NaN keeps its sign.
        adding(other.isNaN ? other : other.negated)
    }

    /// Returns the product.
    package func multiplied(by other: Decimal128) -> Decimal128 {
        let isNegative = isNegative != other.isNegative
        guard isFinite, other.isFinite else {
            if let nan = nan(with: other) { return nan }
            if isZero || other.isZero { return .nan }
            return isNegative ? Decimal128.infinity.negated : .infinity
        }
        let (left, right) = (parts, other.parts)
        let exponent = left.exponent + right.exponent
        return UnroundedDecimal(
            isNegative: isNegative,
            coefficient: UInt256(left.coefficient, times: right.coefficient),
            exponent: exponent
        ).rounded(preferred: exponent)
    }

    /// Returns the quotient, which is infinite for a nonzero number divided by 0, and NaN for 0
    /// divided by 0.
    package func divided(by other: Decimal128) -> Decimal128 {
        let isNegative = isNegative != other.isNegative
        let infinity = isNegative ? Decimal128.infinity.negated : .infinity
        guard isFinite, other.isFinite else {
            if let nan = nan(with: other) { return nan }
            if isInfinite { return other.isInfinite ? .nan : infinity }
            return Decimal128(
                isNegative: isNegative, canonical: 0, exponent: Decimal128.exponents.lowerBound)
        }
        let (dividend, divisor) = (parts, other.parts)
        if divisor.coefficient == 0 { return dividend.coefficient == 0 ? .nan : infinity }
        let preferred = dividend.exponent - divisor.exponent
        guard dividend.coefficient != 0 else {
            return UnroundedDecimal(isNegative: isNegative, coefficient: UInt128(0), exponent: 0)
                .rounded(preferred: preferred)
        }
        // One digit more than the format has, whatever the first digits are.
        let zeros =
            Decimal128.digitsMax + 1 + UInt256(divisor.coefficient).digitCount
            - UInt256(dividend.coefficient).digitCount
        let (quotient, rest) = UInt256(dividend.coefficient, tens: zeros)
            .quotientAndRemainder(dividingBy: divisor.coefficient)
        return UnroundedDecimal(
            isNegative: isNegative, coefficient: quotient, exponent: preferred - zeros,
            hasRest: rest != 0
        ).rounded(preferred: preferred)
    }

    /// The number, or NaN, without its sign.
    package var magnitude: Decimal128 { Decimal128(high: high & ~(1 << 63), low: low) }

    /// The canonical infinity of this sign.
    var infinite: Decimal128 { isNegative ? Decimal128.infinity.negated : .infinity }

    /// The quiet NaN with the same payload.
    var quieted: Decimal128 {
        let quiet = Decimal128.nan(payload: payload, isSignalling: false)
        return isNegative ? quiet.negated : quiet
    }

    /// Returns the result of an operation with a NaN operand: the first signaling NaN, else the
    /// first NaN.
    private func nan(with other: Decimal128) -> Decimal128? {
        if isSignalling { return quieted }
        if other.isSignalling { return other.quieted }
        if isNaN { return quieted }
        return other.isNaN ? other.quieted : nil
    }
}
