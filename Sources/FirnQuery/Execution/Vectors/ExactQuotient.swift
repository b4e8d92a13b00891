/// Averages of integers.
enum ExactQuotient {
    /// Returns the double nearest to the exact quotient.
    ///
    /// There is no intermediate rounding.
    static func double(_ sum: Int128, _ count: Int) -> Double {
        let magnitude = sum.magnitude
        // Both are exact as doubles, so the division rounds only once.
        if magnitude <= 1 << 53, count <= 1 << 53 { return Double(sum) / Double(count) }
        // Computes at least 64 bits of the quotient. The last bit is set if there is a remainder.
        let shift = magnitude.leadingZeroBitCount
        let (quotient, rest) = (magnitude << UInt128(shift)).quotientAndRemainder(
            dividingBy: UInt128(count))
        let whole = Double(rest == 0 ? quotient : quotient | 1)
        let scaled = whole * Double(sign: .plus, exponent: -shift, significand: 1)
        return sum < 0 ? -scaled : scaled
    }
}
