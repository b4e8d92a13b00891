import FirnValues

/// Arithmetic.
///
/// Results are computed exactly and rounded once to 34 digits, half to even.
extension Decimal128: SignedNumeric, Strideable {
    /// Returns the sum of two numbers.
    ///
    /// - Complexity: O(1), without allocation, like all operators
    public static func + (left: Decimal128, right: Decimal128) -> Decimal128 {
        Decimal128(bits: left.bits.adding(right.bits))
    }

    /// Returns the difference of two numbers.
    public static func - (left: Decimal128, right: Decimal128) -> Decimal128 {
        Decimal128(bits: left.bits.subtracting(right.bits))
    }

    /// Returns the product of two numbers.
    public static func * (left: Decimal128, right: Decimal128) -> Decimal128 {
        Decimal128(bits: left.bits.multiplied(by: right.bits))
    }

    /// Returns the quotient of two numbers.
    ///
    /// Dividing a nonzero number by 0 yields an infinity whose sign results from both signs.
    /// Dividing 0 by 0 yields NaN.
    public static func / (left: Decimal128, right: Decimal128) -> Decimal128 {
        Decimal128(bits: left.bits.divided(by: right.bits))
    }

    /// Adds the right number to the left one.
    public static func += (left: inout Decimal128, right: Decimal128) { left = left + right }

    /// Subtracts the right number from the left one.
    public static func -= (left: inout Decimal128, right: Decimal128) { left = left - right }

    /// Multiplies the left number by the right one.
    public static func *= (left: inout Decimal128, right: Decimal128) { left = left * right }

    /// Divides the left number by the right one.
    ///
    /// For division by 0, see ``/(_:_:)``.
    public static func /= (left: inout Decimal128, right: Decimal128) { left = left / right }

    /// Returns the number with the opposite sign.
    ///
    /// The result for 0 is -0.
    public static prefix func - (number: Decimal128) -> Decimal128 {
        Decimal128(bits: number.bits.negated)
    }

    /// Replaces the number with its additive inverse.
    public mutating func negate() { self = -self }

    /// The number without its sign.
    public var magnitude: Decimal128 { Decimal128(bits: bits.magnitude) }

    /// Returns the distance from this number to another one: `other - self`.
    ///
    /// - Parameter other: Any number.
    public func distance(to other: Decimal128) -> Decimal128 { other - self }

    /// Returns the number at a distance from this one: `self + distance`.
    ///
    /// - Parameter distance: Any number. A negative distance yields a smaller number.
    public func advanced(by distance: Decimal128) -> Decimal128 { self + distance }
}

/// The operations under the names that `NSDecimalNumber` uses.
extension Decimal128 {
    /// Returns the sum, like `+`.
    ///
    /// - Parameter other: Any number.
    public func adding(_ other: Decimal128) -> Decimal128 { self + other }

    /// Returns the difference, like `-`.
    ///
    /// - Parameter other: Any number.
    public func subtracting(_ other: Decimal128) -> Decimal128 { self - other }

    /// Returns the product, like `*`.
    ///
    /// - Parameter other: Any number.
    public func multiplying(by other: Decimal128) -> Decimal128 { self * other }

    /// Returns the quotient, like `/`.
    ///
    /// - Parameter other: Any number. Dividing by 0 yields an infinity or NaN.
    public func dividing(by other: Decimal128) -> Decimal128 { self / other }
}
