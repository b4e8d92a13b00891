/// A number of any kind for comparison by exact value, without rounding to a common type.
struct ExactNumber {
    private enum Kind: Int8 {
        case negativeInfinity = 0
        case finite = 1
        case positiveInfinity = 2
        /// NaN is greater than everything, and equal to itself.
        case nan = 3
    }

    /// `coefficient * 2^binary * 10^decimal`; one of the two exponents is always 0.
    private struct Magnitude {
        let coefficient: UInt128
        var binary = 0
        var decimal = 0
    }

    private let kind: Kind
    private let isNegative: Bool
    private let magnitude: Magnitude

    init(_ value: Int64) {
        kind = .finite
        isNegative = value < 0
        magnitude = Magnitude(coefficient: UInt128(value.magnitude))
    }

    init(_ value: Double) {
        kind = ExactNumber.kind(value.isNaN, value.isInfinite, value.sign == .minus)
        isNegative = value.sign == .minus
        let (significand, exponent) = value.oddParts
        magnitude = Magnitude(coefficient: UInt128(significand), binary: exponent)
    }

    init(_ value: Decimal128) {
        kind = ExactNumber.kind(value.isNaN, value.isInfinite, value.isNegative)
        isNegative = value.isNegative
        let parts = value.parts
        magnitude = Magnitude(coefficient: parts.coefficient, decimal: parts.exponent)
    }

    private static func kind(_ isNaN: Bool, _ isInfinite: Bool, _ isNegative: Bool) -> Kind {
        if isNaN { return .nan }
        guard isInfinite else { return .finite }
        return isNegative ? .negativeInfinity : .positiveInfinity
    }

    /// Returns the order relative to another number.
    ///
    /// - Complexity: O(1): integers of at most 2,500 bits, and those only for a decimal and a
    ///   binary fraction of nearly the same size.
    func order(relativeTo other: ExactNumber) -> Ordering {
        guard kind == .finite, other.kind == .finite else {
            return Ordering(kind.rawValue, other.kind.rawValue)
        }
        if sign != other.sign { return Ordering(sign, other.sign) }
        if sign == 0 { return .equal }
        let order = ExactNumber.order(magnitude, other.magnitude)
        return isNegative ? order.reversed : order
    }

    /// The sign: -1, 0 or 1.
    ///
    /// Both zeros have sign 0.
    private var sign: Int { magnitude.coefficient == 0 ? 0 : (isNegative ? -1 : 1) }

    /// Compares two positive numbers.
    private static func order(_ left: Magnitude, _ right: Magnitude) -> Ordering {
        let (leftLogarithm, rightLogarithm) = (logarithm(left), logarithm(right))
        if leftLogarithm.upperBound < rightLogarithm.lowerBound { return .less }
        if leftLogarithm.lowerBound > rightLogarithm.upperBound { return .greater }
        // Common factors cancel, and a negative exponent moves to the other side.
        let decimal = left.decimal - right.decimal
        let binary = left.binary - right.binary
        let leftNumber = WholeNumber(
            left.coefficient, fives: max(decimal, 0), twos: max(decimal, 0) + max(binary, 0))
        let rightNumber = WholeNumber(
            right.coefficient, fives: max(-decimal, 0), twos: max(-decimal, 0) + max(-binary, 0))
        return leftNumber.order(relativeTo: rightNumber)
    }

    /// Returns bounds of the decimal logarithm, rounded down.
    private static func logarithm(_ number: Magnitude) -> ClosedRange<Int> {
        let bits = 127 - number.coefficient.leadingZeroBitCount + number.binary
        // log10(2) = 0.30102999...; the exponents of doubles are so small that the error of these
        // six digits is less than the 1 that is added on both sides.
        let low = Int((Double(bits) * 0.30103).rounded(.down)) - 1 + number.decimal
        return low...(low + 3)
    }
}

extension Double {
    /// A finite number as an odd integer times a power of two.
    ///
    /// For 0, the significand is 0.
    var oddParts: (significand: UInt64, exponent: Int) {
        // For a subnormal number, the hidden bit is clear, and the exponent is that of the smallest
        // normal number.
        let isNormal = exponentBitPattern != 0
        let significand = significandBitPattern | (isNormal ? 1 << 52 : 0)
        let zeros = significand == 0 ? 0 : significand.trailingZeroBitCount
        let exponent = Int(isNormal ? exponentBitPattern : 1) - 1075
        return (significand >> UInt64(zeros), exponent + zeros)
    }
}
