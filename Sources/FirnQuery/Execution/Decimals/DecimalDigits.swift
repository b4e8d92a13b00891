import FirnValues

/// The exact digits of a result, to be rounded once.
struct DecimalDigits {
    let isNegative: Bool
    /// The highest first; the first is not 0.
    private var digits: [UInt8]
    /// Of ten, that the last digit counts.
    private var exponent: Int
    /// Whether anything but 0 stands behind the last digit.
    private let hasRest: Bool

    init(isNegative: Bool, digits: [UInt8], exponent: Int, hasRest: Bool = false) {
        self.isNegative = isNegative
        self.digits = Array(digits.drop { $0 == 0 })
        self.exponent = exponent
        self.hasRest = hasRest
    }

    /// The nearest decimal, of two that are equally near the even one.
    ///
    /// - Parameter preferred: the exponent that the result has if it is exact and can have it.
    func rounded(preferred: Int) -> Decimal128 {
        var copy = self
        return copy.round(preferred)
    }

    private mutating func round(_ preferred: Int) -> Decimal128 {
        let exponents = Decimal128.exponents
        let spare = max(digits.count - Decimal128.digitsMax, exponents.lowerBound - exponent)
        if spare > 0 { cut(spare) }
        if !hasRest {
            while exponent < preferred, digits.last == 0 {
                digits.removeLast()
                exponent += 1
            }
        }
        let coefficient = digits.reduce(UInt128(0)) { $0 * 10 + UInt128($1) }
        if coefficient == 0 { exponent = preferred }
        let result = Decimal128(
            isNegative: isNegative, coefficient: coefficient, exponent: exponent)
        if let result { return result }
        return isNegative ? Decimal128.infinity.negated : .infinity
    }

    /// Drops so many of the last digits.
    private mutating func cut(_ count: Int) {
        exponent += count
        guard count <= digits.count else {
            digits = []
            return
        }
        let kept = digits.count - count
        let first = digits[kept]
        let isHalf = first == 5 && !hasRest && digits[(kept + 1)...].allSatisfy { $0 == 0 }
        let isUp = isHalf ? kept > 0 && digits[kept - 1] % 2 == 1 : first >= 5
        digits.removeSubrange(kept...)
        guard isUp else { return }
        var index = kept - 1
        while index >= 0, digits[index] == 9 {
            digits[index] = 0
            index -= 1
        }
        if index >= 0 {
            digits[index] += 1
        } else {
            digits.insert(1, at: 0)
            // All the others are 0 now: one digit too many is a 0.
            if digits.count > Decimal128.digitsMax {
                digits.removeLast()
                exponent += 1
            }
        }
    }
}
