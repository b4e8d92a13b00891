/// An IEEE 754-2008 decimal number of 34 digits in binary integer decimal encoding.
///
///     bit  127 126      113 112                                    0
///         +---+------------+----------------------------------------+
///         | s |  exponent  |              coefficient               |   bits 126-125 not 11
///         +---+------------+----------------------------------------+
///
/// The value is `(-1)^s * coefficient * 10^(exponent - 6176)`. Bits 126 to 122 are `11110` for an
/// infinity and `11111` for NaN (bit 121 set if it signals, bits 109 to 0 its payload). Every
/// other encoding that begins with `11`, and every coefficient above 10^34 - 1, is not canonical
/// and means 0.
///
/// Equality and hashing are those of the bits: `1.0` and `1.00` differ, as they print differently.
/// Which number is larger is ``numericOrder(relativeTo:)``; arithmetic is exact and rounded once.
public struct Decimal128: Hashable, Sendable {
    /// The upper half: sign, exponent and the highest digits.
    public let high: UInt64
    /// The lower half.
    public let low: UInt64

    /// Makes a number from its encoding.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// How many decimal digits a coefficient has at most.
    public static let digitsMax = 34
    /// The exponents of ten that a coefficient can have.
    public static let exponents = -6176...6111
    static let coefficientMax: UInt128 = powerOfTen(digitsMax) - 1

    /// Makes the number `coefficient * 10^exponent` without rounding, keeping the exponent if it
    /// can be kept.
    ///
    /// - Returns: `nil` if no encoding has exactly that value.
    public init?(isNegative: Bool, coefficient: UInt128, exponent: Int) {
        let exact = UnroundedDecimal(
            isNegative: isNegative, coefficient: UInt256(coefficient), exponent: exponent)
        let (number, isExact) = exact.nearest(preferred: exponent)
        guard isExact else { return nil }
        self = number
    }

    /// Packs what is known to fit.
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

    /// Makes a whole number.
    public init(_ value: Int64) {
        high = (value < 0 ? 1 << 63 : 0) | 6176 << 49
        low = value.magnitude
    }

    /// Positive infinity.
    public static let infinity = Decimal128(high: 0b0_11110 << 58, low: 0)
    /// A quiet NaN.
    public static let nan = Decimal128(high: 0b0_11111 << 58, low: 0)

    /// The number with the other sign.
    public var negated: Decimal128 { Decimal128(high: high ^ 1 << 63, low: low) }

    /// Whether the sign bit is set, also of zeros and NaN.
    public var isNegative: Bool { high >> 63 == 1 }

    /// Whether it is no number.
    public var isNaN: Bool { high >> 58 & 0b11111 == 0b11111 }

    /// Whether it is a NaN that signals.
    package var isSignalling: Bool { isNaN && high >> 57 & 1 == 1 }

    /// A NaN that carries a number below ``payloadLimit``, to tell where it comes from.
    static func nan(payload: UInt128, isSignalling: Bool) -> Decimal128 {
        Decimal128(
            high: nan.high | (isSignalling ? 1 << 57 : 0)
                | UInt64(truncatingIfNeeded: payload >> 64),
            low: UInt64(truncatingIfNeeded: payload))
    }

    /// What the payloads of NaN stay below: they have 33 digits.
    static let payloadLimit = powerOfTen(33)

    /// The number that a NaN carries; of an encoding that is not canonical 0.
    var payload: UInt128 {
        let payload = UInt128(high & 0x3FFF_FFFF_FFFF) << 64 | UInt128(low)
        return payload < Decimal128.payloadLimit ? payload : 0
    }

    /// Whether it is one of the two infinities.
    public var isInfinite: Bool { high >> 58 & 0b11111 == 0b11110 }

    /// Whether it is neither an infinity nor NaN.
    public var isFinite: Bool { high >> 59 & 0b1111 != 0b1111 }

    /// The digits of a finite number as a whole number, and the power of ten that they count.
    public var parts: (coefficient: UInt128, exponent: Int) {
        let isLong = high >> 61 & 0b11 == 0b11
        let biased = Int(high >> (isLong ? 47 : 49) & 0x3FFF)
        let exponent = biased + Decimal128.exponents.lowerBound
        let digits = UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(low)
        // The long form holds 2^113 and more, which no 34 digits reach.
        let isCanonical = !isLong && digits <= Decimal128.coefficientMax
        return (isCanonical ? digits : 0, exponent)
    }

    /// 10 to the power of 0...38.
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
