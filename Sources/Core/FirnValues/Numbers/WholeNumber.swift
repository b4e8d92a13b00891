/// An integer of any size, with only the operations needed by comparisons and conversions.
struct WholeNumber {
    /// The digits, least significant first; the last one is not 0.
    private var limbs: [UInt32] = []

    /// Creates the product `coefficient * 5^fives * 2^twos`.
    init(_ coefficient: UInt128, fives: Int, twos: Int) {
        var rest = coefficient
        while rest != 0 {
            limbs.append(UInt32(truncatingIfNeeded: rest))
            rest >>= 32
        }
        var fives = fives
        while fives > 0 {
            let step = min(fives, Self.fivesPerStep)
            multiply(by: (0..<step).reduce(1) { power, _ in power * 5 })
            fives -= step
        }
        multiply(by: 1 << UInt32(twos % 32))
        limbs.insert(contentsOf: repeatElement(0, count: limbs.isEmpty ? 0 : twos / 32), at: 0)
    }

    /// The exponent of 5^13, the largest power of five below 2^32.
    private static let fivesPerStep = 13

    private mutating func multiply(by factor: UInt32) {
        var carry: UInt64 = 0
        for index in limbs.indices {
            let product = UInt64(limbs[index]) * UInt64(factor) + carry
            limbs[index] = UInt32(truncatingIfNeeded: product)
            carry = product >> 32
        }
        if carry != 0 { limbs.append(UInt32(truncatingIfNeeded: carry)) }
    }

    /// Divides, and returns the remainder.
    private mutating func divide(by divisor: UInt32) -> UInt32 {
        var rest: UInt64 = 0
        for index in limbs.indices.reversed() {
            let (quotient, remainder) = (rest << 32 | UInt64(limbs[index]))
                .quotientAndRemainder(dividingBy: UInt64(divisor))
            limbs[index] = UInt32(truncatingIfNeeded: quotient)
            rest = remainder
        }
        while limbs.last == 0 { limbs.removeLast() }
        return UInt32(truncatingIfNeeded: rest)
    }

    /// Returns the decimal digits of the number, to be rounded.
    ///
    /// - Parameters:
    ///   - isNegative: whether the result is negative.
    ///   - exponent: the exponent of ten by which the number is multiplied.
    func unrounded(isNegative: Bool, exponent: Int) -> UnroundedDecimal {
        var number = self
        // Groups of nine digits, the least significant first.
        var groups: [UInt32] = []
        while !number.limbs.isEmpty { groups.append(number.divide(by: 1_000_000_000)) }
        // Five groups have at least 37 digits.
        let kept = groups.suffix(5)
        let rest = groups.dropLast(kept.count)
        let coefficient = kept.reversed().reduce(UInt256(0)) { coefficient, group in
            UInt256(coefficient.low, times: 1_000_000_000) + UInt256(UInt128(group))
        }
        return UnroundedDecimal(
            isNegative: isNegative, coefficient: coefficient, exponent: exponent + rest.count * 9,
            hasRest: rest.contains { $0 != 0 })
    }

    func order(relativeTo other: WholeNumber) -> Ordering {
        guard limbs.count == other.limbs.count else {
            return Ordering(limbs.count, other.limbs.count)
        }
        for (left, right) in zip(limbs.reversed(), other.limbs.reversed()) where left != right {
            return Ordering(left, right)
        }
        return .equal
    }
}
