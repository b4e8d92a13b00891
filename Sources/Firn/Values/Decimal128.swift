package import FirnValues

/// A decimal number of 34 significant digits, as IEEE 754-2008 describes it.
///
/// Money and measured values stay what they are written as: `0.1 + 0.2` is `0.3`. Exponents reach
/// from -6143 to 6144, so that the numbers lie between `1E-6176` and about `1E+6145`, of either sign.
/// Arithmetic is exact and rounded once to 34 digits, halves to even; what is too large becomes
/// infinite, and what has no result is not a number (NaN). Nothing traps.
///
///     let price: Decimal128 = 19.90
///     let total = price * 3              // 59.70
///     let share = total / 7              // 8.528571428571428571428571428571429
///
/// The digits behind the point are part of the number: `1.50` prints as `1.50`. Comparison looks at
/// the value alone, so that `1.5 == 1.50`, and both hash alike. NaN is equal to nothing, itself
/// included, but sorts before every other number; see ``<(_:_:)``.
///
/// A floating-point literal or variable stands for its shortest digits: `Decimal128(0.1)` is 0.1.
/// ``init(exactValueOf:)`` gives the binary fraction instead.
public struct Decimal128: Sendable {
    /// The number as the engine stores it.
    package let bits: FirnValues.Decimal128

    /// Makes a number of what the engine stores.
    package init(bits: FirnValues.Decimal128) { self.bits = bits }

    /// Makes the number 0.
    public init() { bits = FirnValues.Decimal128(0) }

    /// The smallest number, `-9.999999999999999999999999999999999E+6144`; only negative infinity
    /// is below it.
    public static let min = Decimal128(bits: largest.negated)

    /// The largest number, `9.999999999999999999999999999999999E+6144`; only infinity is above it.
    public static let max = Decimal128(bits: largest)

    /// What is larger than every number: the result of dividing 1 by 0.
    public static let infinity = Decimal128(bits: .infinity)

    /// What is no number: the result of dividing 0 by 0.
    public static let nan = Decimal128(bits: .nan)

    /// 34 nines with the greatest exponent.
    private static let largest = FirnValues.Decimal128(
        high: 0x5FFF_ED09_BEAD_87C0, low: 0x378D_8E63_FFFF_FFFF)
}

extension Decimal128 {
    /// Whether it is no number, signalling or not.
    public var isNaN: Bool { bits.isNaN }

    /// Whether it is a NaN of the kind that signals.
    ///
    /// Such a NaN comes only from the text `sNaN`; every operation on it gives a quiet one.
    public var isSignalingNaN: Bool { bits.isSignalling }

    /// The same as ``isSignalingNaN``.
    public var isSignaling: Bool { bits.isSignalling }

    /// Whether it is infinity or negative infinity.
    public var isInfinite: Bool { bits.isInfinite }

    /// Whether it is neither infinite nor NaN.
    public var isFinite: Bool { bits.isFinite }

    /// Whether it is 0 or -0.
    public var isZero: Bool { bits.isZero }

    /// Whether it has a minus sign, as -0 has.
    public var isNegative: Bool { bits.isNegative }
}

extension Decimal128: Comparable, Hashable {
    /// Whether both are the same number: `1.0 == 1.00` and `0 == -0`, while NaN is equal to nothing.
    ///
    /// - Complexity: O(1)
    public static func == (left: Decimal128, right: Decimal128) -> Bool {
        left.bits.isNumericallyEqual(to: right.bits)
    }

    /// Whether the left number comes before the right one.
    ///
    /// NaN comes before every other number, so that sorting always has a well-defined result; two
    /// NaNs have no order.
    ///
    /// - Complexity: O(1)
    public static func < (left: Decimal128, right: Decimal128) -> Bool {
        if left.isNaN || right.isNaN { return left.isNaN && !right.isNaN }
        return left.bits.numericOrder(relativeTo: right.bits) == .less
    }

    /// Whether the left number is less or equal; false for two NaNs.
    public static func <= (left: Decimal128, right: Decimal128) -> Bool {
        left < right || left == right
    }

    /// Whether the left number comes behind the right one.
    public static func > (left: Decimal128, right: Decimal128) -> Bool { right < left }

    /// Whether the left number is greater or equal; false for two NaNs.
    public static func >= (left: Decimal128, right: Decimal128) -> Bool { right <= left }

    /// Feeds the value: numbers that are equal hash alike, however many zeros they end with.
    public func hash(into hasher: inout Hasher) { bits.numericHash(into: &hasher) }

    /// Whether this number comes behind another one, as with `>`.
    ///
    /// - Parameter other: any number.
    public func isGreaterThan(_ other: Decimal128) -> Bool { self > other }

    /// Whether this number is greater than another one or equal to it.
    ///
    /// - Parameter other: any number.
    public func isGreaterThanOrEqual(to other: Decimal128) -> Bool { self >= other }

    /// Whether this number comes before another one, as with `<`.
    ///
    /// - Parameter other: any number.
    public func isLessThan(_ other: Decimal128) -> Bool { self < other }

    /// Whether this number is less than another one or equal to it.
    ///
    /// - Parameter other: any number.
    public func isLessThanOrEqual(to other: Decimal128) -> Bool { self <= other }
}
