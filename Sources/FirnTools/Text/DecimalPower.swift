/// Powers of ten that a double represents exactly: 10^0 to 10^22.
///
/// A whole number below 2^53 divided by one of them is rounded once, so the quotient is the double
/// nearest to the decimal number. This makes short decimals exact and fast in both directions.
enum DecimalPower {
    static let exactMax = 22

    @inline(__always)
    static func power(_ exponent: Int) -> Double {
        precondition(exponent >= 0 && exponent <= exactMax)
        return table[exponent]
    }

    private static let table: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}
