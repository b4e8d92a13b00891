import FirnValues

extension Decimal128: LosslessStringConvertible, CustomDebugStringConvertible {
    /// Creates a number from its text, or returns `nil` if the text is not a number.
    ///
    /// The text consists of digits with an optional sign, decimal point and exponent, or is
    /// `Infinity`, `inf`, `NaN` or `sNaN` in any case. More than 34 digits are rounded to the
    /// nearest number, half to even. A number above the range becomes infinite.
    ///
    ///     Decimal128("12.50" as String)      // 12.50
    ///     Decimal128("twelve" as String)     // nil
    ///
    /// - Parameter text: The text, without spaces.
    /// - Returns: `nil` if the text is not a number.
    /// - Complexity: O(length)
    public init?(_ text: String) {
        guard let bits = FirnValues.Decimal128(rounding: text) else { return nil }
        self.init(bits: bits)
    }

    /// Creates a number from its text.
    ///
    /// Text that is not a number becomes NaN.
    ///
    /// For text from outside the program, use ``init(_:)-(String)``, which returns `nil` for
    /// invalid text. For compatibility, this initializer stores a NaN instead, which no comparison
    /// finds.
    ///
    /// - Parameter string: The text, without spaces.
    public init(string: String) {
        self.init(bits: FirnValues.Decimal128(rounding: string) ?? .nan)
    }

    /// The number in the scientific notation of IEEE 754.
    ///
    /// The text has every digit, and an exponent only if it is needed.
    ///
    ///     "0"   "-0.50"   "1.20E+10"   "1E-7"   "Infinity"   "-Infinity"   "NaN"
    ///
    /// Reading the text yields the same number with the same trailing zeros.
    public var stringValue: String { bits.description }

    /// A textual representation that is equal to ``stringValue``.
    public var description: String { bits.description }

    /// A textual representation that is equal to ``stringValue``.
    public var debugDescription: String { bits.description }
}

extension Decimal128: ExpressibleByStringLiteral {
    /// Creates a number from a string literal, which preserves its trailing zeros.
    ///
    ///     let price: Decimal128 = "19.90"
    ///
    /// - Parameter value: Text in the format of ``init(_:)-(String)``. Invalid text is a
    ///   programming error and stops the program.
    public init(stringLiteral value: String) {
        guard let bits = FirnValues.Decimal128(rounding: value) else {
            misuse("\"\(value)\" is not a number: write a Decimal128 like \"-12.50\" or \"1E+9\"")
        }
        self.init(bits: bits)
    }
}
