import FirnValues
public import Foundation

extension Decimal128 {
    /// Makes a number of what an `NSNumber` holds: an integer, a double or a decimal.
    ///
    /// A double becomes its shortest digits.
    ///
    /// - Parameter number: any number.
    public init(number: NSNumber) {
        if let decimal = number as? NSDecimalNumber {
            self.init(decimal.decimalValue)
            return
        }
        // The letters of `@encode` tell what was put in.
        switch UnicodeScalar(UInt8(bitPattern: number.objCType.pointee)) {
        case "d": self.init(number.doubleValue)
        case "f": self.init(number.floatValue)
        case "Q", "L", "I", "S", "C": self.init(number.uint64Value)
        default: self.init(number.int64Value)
        }
    }

    /// Makes a number of a Foundation decimal, which has up to 38 digits.
    ///
    /// - Parameter decimal: any decimal; more than 34 digits are rounded.
    public init(_ decimal: Decimal) {
        // Always digits with a point, or NaN, in every locale.
        self.init(string: decimal.description)
    }

    /// Makes a number of a value whose type is only known at run time.
    ///
    /// - Parameter value: an integer of any width, `Float`, `Double`, `Decimal`, `Decimal128`,
    ///   `NSNumber`, a `String` or `Substring` that ``init(_:)-(String)`` reads, or `NSNull`, which
    ///   gives NaN. Anything else stops the program.
    public init(value: Any) {
        guard let number = Decimal128(convertible: value) else {
            misuse(
                "\(type(of: value)) \"\(value)\" cannot be a Decimal128: pass a number or a text "
                    + "like \"-12.50\"")
        }
        self = number
    }

    /// Makes a number of what ``init(value:)`` takes, and `nil` of anything else.
    init?(convertible value: Any) {
        // A cast would also find an `NSNumber` in an Int, and a Bool in an `NSNumber`.
        if type(of: value) is NSNumber.Type, let number = value as? NSNumber {
            if case .bool? = FoundationNumber(number) { return nil }
            self.init(number: number)
            return
        }
        switch value {
        case let number as Decimal128: self = number
        case is Bool: return nil
        case let number as any BinaryInteger: self.init(number)
        case let number as Double: self.init(number)
        case let number as Float: self.init(number)
        case let number as Decimal: self.init(number)
        case is NSNull: self = .nan
        case let text as String: self.init(text)
        case let text as Substring: self.init(String(text))
        default: return nil
        }
    }

    /// The number as a Foundation decimal, which counts multiples of `1E-128` to `1E+127`.
    ///
    /// All digits are kept where it can hold them. A smaller number is rounded to a multiple of
    /// `1E-128`, halves to even; a larger one, an infinity and NaN become `Decimal.nan`.
    public var decimalValue: Decimal {
        guard isFinite else { return .nan }
        let parts = bits.parts
        guard let (digits, exponent) = Decimal128.fitting(parts.coefficient, parts.exponent),
            let significand = Decimal(string: String(digits))
        else { return .nan }
        // A Decimal with a sign and no digits is NaN.
        if digits == 0 { return 0 }
        return Decimal(
            sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
    }

    /// The digits and an exponent that a Foundation decimal can have, or `nil` for what is too
    /// large.
    private static func fitting(
        _ coefficient: UInt128, _ exponent: Int
    ) -> (digits: UInt128, exponent: Int)? {
        var (digits, exponent) = (coefficient, exponent)
        if digits == 0 { return (0, 0) }
        guard exponent <= 127 else { return nil }
        guard exponent < -128 else { return (digits, exponent) }
        let surplus = -128 - exponent
        // Less than half of the last place.
        guard surplus <= FirnValues.Decimal128.digitsMax else { return (0, -128) }
        let divisor = (0..<surplus).reduce(UInt128(1)) { power, _ in power * 10 }
        let rest = digits % divisor
        digits /= divisor
        let isUp = rest == divisor / 2 ? digits % 2 == 1 : rest > divisor / 2
        return (isUp ? digits + 1 : digits, -128)
    }
}
