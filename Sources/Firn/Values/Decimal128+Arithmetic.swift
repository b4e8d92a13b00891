import FirnValues

/// Exact results rounded once to 34 digits, halves to even.
extension Decimal128: SignedNumeric, Strideable {
    /// The sum.
    ///
    /// - Complexity: O(1); no allocation, as with all operators.
    public static func + (left: Decimal128, right: Decimal128) -> Decimal128 {
        Decimal128(bits: left.bits.adding(right.bits))
    }

    /// The difference.
    public static func - (left: Decimal128, right: Decimal128) -> Decimal128 {
        Decimal128(bits: left.bits.subtracting(right.bits))
    }

    /// The product.
    public static func * (left: Decimal128, right: Decimal128) -> Decimal128 {
        Decimal128(bits: left.bits.multiplied(by: right.bits))
    }

    /// The quotient.
    ///
    /// A number divided by 0 is infinite, with the sign of both; 0 divided by 0 is NaN.
    public static func / (left: Decimal128, right: Decimal128) -> Decimal128 {
        Decimal128(bits: left.bits.divided(by: right.bits))
    }

    /// Adds to a number.
    public static func += (left: inout Decimal128, right: Decimal128) { left = left + right }

    /// Subtracts from a number.
    public static func -= (left: inout Decimal128, right: Decimal128) { left = left - right }

    /// Multiplies a number.
    public static func *= (left: inout Decimal128, right: Decimal128) { left = left * right }

    /// Divides a number; see ``/(_:_:)`` for 0.
    public static func /= (left: inout Decimal128, right: Decimal128) { left = left / right }

    /// The number with the other sign; that of 0 is -0.
    public static prefix func - (number: Decimal128) -> Decimal128 {
        Decimal128(bits: number.bits.negated)
    }

    /// Exchanges the sign.
    public mutating func negate() { self = -self }

    /// The number without its sign.
    public var magnitude: Decimal128 { Decimal128(bits: bits.magnitude) }

    /// How far another number lies above this one: `other - self`.
    ///
    /// - Parameter other: any number.
    public func distance(to other: Decimal128) -> Decimal128 { other - self }

    /// The number that lies so far above this one: `self + distance`.
    ///
    /// - Parameter distance: any number, negative to go down.
    public func advanced(by distance: Decimal128) -> Decimal128 { self + distance }
}

/// The operations under the names that `NSDecimalNumber` has for them.
extension Decimal128 {
    /// The sum, as with `+`.
    ///
    /// - Parameter other: any number.
    public func adding(_ other: Decimal128) -> Decimal128 { self + other }

    /// The difference, as with `-`.
    ///
    /// - Parameter other: any number.
    public func subtracting(_ other: Decimal128) -> Decimal128 { self - other }

    /// The product, as with `*`.
    ///
    /// - Parameter other: any number.
    public func multiplying(by other: Decimal128) -> Decimal128 { self * other }

    /// The quotient, as with `/`.
    ///
    /// - Parameter other: any number; 0 gives an infinity or NaN.
    public func dividing(by other: Decimal128) -> Decimal128 { self / other }
}
