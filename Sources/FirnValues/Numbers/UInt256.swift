/// A whole number below 2^256: what a sum, a product or a quotient is before it is rounded.
///
/// 76 decimal digits fit always: two coefficients multiplied, or one moved up by 42 places.
struct UInt256: Equatable, Comparable {
    private(set) var high: UInt128
    private(set) var low: UInt128

    /// A number that 128 bits hold.
    init(_ low: UInt128) {
        high = 0
        self.low = low
    }

    /// The product of two numbers.
    init(_ left: UInt128, times right: UInt128) {
        // Schoolbook, in halves of 64 bits.
        let half: UInt128 = (1 << 64) - 1
        let (leftHigh, leftLow) = (left >> 64, left & half)
        let (rightHigh, rightLow) = (right >> 64, right & half)
        let (upper, lower) = (leftHigh * rightLow, leftLow * rightHigh)
        let lowest = leftLow * rightLow
        let middle = (lowest >> 64) + (upper & half) + (lower & half)
        low = (middle << 64) | (lowest & half)
        high = leftHigh * rightHigh + (upper >> 64) + (lower >> 64) + (middle >> 64)
    }

    /// The product `number * 10^tens`.
    ///
    /// - Parameters:
    ///   - number: with so few digits that it has at most 76 together with the zeros.
    ///   - tens: 0 to 76.
    init(_ number: UInt128, tens: Int) {
        let above = max(tens - Self.tensMax, 0)
        self.init(
            number * Decimal128.powerOfTen(above), times: Decimal128.powerOfTen(tens - above))
    }

    /// The greatest power of ten that 128 bits hold.
    private static let tensMax = 38

    static func < (left: UInt256, right: UInt256) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }

    /// The sum, which the caller knows to fit.
    static func + (left: UInt256, right: UInt256) -> UInt256 {
        var sum = left
        let (low, carry) = left.low.addingReportingOverflow(right.low)
        sum.low = low
        sum.high += right.high + (carry ? 1 : 0)
        return sum
    }

    /// The difference, the right side being no larger.
    static func - (left: UInt256, right: UInt256) -> UInt256 {
        var difference = left
        let (low, borrow) = left.low.subtractingReportingOverflow(right.low)
        difference.low = low
        difference.high -= right.high + (borrow ? 1 : 0)
        return difference
    }

    /// How many decimal digits it has, at most 76; 0 has none.
    var digitCount: Int {
        let bits =
            high != 0 ? 256 - high.leadingZeroBitCount : 128 - low.leadingZeroBitCount
        // 1233/4096 is log10(2), close enough for 256 bits: the estimate is right or 1 too low.
        let estimate = (bits * 1233) >> 12
        return estimate + (self >= UInt256(1, tens: estimate) ? 1 : 0)
    }

    /// Quotient and remainder by a number above the upper half, so that 128 bits hold both.
    func quotientAndRemainder(dividingBy divisor: UInt128) -> (
        quotient: UInt128, remainder: UInt128
    ) {
        high == 0
            ? low.quotientAndRemainder(dividingBy: divisor)
            : divisor.dividingFullWidth((high, low))
    }

    /// Divides by a number of 64 bits and gives the remainder.
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

    /// What a division cut off, against half of the divisor.
    enum CutOff {
        case nothing
        case belowHalf
        case half
        case aboveHalf
    }

    /// Drops so many decimal digits.
    ///
    /// - Parameters:
    ///   - count: how many, 1 and more.
    ///   - hasRest: whether the number is a little larger than it says, by less than 1.
    /// - Returns: what was dropped, the rest included.
    mutating func dropDigits(_ count: Int, hasRest: Bool) -> CutOff {
        // More zeros than there can be digits: less than half of that is left in any case.
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
    /// 10^19 is the greatest power of ten below 2^64.
    private static let digitsPerStep = 19
    private static let stepDivisor: UInt64 = 10_000_000_000_000_000_000
}
