/// The exact result of an operation, which is rounded once, halves to even.
///
/// The value is `(-1)^isNegative * coefficient * 10^exponent`, and slightly more if there is a
/// rest.
package struct UnroundedDecimal {
    let isNegative: Bool
    let coefficient: UInt256
    /// The power of ten by which the coefficient is multiplied.
    let exponent: Int
    /// Whether the magnitude is larger by less than one unit of the coefficient.
    ///
    /// This is only set for coefficients with more digits than the format, so that it only decides
    /// ties.
    let hasRest: Bool

    init(isNegative: Bool, coefficient: UInt256, exponent: Int, hasRest: Bool = false) {
        self.isNegative = isNegative
        self.coefficient = coefficient
        self.exponent = exponent
        self.hasRest = hasRest
    }

    /// Creates a result of at most 38 digits.
    package init(isNegative: Bool, coefficient: UInt128, exponent: Int, hasRest: Bool = false) {
        self.init(
            isNegative: isNegative, coefficient: UInt256(coefficient), exponent: exponent,
            hasRest: hasRest)
    }

    /// Creates a result from its decimal digits, the most significant first.
    ///
    /// - Parameters:
    ///   - isNegative: whether the result is negative.
    ///   - digits: digits from 0 to 9. The first is not 0, and at least 35 precede a rest.
    ///   - exponent: the exponent of ten of the last digit.
    ///   - hasRest: whether nonzero digits follow the last one.
    package init(isNegative: Bool, digits: some Collection<UInt8>, exponent: Int, hasRest: Bool) {
        let kept = digits.prefix(Self.digitsKept)
        let rest = digits.dropFirst(Self.digitsKept)
        self.init(
            isNegative: isNegative, coefficient: kept.reduce(0) { $0 * 10 + UInt128($1) },
            exponent: exponent + rest.count, hasRest: hasRest || rest.contains { $0 != 0 })
    }

    /// The number of digits that always fit in 128 bits.
    private static let digitsKept = 38

    /// Returns the nearest number of the format.
    ///
    /// A result that is too large becomes infinite.
    ///
    /// - Parameter preferred: the exponent of an exact result, if possible.
    package func rounded(preferred: Int) -> Decimal128 { nearest(preferred: preferred).number }

    /// Returns the nearest number, and whether it is exact.
    func nearest(preferred: Int) -> (number: Decimal128, isExact: Bool) {
        let (exponents, digitsMax) = (Decimal128.exponents, Decimal128.digitsMax)
        var wide = coefficient
        var exponent = exponent
        var isExact = !hasRest
        let surplus = max(wide.digitCount - digitsMax, exponents.lowerBound - exponent)
        if surplus > 0 {
            let cutOff = wide.dropDigits(surplus, hasRest: hasRest)
            exponent += surplus
            isExact = cutOff == .nothing
            if cutOff == .aboveHalf || cutOff == .half && wide.low % 2 == 1 {
                wide = wide + UInt256(1)
            }
        }
        var digits = wide.low
        if digits > Decimal128.coefficientMax {
            // The digits were 34 nines that rounded up.
            digits /= 10
            exponent += 1
        }
        // An exact number can also be represented with an exponent in range if zeros compensate.
        let wanted = min(max(preferred, exponents.lowerBound), exponents.upperBound)
        if digits == 0 {
            exponent = isExact ? wanted : exponents.lowerBound
        } else if isExact {
            Self.move(&digits, &exponent, to: wanted)
        }
        guard exponent <= exponents.upperBound else {
            return (isNegative ? Decimal128.infinity.negated : .infinity, false)
        }
        return (
            Decimal128(isNegative: isNegative, canonical: digits, exponent: exponent), isExact
        )
    }

    /// Moves the exponent as close to the preferred one as trailing zeros permit.
    private static func move(_ digits: inout UInt128, _ exponent: inout Int, to preferred: Int) {
        if exponent > preferred {
            let count = min(
                exponent - preferred, Decimal128.digitsMax - UInt256(digits).digitCount)
            digits *= Decimal128.powerOfTen(count)
            exponent -= count
            return
        }
        // Tests counts of trailing zeros in binary steps: 32, 16, 8, 4, 2, 1.
        var count = 32
        while count > 0, exponent < preferred {
            let (quotient, rest) = digits.quotientAndRemainder(
                dividingBy: Decimal128.powerOfTen(count))
            if rest == 0, exponent + count <= preferred {
                digits = quotient
                exponent += count
            }
            count /= 2
        }
    }
}
