import FirnValues

extension Decimal128: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Creates a number from an integer literal.
    ///
    /// - Parameter value: Any integer. All 19 digits are kept.
    public init(integerLiteral value: Int64) { self.init(value) }

    /// Creates a number from a floating-point literal: `0.1` is exactly 0.1.
    ///
    /// The compiler passes the literal as a `Double`, so at most 17 of its digits are kept, without
    /// trailing zeros. A string literal keeps all 34 digits.
    ///
    /// - Parameter value: The double, which is converted to its shortest decimal representation.
    public init(floatLiteral value: Double) { self.init(value) }

    /// Creates the number nearest to an integer of any type.
    ///
    /// - Parameter value: Any integer. Up to 34 digits are exact. Longer integers are rounded.
    /// - Complexity: O(1) up to 128 bits
    public init(_ value: some BinaryInteger) {
        bits = FirnValues.Decimal128(rounding: value)
    }

    /// Creates a number from an integer of any type, or returns `nil` if 34 digits cannot hold it.
    ///
    /// - Parameter value: Any integer.
    public init?(exactly value: some BinaryInteger) {
        guard let bits = FirnValues.Decimal128(exactly: value) else { return nil }
        self.init(bits: bits)
    }

    /// Creates a number from the shortest decimal representation of a double.
    ///
    ///     Decimal128(1.0 / 3)                    // 0.3333333333333333
    ///
    /// - Parameter value: Any double. Infinities and NaN are preserved.
    public init(_ value: Double) { bits = FirnValues.Decimal128(shortest: value) }

    /// Creates a number from the shortest decimal representation of a float.
    ///
    /// - Parameter value: Any float. Infinities and NaN are preserved.
    public init(_ value: Float) { bits = FirnValues.Decimal128(shortest: value) }

    /// Creates the number nearest to the exact binary value of a double.
    ///
    ///     Decimal128(exactValueOf: 0.1)          // 0.1000000000000000055511151231257827
    ///
    /// - Parameter value: Any double.
    public init(exactValueOf value: Double) {
        bits = FirnValues.Decimal128(binaryValueOf: value)
    }

    /// The double nearest to the number, rounded half to even.
    ///
    /// Beyond the range of doubles, the value is an infinity or 0.
    public var doubleValue: Double { bits.nearestDouble }
}

extension Int64 {
    /// Creates an integer from a decimal, or returns `nil` if it has a fraction or does not fit.
    ///
    /// - Parameter number: Any number. For example, `5.00` is 5.
    public init?(exactly number: Decimal128) {
        guard let value = number.bits.wholeNumber else { return nil }
        self = value
    }
}
