extension Decimal128 {
    /// The same number without zeros at its end, zero with exponent 0.
    ///
    /// This is `reduce` of the General Decimal Arithmetic specification: the sign of zero stays, and
    /// a NaN that signals becomes quiet.
    package var reduced: Decimal128 {
        guard isFinite else { return isNaN ? quieted : infinite }
        let (coefficient, exponent) = parts
        let highest = coefficient == 0 ? 0 : Decimal128.exponents.upperBound
        return UnroundedDecimal(
            isNegative: isNegative, coefficient: coefficient, exponent: exponent
        ).rounded(preferred: highest)
    }

    /// The one of all encodings of an equal number: without zeros at its end, zero without sign and
    /// exponent, one NaN.
    package var normalized: Decimal128 {
        if isNaN { return .nan }
        let reduced = reduced
        return reduced.isZero ? Decimal128(0) : reduced
    }

    /// Whether it is 0 of either sign and any exponent.
    package var isZero: Bool { isFinite && parts.coefficient == 0 }

    /// The first digits of a finite number other than 0: it is `0.digits... * 10^exponent`.
    ///
    /// - Parameter count: how many digits, 1 to 18; a shorter number is filled up with zeros.
    /// - Returns: also whether more digits than these follow that are not 0.
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
