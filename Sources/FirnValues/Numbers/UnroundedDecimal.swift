/// The exact result of an operation, which is rounded once, to the nearest number that the format
/// has and of two that are equally near to the even one.
///
/// The value is `(-1)^isNegative * coefficient * 10^exponent`, and a little more if there is a rest.
package struct UnroundedDecimal {
    let isNegative: Bool
    let coefficient: UInt256
    /// The power of ten that the coefficient counts.
    let exponent: Int
    /// Whether the magnitude is larger by something below one unit of the coefficient; only for
    /// coefficients that have more digits than the format, so that this decides nothing but ties.
    let hasRest: Bool

    init(isNegative: Bool, coefficient: UInt256, exponent: Int, hasRest: Bool = false) {
        self.isNegative = isNegative
        self.coefficient = coefficient
        self.exponent = exponent
        self.hasRest = hasRest
    }

    /// Makes a result of at most 38 digits.
    package init(isNegative: Bool, coefficient: UInt128, exponent: Int, hasRest: Bool = false) {
        self.init(
            isNegative: isNegative, coefficient: UInt256(coefficient), exponent: exponent,
            hasRest: hasRest)
    }

    /// Makes a result from its decimal digits, the highest first.
    ///
    /// - Parameters:
    ///   - isNegative: the sign.
    ///   - digits: each 0 to 9; the first is not 0, and 35 or more stand before a rest.
    ///   - exponent: of ten, that the last digit counts.
    ///   - hasRest: whether anything but 0 stands behind the last digit.
    package init(isNegative: Bool, digits: some Collection<UInt8>, exponent: Int, hasRest: Bool) {
        let kept = digits.prefix(Self.digitsKept)
        let rest = digits.dropFirst(Self.digitsKept)
        self.init(
            isNegative: isNegative, coefficient: kept.reduce(0) { $0 * 10 + UInt128($1) },
            exponent: exponent + rest.count, hasRest: hasRest || rest.contains { $0 != 0 })
    }

    /// As many digits as 128 bits hold for sure.
    private static let digitsKept = 38

    /// The nearest number of the format; what is too large becomes infinite.
    ///
    /// - Parameter preferred: the exponent that an exact result has if it can have it.
    package func rounded(preferred: Int) -> Decimal128 { nearest(preferred: preferred).number }

    /// The nearest number, and whether it is the exact result.
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
            // Rounded up from 34 nines.
            digits /= 10
            exponent += 1
        }
        // What is exact can also be held with an exponent in the range, if zeros make up for it.
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

    /// Brings the exponent as near to the preferred one as zeros at the end of the digits allow.
    private static func move(_ digits: inout UInt128, _ exponent: inout Int, to preferred: Int) {
        if exponent > preferred {
            let count = min(
                exponent - preferred, Decimal128.digitsMax - UInt256(digits).digitCount)
            digits *= Decimal128.powerOfTen(count)
            exponent -= count
            return
        }
        // The zeros in the binary digits of their count: 32, 16, 8, 4, 2, 1.
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
