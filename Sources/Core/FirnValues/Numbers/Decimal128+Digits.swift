extension Decimal128 {
    /// The same number without trailing zeros, and zero with exponent 0.
    ///
    /// This is `reduce` of the General Decimal Arithmetic specification: the sign of zero is kept,
    /// and a signaling NaN becomes quiet.
    package var reduced: Decimal128 {
        guard isFinite else { return isNaN ? quieted : infinite }
        let (coefficient, exponent) = parts
        let highest = coefficient == 0 ? 0 : Decimal128.exponents.upperBound
        return UnroundedDecimal(
            isNegative: isNegative, coefficient: coefficient, exponent: exponent
        ).rounded(preferred: highest)
    }

    /// The canonical encoding of all equal numbers.
    ///
    /// It has no trailing zeros. Zero has neither sign nor exponent, and there is a single NaN.
    package var normalized: Decimal128 {
        if isNaN { return .nan }
        let reduced = reduced
        return reduced.isZero ? Decimal128(0) : reduced
    }

    /// Whether the number is 0, with either sign and any exponent.
    package var isZero: Bool { isFinite && parts.coefficient == 0 }

    /// Returns the first digits of a nonzero finite number, written as `0.digits... * 10^exponent`.
    ///
    /// - Parameter count: the number of digits, 1 to 18. A shorter number is padded with zeros.
    /// - Returns: the digits and the exponent, and whether further nonzero digits follow.
    package func leadingDigits(
        _ count: Int
    ) -> (exponent: Int, digits: UInt64, isCut: Bool) {
        var (coefficient, exponent) = parts
        let length = UInt256(coefficient).digitCount
        exponent += length
        guard length > count else {
            coefficient *= Decimal128.powerOfTen(count - length)
            return (exponent, UInt64(truncatingIfNeeded: coefficient), false)
        }
        let (digits, rest) = coefficient.quotientAndRemainder(
            dividingBy: Decimal128.powerOfTen(length - count))
        return (exponent, UInt64(truncatingIfNeeded: digits), rest != 0)
    }
}
