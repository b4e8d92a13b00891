import FirnValues

/// The codes of values that 64 bits do not hold: they decide most pairs, and values the others.
extension SortCode {
    private static let digitCount = 14
    private static let digitBits: UInt64 = 47
    /// The code of zero; the numbers lie on both sides of it, at a distance of 1 and more.
    private static let zero: UInt64 = 1 << 62 + 2
    /// The least exponent of a number `0.digits * 10^exponent` that has digits.
    private static let exponentMin = Decimal128.exponents.lowerBound + 1

    /// The code of a decimal.
    ///
    ///     bit 61          48 47                    1 0
    ///        +--------------+-----------------------+-+
    ///        |   exponent   |  first 14 digits      |m|    m: more digits follow
    ///        +--------------+-----------------------+-+
    ///
    /// plus 1 is the distance to the code of zero; -infinity is 1, NaN the greatest.
    static func decimal(_ number: Decimal128) -> UInt64 {
        if number.isNaN { return .max }
        if number.isInfinite { return number.isNegative ? 1 : zero + 1 << 62 + 1 }
        guard number.parts.coefficient != 0 else { return zero }
        let (exponent, digits, isCut) = number.leadingDigits(digitCount)
        let scale = UInt64(exponent - exponentMin)
        let distance = (scale << digitBits | digits) << 1 | (isCut ? 1 : 0)
        return number.isNegative ? zero - 1 - distance : zero + 1 + distance
    }

    /// Whether only equal decimals have this code.
    static func isExact(decimal code: UInt64) -> Bool {
        if code == 1 || code == zero || code > zero + 1 << 62 { return true }
        let distance = code > zero ? code - zero - 1 : zero - 1 - code
        return distance & 1 == 0
    }

    /// The code of a value in a column of Any: its place among the kinds in the upper 4 bits.
    ///
    /// Numbers of all kinds have the code of the nearest double, which rises with the number.
    static func any(_ value: Value) -> UInt64? {
        let inner: UInt64
        switch value {
        case .null: return nil
        case .int(let number): inner = code(Double(number))
        case .decimal128(let number): inner = code(number.nearestDouble)
        case .link(let reference):
            inner =
                UInt64(reference.classID.rawValue) << 32
                | min(
                    reference.rowID.rawValue, UInt64(UInt32.max))
        case .list, .set, .map: inner = 0
        default: inner = code(of: value) ?? 0
        }
        return UInt64(value.rank) << 60 | inner >> 4
    }
}
