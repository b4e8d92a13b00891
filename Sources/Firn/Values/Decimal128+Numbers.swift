import FirnValues

extension Decimal128: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Makes a whole number that is written in the program.
    ///
    /// - Parameter value: any number; all 19 digits are kept.
    public init(integerLiteral value: Int64) { self.init(value) }

    /// Makes a number that is written in the program with a point: `0.1` is exactly 0.1.
    ///
    /// The compiler hands a literal over as a `Double`, so that 17 digits of it arrive at most, and
    /// no zeros at its end; a text literal keeps all 34.
    ///
    /// - Parameter value: the double; it becomes the shortest digits that read back as it.
    public init(floatLiteral value: Double) { self.init(value) }

    /// Makes the number nearest to a whole one of any type.
    ///
    /// - Parameter value: any number; up to 34 digits are exact, longer ones are rounded.
    /// - Complexity: O(1) up to 128 bits.
    public init(_ value: some BinaryInteger) {
        bits = FirnValues.Decimal128(rounding: value)
    }

    /// Makes a whole number of any type, or `nil` if 34 digits cannot hold it.
    ///
    /// - Parameter value: any number.
    public init?(exactly value: some BinaryInteger) {
        guard let bits = FirnValues.Decimal128(exactly: value) else { return nil }
        self.init(bits: bits)
    }

    /// Makes the number that a double is written as: the shortest digits that read back as it.
    ///
    ///     Decimal128(1.0 / 3)                    // 0.3333333333333333
    ///
    /// - Parameter value: any double; infinities and NaN stay what they are.
    public init(_ value: Double) { bits = FirnValues.Decimal128(shortest: value) }

    /// Makes the number that a float is written as: the shortest digits that read back as it.
    ///
    /// - Parameter value: any float; infinities and NaN stay what they are.
    public init(_ value: Float) { bits = FirnValues.Decimal128(shortest: value) }

    /// Makes the number nearest to the binary fraction that a double holds.
    ///
    ///     Decimal128(exactValueOf: 0.1)          // 0.1000000000000000055511151231257827
    ///
    /// - Parameter value: any double.
    public init(exactValueOf value: Double) {
        bits = FirnValues.Decimal128(binaryValueOf: value)
    }

    /// The double nearest to the number, halves to even; beyond the range of doubles an infinity
    /// or 0.
    public var doubleValue: Double { bits.nearestDouble }
}

extension Int64 {
    /// Makes the integer that a decimal is, or `nil` if it has a fraction or does not fit.
    ///
    /// - Parameter number: any number; `5.00` is 5.
    public init?(exactly number: Decimal128) {
        guard let value = number.bits.wholeNumber else { return nil }
        self = value
    }
}
