/// An integer below 2^256: the exact value of a sum, product or quotient before rounding.
///
/// 76 decimal digits always fit: the product of two coefficients, or one shifted by 42 digits.
struct UInt256: Equatable, Comparable {
    private(set) var high: UInt128
    private(set) var low: UInt128

    /// Creates a number that fits in 128 bits.
    init(_ low: UInt128) {
        high = 0
        self.low = low
    }

    /// Creates the product of two numbers.
    init(_ left: UInt128, times right: UInt128) {
        // Long multiplication in halves of 64 bits.
        let half: UInt128 = (1 << 64) - 1
        let (leftHigh, leftLow) = (left >> 64, left & half)
        let (rightHigh, rightLow) = (right >> 64, right & half)
        let (upper, lower) = (leftHigh * rightLow, leftLow * rightHigh)
        let lowest = leftLow * rightLow
        let middle = (lowest >> 64) + (upper & half) + (lower & half)
        low = (middle << 64) | (lowest & half)
        high = leftHigh * rightHigh + (upper >> 64) + (lower >> 64) + (middle >> 64)
    }

    /// Creates the product `number * 10^tens`.
    ///
    /// - Parameters:
    ///   - number: a number that has at most 76 digits together with the zeros.
    ///   - tens: 0 to 76.
    init(_ number: UInt128, tens: Int) {
        let above = max(tens - Self.tensMax, 0)
        self.init(
            number * Decimal128.powerOfTen(above), times: Decimal128.powerOfTen(tens - above))
    }

    /// The exponent of the largest power of ten that fits in 128 bits.
    private static let tensMax = 38

    static func < (left: UInt256, right: UInt256) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }

    /// Returns the sum, which must fit.
    static func + (left: UInt256, right: UInt256) -> UInt256 {
        var sum = left
        let (low, carry) = left.low.addingReportingOverflow(right.low)
        sum.low = low
        sum.high += right.high + (carry ? 1 : 0)
        return sum
    }

    /// Returns the difference.
    ///
    /// The right side must not be larger.
    static func - (left: UInt256, right: UInt256) -> UInt256 {
        var difference = left
        let (low, borrow) = left.low.subtractingReportingOverflow(right.low)
        difference.low = low
        difference.high -= right.high + (borrow ? 1 : 0)
        return difference
    }

    /// The number of decimal digits, at most 76; for 0, it is 0.
    var digitCount: Int {
        let bits =
            high != 0 ? 256 - high.leadingZeroBitCount : 128 - low.leadingZeroBitCount
        // 1233/4096 approximates log10(2) closely enough for 256 bits: the estimate is exact or 1
        // too low.
        let estimate = (bits * 1233) >> 12
        return estimate + (self >= UInt256(1, tens: estimate) ? 1 : 0)
    }

    /// Divides by a number that is greater than the upper half, so that 128 bits hold both results.
    func quotientAndRemainder(dividingBy divisor: UInt128) -> (
        quotient: UInt128, remainder: UInt128
    ) {
        high == 0
            ? low.quotientAndRemainder(dividingBy: divisor)
            : divisor.dividingFullWidth((high, low))
    }

    /// Divides by a 64-bit number, and returns the remainder.
    private mutating func divide(by divisor: UInt64) -> UInt64 {
        if high == 0, low <= UInt128(UInt64.max) {
            let (quotient, rest) =
                UInt64(truncatingIfNeeded: low).quotientAndRemainder(dividingBy: divisor)
            low = UInt128(quotient)
            return rest
        }
        var rest: UInt64 = 0
        func next(_ limb: UInt128) -> UInt128 {
            let limb = UInt64(truncatingIfNeeded: limb)
            let (quotient, remainder) = divisor.dividingFullWidth((rest, limb))
            rest = remainder
            return UInt128(quotient)
        }
        high = next(high >> 64) << 64 | next(high)
        low = next(low >> 64) << 64 | next(low)
        return rest
    }

    /// The part that was removed by a division, relative to half of the divisor.
    enum CutOff {
        case nothing
        case belowHalf
        case half
        case aboveHalf
    }

    /// Drops decimal digits.
    ///
    /// - Parameters:
    ///   - count: the number of digits to drop, at least 1.
    ///   - hasRest: whether the exact number is larger by less than 1.
    /// - Returns: the dropped part, including the rest.
    mutating func dropDigits(_ count: Int, hasRest: Bool) -> CutOff {
        // If more zeros are dropped than there can be digits, the result is less than half in any
        // case.
        var count = min(count, Self.digitsMax + 1)
        var hasRest = hasRest
        while count > Self.digitsPerStep {
            let rest = divide(by: Self.stepDivisor)
            hasRest = hasRest || rest != 0
            count -= Self.digitsPerStep
        }
        let divisor = UInt64(truncatingIfNeeded: Decimal128.powerOfTen(count))
        let rest = divide(by: divisor)
        let half = divisor / 2
        if rest == half { return hasRest ? .aboveHalf : .half }
        if rest > half { return .aboveHalf }
        return rest == 0 && !hasRest ? .nothing : .belowHalf
    }

    private static let digitsMax = 78
    /// The exponent of 10^19, the largest power of ten below 2^64.
    private static let digitsPerStep = 19
    private static let stepDivisor: UInt64 = 10_000_000_000_000_000_000
}
