/// An IEEE 754-2008 decimal number of 34 digits in binary integer decimal encoding.
///
///     bit  127 126      113 112                                    0
///         +---+------------+----------------------------------------+
///         | s |  exponent  |              coefficient               |   bits 126-125 not 11
///         +---+------------+----------------------------------------+
///
/// The value is `(-1)^s * coefficient * 10^(exponent - 6176)`. Bits 126 to 122 are `11110` for an
/// infinity and `11111` for NaN (bit 121 is set if it is signaling, and bits 109 to 0 are its
/// payload). Every other encoding that begins with `11`, and every coefficient above 10^34 - 1, is
/// not canonical and represents 0.
///
/// Equality and hashing use the bits: `1.0` and `1.00` differ, because they print differently.
/// ``numericOrder(relativeTo:)`` compares the numbers. Arithmetic is exact and rounds once.
public struct Decimal128: Hashable, Sendable {
    /// The upper half: sign, exponent and the most significant digits.
    public let high: UInt64
    /// The lower half.
    public let low: UInt64

    /// Creates a number from its encoding.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The maximum number of decimal digits in a coefficient.
    public static let digitsMax = 34
    /// The exponents of ten that a coefficient can have.
    public static let exponents = -6176...6111
    static let coefficientMax: UInt128 = powerOfTen(digitsMax) - 1

    /// Creates the number `coefficient * 10^exponent` without rounding, and keeps the exponent if
    /// possible.
    ///
    /// - Returns: `nil` if no encoding has exactly that value.
    public init?(isNegative: Bool, coefficient: UInt128, exponent: Int) {
        let exact = UnroundedDecimal(
            isNegative: isNegative, coefficient: UInt256(coefficient), exponent: exponent)
        let (number, isExact) = exact.nearest(preferred: exponent)
        guard isExact else { return nil }
        self = number
    }

    /// Encodes parts that are known to fit.
    ///
    /// - Parameters:
    ///   - isNegative: whether the sign is set.
    ///   - coefficient: at most 34 digits.
    ///   - exponent: one of ``exponents``.
    init(isNegative: Bool, canonical coefficient: UInt128, exponent: Int) {
        let biased = UInt64(exponent - Decimal128.exponents.lowerBound)
        high =
            (isNegative ? 1 << 63 : 0) | biased << 49
            | UInt64(truncatingIfNeeded: coefficient >> 64)
        low = UInt64(truncatingIfNeeded: coefficient)
    }

    /// Creates an integer.
    public init(_ value: Int64) {
        high = (value < 0 ? 1 << 63 : 0) | 6176 << 49
        low = value.magnitude
    }

    /// Positive infinity.
    public static let infinity = Decimal128(high: 0b0_11110 << 58, low: 0)
    /// A quiet NaN.
    public static let nan = Decimal128(high: 0b0_11111 << 58, low: 0)

    /// The number with the opposite sign.
    public var negated: Decimal128 { Decimal128(high: high ^ 1 << 63, low: low) }

    /// A Boolean value that indicates whether the sign bit is set, even for zeros and NaN.
    public var isNegative: Bool { high >> 63 == 1 }

    /// A Boolean value that indicates whether this is NaN.
    public var isNaN: Bool { high >> 58 & 0b11111 == 0b11111 }

    /// Whether this is a signaling NaN.
    package var isSignalling: Bool { isNaN && high >> 57 & 1 == 1 }

    /// Returns a NaN with a payload below ``payloadLimit``, which can identify its origin.
    static func nan(payload: UInt128, isSignalling: Bool) -> Decimal128 {
        Decimal128(
            high: nan.high | (isSignalling ? 1 << 57 : 0)
                | UInt64(truncatingIfNeeded: payload >> 64),
            low: UInt64(truncatingIfNeeded: payload))
    }

    /// The limit of NaN payloads, which have 33 digits.
    static let payloadLimit = powerOfTen(33)

    /// The payload of a NaN; 0 if the encoding is not canonical.
    var payload: UInt128 {
        let payload = UInt128(high & 0x3FFF_FFFF_FFFF) << 64 | UInt128(low)
        return payload < Decimal128.payloadLimit ? payload : 0
    }

    /// A Boolean value that indicates whether this is one of the two infinities.
    public var isInfinite: Bool { high >> 58 & 0b11111 == 0b11110 }

    /// A Boolean value that indicates whether this is neither an infinity nor NaN.
    public var isFinite: Bool { high >> 59 & 0b1111 != 0b1111 }

    /// The digits of a finite number as an integer, and the power of ten by which it is multiplied.
    public var parts: (coefficient: UInt128, exponent: Int) {
        let isLong = high >> 61 & 0b11 == 0b11
        let biased = Int(high >> (isLong ? 47 : 49) & 0x3FFF)
        let exponent = biased + Decimal128.exponents.lowerBound
        let digits = UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(low)
        // The long form represents 2^113 and more, which exceeds 34 digits.
        let isCanonical = !isLong && digits <= Decimal128.coefficientMax
        return (isCanonical ? digits : 0, exponent)
    }

    /// Returns 10 to the power of 0...38.
    static func powerOfTen(_ exponent: Int) -> UInt128 {
        let last = powersOfTen.count - 1
        guard exponent > last else { return UInt128(powersOfTen[exponent]) }
        let (high, low) = powersOfTen[exponent - last].multipliedFullWidth(by: powersOfTen[last])
        return UInt128(high) << 64 | UInt128(low)
    }

    private static let powersOfTen: [UInt64] = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
        10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000,
        100_000_000_000_000, 1_000_000_000_000_000, 10_000_000_000_000_000,
        100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ]
}
