package import FirnValues

/// A decimal number with 34 significant digits, as specified by IEEE 754-2008.
///
/// Amounts of money and measured values are represented exactly as written: `0.1 + 0.2` is `0.3`.
/// Exponents range from -6143 to 6144, so that numbers of either sign lie between `1E-6176` and
/// about `1E+6145`. Arithmetic is computed exactly and rounded once to 34 digits, half to even. A
/// result that is too large becomes infinite, and an undefined result is not a number (NaN). No
/// operation traps.
///
///     let price: Decimal128 = 19.90
///     let total = price * 3              // 59.70
///     let share = total / 7              // 8.528571428571428571428571428571429
///
/// Trailing zeros are part of the number: `1.50` prints as `1.50`. Comparisons only consider the
/// value, so that `1.5 == 1.50`, and both have the same hash. NaN is not equal to any number,
/// including itself, but sorts before every other number; see ``<(_:_:)``.
///
/// A floating-point literal or variable is converted to its shortest decimal representation:
/// `Decimal128(0.1)` is 0.1. Use ``init(exactValueOf:)`` to convert the exact binary value instead.
public struct Decimal128: Sendable {
    /// The number as the engine stores it.
    package let bits: FirnValues.Decimal128

    /// Creates a number from the form that the engine stores.
    package init(bits: FirnValues.Decimal128) { self.bits = bits }

    /// Creates the number 0.
    public init() { bits = FirnValues.Decimal128(0) }

    /// The smallest finite number, `-9.999999999999999999999999999999999E+6144`.
    public static let min = Decimal128(bits: largest.negated)

    /// The largest finite number, `9.999999999999999999999999999999999E+6144`.
    public static let max = Decimal128(bits: largest)

    /// Positive infinity, which is greater than every number and the result of dividing 1 by 0.
    public static let infinity = Decimal128(bits: .infinity)

    /// A value that is not a number, the result of dividing 0 by 0.
    public static let nan = Decimal128(bits: .nan)

    /// 34 nines with the greatest exponent.
    private static let largest = FirnValues.Decimal128(
        high: 0x5FFF_ED09_BEAD_87C0, low: 0x378D_8E63_FFFF_FFFF)
}

extension Decimal128 {
    /// A Boolean value that indicates whether the value is NaN, quiet or signaling.
    public var isNaN: Bool { bits.isNaN }

    /// A Boolean value that indicates whether the value is a signaling NaN.
    ///
    /// A signaling NaN only results from the text `sNaN`. Every operation on it yields a quiet NaN.
    public var isSignalingNaN: Bool { bits.isSignalling }

    /// A Boolean value that is equal to ``isSignalingNaN``.
    public var isSignaling: Bool { bits.isSignalling }

    /// A Boolean value that indicates whether the value is positive or negative infinity.
    public var isInfinite: Bool { bits.isInfinite }

    /// A Boolean value that indicates whether the value is neither infinite nor NaN.
    public var isFinite: Bool { bits.isFinite }

    /// A Boolean value that indicates whether the value is 0 or -0.
    public var isZero: Bool { bits.isZero }

    /// A Boolean value that indicates whether the value has a minus sign, as -0 does.
    public var isNegative: Bool { bits.isNegative }
}

extension Decimal128: Comparable, Hashable {
    /// Returns a Boolean value that indicates whether two numbers are equal.
    ///
    /// Trailing zeros and the sign of 0 are ignored: `1.0 == 1.00` and `0 == -0`. NaN is not equal
    /// to any number.
    ///
    /// - Complexity: O(1)
    public static func == (left: Decimal128, right: Decimal128) -> Bool {
        left.bits.isNumericallyEqual(to: right.bits)
    }

    /// Returns a Boolean value that indicates whether the left number is ordered first.
    ///
    /// NaN is ordered before every other number, so that sorting always has a well-defined result.
    /// Two NaNs are unordered.
    ///
    /// - Complexity: O(1)
    public static func < (left: Decimal128, right: Decimal128) -> Bool {
        if left.isNaN || right.isNaN { return left.isNaN && !right.isNaN }
        return left.bits.numericOrder(relativeTo: right.bits) == .less
    }

    /// Returns a Boolean value that indicates whether the left number is less than or equal.
    ///
    /// The result is `false` for two NaNs.
    public static func <= (left: Decimal128, right: Decimal128) -> Bool {
        left < right || left == right
    }

    /// Returns a Boolean value that indicates whether the right number is ordered first.
    public static func > (left: Decimal128, right: Decimal128) -> Bool { right < left }

    /// Returns a Boolean value that indicates whether the left number is greater than or equal.
    ///
    /// The result is `false` for two NaNs.
    public static func >= (left: Decimal128, right: Decimal128) -> Bool { right <= left }

    /// Hashes the value.
    ///
    /// Equal numbers have equal hashes, regardless of trailing zeros.
    public func hash(into hasher: inout Hasher) { bits.numericHash(into: &hasher) }

    /// Returns a Boolean value that indicates whether this number is greater, like `>`.
    ///
    /// - Parameter other: Any number.
    public func isGreaterThan(_ other: Decimal128) -> Bool { self > other }

    /// Returns a Boolean value that indicates whether this number is greater than or equal.
    ///
    /// - Parameter other: Any number.
    public func isGreaterThanOrEqual(to other: Decimal128) -> Bool { self >= other }

    /// Returns a Boolean value that indicates whether this number is less, like `<`.
    ///
    /// - Parameter other: Any number.
    public func isLessThan(_ other: Decimal128) -> Bool { self < other }

    /// Returns a Boolean value that indicates whether this number is less than or equal.
    ///
    /// - Parameter other: Any number.
    public func isLessThanOrEqual(to other: Decimal128) -> Bool { self <= other }
}
