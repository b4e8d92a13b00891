import FirnValues
public import Foundation

extension Decimal128 {
    /// Creates a number from an `NSNumber`, which holds an integer, a double or a decimal.
    ///
    /// A double is converted to its shortest decimal representation.
    ///
    /// - Parameter number: Any number.
    public init(number: NSNumber) {
        if let decimal = number as? NSDecimalNumber {
            self.init(decimal.decimalValue)
            return
        }
        // The type encoding of `@encode` tells which type was stored.
        switch UnicodeScalar(UInt8(bitPattern: number.objCType.pointee)) {
        case "d": self.init(number.doubleValue)
        case "f": self.init(number.floatValue)
        case "Q", "L", "I", "S", "C": self.init(number.uint64Value)
        default: self.init(number.int64Value)
        }
    }

    /// Creates a number from a Foundation decimal, which has up to 38 digits.
    ///
    /// - Parameter decimal: Any decimal. More than 34 digits are rounded.
    public init(_ decimal: Decimal) {
        // The description is digits with a period, or NaN, in every locale.
        self.init(string: decimal.description)
    }

    /// Creates a number from a value whose type is only known at run time.
    ///
    /// - Parameter value: An integer of any width, `Float`, `Double`, `Decimal`, `Decimal128`,
    ///   `NSNumber`, a `String` or `Substring` that ``init(_:)-(String)`` can read, or `NSNull`,
    ///   which yields NaN. The program stops if the value has any other type.
    public init(value: Any) {
        guard let number = Decimal128(convertible: value) else {
            misuse(
                "\(type(of: value)) \"\(value)\" cannot be a Decimal128: pass a number or a text "
                    + "like \"-12.50\"")
        }
        self = number
    }

    /// Creates a number from any value that ``init(value:)`` accepts, or returns `nil`.
    init?(convertible value: Any) {
        // A cast would also convert an `NSNumber` to an Int, and a Bool to an `NSNumber`.
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

    /// The number as a Foundation decimal, whose exponents range from -128 to 127.
    ///
    /// All digits are kept if the decimal can represent them. A smaller number is rounded to a
    /// multiple of `1E-128`, half to even. A larger number, an infinity and NaN become
    /// `Decimal.nan`.
    public var decimalValue: Decimal {
        guard isFinite else { return .nan }
        let parts = bits.parts
        guard let (digits, exponent) = Decimal128.fitting(parts.coefficient, parts.exponent),
            let significand = Decimal(string: String(digits))
        else { return .nan }
        // A Decimal with a sign but without digits is NaN.
        if digits == 0 { return 0 }
        return Decimal(
            sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
    }

    /// Returns digits and an exponent that a Foundation decimal can have.
    ///
    /// The result is `nil` if the number is too large.
    private static func fitting(
        _ coefficient: UInt128, _ exponent: Int
    ) -> (digits: UInt128, exponent: Int)? {
        var (digits, exponent) = (coefficient, exponent)
        if digits == 0 { return (0, 0) }
        guard exponent <= 127 else { return nil }
        guard exponent < -128 else { return (digits, exponent) }
        let surplus = -128 - exponent
        // The number is less than half a unit in the last place.
        guard surplus <= FirnValues.Decimal128.digitsMax else { return (0, -128) }
        let divisor = (0..<surplus).reduce(UInt128(1)) { power, _ in power * 10 }
        let rest = digits % divisor
        digits /= divisor
        let isUp = rest == divisor / 2 ? digits % 2 == 1 : rest > divisor / 2
        return (isUp ? digits + 1 : digits, -128)
    }
}
