/// Averages of integers.
enum ExactQuotient {
    /// The double nearest to the exact quotient: nothing is rounded before.
    static func double(_ sum: Int128, _ count: Int) -> Double {
        let magnitude = sum.magnitude
        // Both are exact as doubles, and a division rounds once.
        if magnitude <= 1 << 53, count <= 1 << 53 { return Double(sum) / Double(count) }
        // At least 64 bits of the quotient, the last of which says whether anything is left.
        let shift = magnitude.leadingZeroBitCount
        let (quotient, rest) = (magnitude << UInt128(shift)).quotientAndRemainder(
            dividingBy: UInt128(count))
        let whole = Double(rest == 0 ? quotient : quotient | 1)
        let scaled = whole * Double(sign: .plus, exponent: -shift, significand: 1)
        return sum < 0 ? -scaled : scaled
    }
}
