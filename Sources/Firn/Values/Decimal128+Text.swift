import FirnValues

extension Decimal128: LosslessStringConvertible, CustomDebugStringConvertible {
    /// Reads a number: digits with an optional sign, point and exponent, or `Infinity`, `inf`,
    /// `NaN`, `sNaN` in any case.
    ///
    /// More than 34 digits are rounded to the nearest number, halves to even; a number above the
    /// range becomes infinite.
    ///
    ///     Decimal128("12.50" as String)      // 12.50
    ///     Decimal128("twelve" as String)     // nil
    ///
    /// - Parameter text: what to read, without spaces.
    /// - Returns: `nil` if the text is no number.
    /// - Complexity: O(length)
    public init?(_ text: String) {
        guard let bits = FirnValues.Decimal128(rounding: text) else { return nil }
        self.init(bits: bits)
    }

    /// Reads a number; text that is no number becomes NaN.
    ///
    /// Use ``init(_:)-(String)`` for text from outside the program: it returns `nil` for text that is no
    /// number, where this initializer, for compatibility, stores a NaN that no comparison finds.
    ///
    /// - Parameter string: what to read, without spaces.
    public init(string: String) {
        self.init(bits: FirnValues.Decimal128(rounding: string) ?? .nan)
    }

    /// The number in the scientific form of IEEE 754: every digit, and an exponent only where it
    /// is needed.
    ///
    ///     "0"   "-0.50"   "1.20E+10"   "1E-7"   "Infinity"   "-Infinity"   "NaN"
    ///
    /// Reading it gives the same number with the same zeros at its end.
    public var stringValue: String { bits.description }

    /// The same as ``stringValue``.
    public var description: String { bits.description }

    /// The same as ``stringValue``.
    public var debugDescription: String { bits.description }
}

extension Decimal128: ExpressibleByStringLiteral {
    /// Reads a number that is written in the program as a text, to keep the zeros at its end.
    ///
    ///     let price: Decimal128 = "19.90"
    ///
    /// - Parameter value: the form of ``init(_:)-(String)``; another text stops the program, because
    ///   it is a mistake in its source.
    public init(stringLiteral value: String) {
        guard let bits = FirnValues.Decimal128(rounding: value) else {
            misuse("\"\(value)\" is no number: write a Decimal128 like \"-12.50\" or \"1E+9\"")
        }
        self.init(bits: bits)
    }
}
