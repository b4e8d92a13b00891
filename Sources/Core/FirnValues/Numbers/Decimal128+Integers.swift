extension Decimal128 {
    /// Creates the number nearest to an integer of any width.
    ///
    /// Up to 34 digits, it is exact.
    ///
    /// - Complexity: O(1) up to 128 bits.
    package init(rounding value: some BinaryInteger) {
        self = Decimal128.nearest(value).number
    }

    /// Creates a number from an integer of any width, or `nil` if it has too many digits.
    package init?(exactly value: some BinaryInteger) {
        let (number, isExact) = Decimal128.nearest(value)
        guard isExact else { return nil }
        self = number
    }

    private static func nearest(
        _ value: some BinaryInteger
    ) -> (number: Decimal128, isExact: Bool) {
        if let magnitude = UInt128(exactly: value.magnitude) {
            return UnroundedDecimal(
                isNegative: value < 0, coefficient: magnitude, exponent: 0
            ).nearest(preferred: 0)
        }
        let text = String(value)
        // Digits are always a valid number; out of range, it is infinite.
        let number = Decimal128(rounding: text) ?? .nan
        return (number, Decimal128(text) != nil)
    }

    /// The number as an integer, if it has no fraction and fits 64 bits.
    package var wholeNumber: Int64? {
        guard isFinite else { return nil }
        // Without trailing zeros, a number with an exponent below 0 has a fraction.
        let (coefficient, exponent) = reduced.parts
        guard coefficient != 0 else { return 0 }
        guard exponent >= 0, exponent < 19, coefficient <= UInt128(Int64.min.magnitude) else {
            return nil
        }
        let magnitude = Int128(coefficient * Decimal128.powerOfTen(exponent))
        return Int64(exactly: isNegative ? -magnitude : magnitude)
    }
}
