extension Decimal128 {
    /// The one of all encodings of an equal number: without zeros at its end, zero without sign and
    /// exponent, one NaN.
    package var normalized: Decimal128 {
        if isNaN { return .nan }
        if isInfinite { return isNegative ? Decimal128.infinity.negated : .infinity }
        var (coefficient, exponent) = parts
        guard coefficient != 0 else { return Decimal128(0) }
        while exponent < Decimal128.exponents.upperBound {
            let (quotient, rest) = coefficient.quotientAndRemainder(dividingBy: 10)
            guard rest == 0 else { break }
            coefficient = quotient
            exponent += 1
        }
        // No digit was added, so that the number has an encoding.
        return Decimal128(isNegative: isNegative, coefficient: coefficient, exponent: exponent)
            ?? self
    }

    /// The first digits of a finite number other than 0: it is `0.digits... * 10^exponent`.
    ///
    /// - Parameter count: how many digits, 1 to 18; a shorter number is filled up with zeros.
    /// - Returns: also whether more digits than these follow that are not 0.
    package func leadingDigits(
        _ count: Int
    ) -> (exponent: Int, digits: UInt64, isCut: Bool) {
        var (coefficient, exponent) = parts
        var length = 0
        var power: UInt128 = 1
        while length < Decimal128.digitsMax, coefficient >= power {
            power *= 10
            length += 1
        }
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
