import FirnValues

/// The codes of values that do not fit in 64 bits.
///
/// They decide most comparisons. The values themselves decide the rest.
extension SortCode {
    private static let digitCount = 14
    private static let digitBits: UInt64 = 47
    /// The code of zero.
    ///
    /// Other numbers are on both sides of it, at a distance of at least 1.
    private static let zero: UInt64 = 1 << 62 + 2
    /// The smallest exponent of a nonzero number, written as `0.digits * 10^exponent`.
    private static let exponentMin = Decimal128.exponents.lowerBound + 1

    /// Returns the code of a decimal.
    ///
    /// The distance to the code of zero is the following number plus 1.
    ///
    ///     bit 61          48 47                    1 0
    ///        +--------------+-----------------------+-+
    ///        |   exponent   |  first 14 digits      |m|    m: more digits follow
    ///        +--------------+-----------------------+-+
    ///
    /// The code of -infinity is 1. NaN has the largest code.
    static func decimal(_ number: Decimal128) -> UInt64 {
        if number.isNaN { return .max }
        if number.isInfinite { return number.isNegative ? 1 : zero + 1 << 62 + 1 }
        guard number.parts.coefficient != 0 else { return zero }
        let (exponent, digits, isCut) = number.leadingDigits(digitCount)
        let scale = UInt64(exponent - exponentMin)
        let distance = (scale << digitBits | digits) << 1 | (isCut ? 1 : 0)
        return number.isNegative ? zero - 1 - distance : zero + 1 + distance
    }

    /// Returns whether only equal decimals have this code.
    static func isExact(decimal code: UInt64) -> Bool {
        if code == 1 || code == zero || code > zero + 1 << 62 { return true }
        let distance = code > zero ? code - zero - 1 : zero - 1 - code
        return distance & 1 == 0
    }

    /// Returns the code of a value in a column of Any.
    ///
    /// The upper 4 bits are the rank of its kind. Numbers of all kinds have the code of the nearest
    /// double, which increases with the number.
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
