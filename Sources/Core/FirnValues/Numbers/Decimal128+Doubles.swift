extension Decimal128 {
    /// Creates the decimal with the text form of a double: the shortest digits that read back as
    /// it.
    ///
    /// 0.1 becomes 0.1, and not the nearest binary fraction. The conversions of properties, queries
    /// and literals use this form.
    package init(shortest value: Double) {
        self.init(Decimal128.special(value) ?? value.description)
    }

    /// Creates the decimal with the text form of a float.
    package init(shortest value: Float) {
        self.init(Decimal128.special(Double(value)) ?? value.description)
    }

    /// Parses the output of the standard library, which has at most 17 digits.
    private init(_ printed: String) { self = Decimal128(rounding: printed) ?? .nan }

    private static func special(_ value: Double) -> String? {
        guard !value.isFinite else { return nil }
        return value.isNaN ? "nan" : value < 0 ? "-inf" : "inf"
    }

    /// Creates the decimal nearest to the exact binary value.
    ///
    /// For 0.1, this is 0.1000000000000000055511151231257827.
    ///
    /// - Complexity: O(e^2) in the binary exponent, on at most 80 words.
    package init(binaryValueOf value: Double) {
        guard value.isFinite else {
            self.init(shortest: value)
            return
        }
        let isNegative = value.sign == .minus
        guard value != 0 else {
            self.init(isNegative: isNegative, canonical: 0, exponent: 0)
            return
        }
        // value = significand * 2^binary; below 0 that is significand * 5^-binary * 10^binary.
        let (significand, binary) = value.oddParts
        let digits = WholeNumber(
            UInt128(significand), fives: max(-binary, 0), twos: max(binary, 0))
        let exponent = min(binary, 0)
        self = digits.unrounded(isNegative: isNegative, exponent: exponent)
            .rounded(preferred: exponent)
    }

    /// The double nearest to the number, halves to even; infinity or 0 outside the range of
    /// doubles.
    ///
    /// - Complexity: O(1); a division or a product if that is exact, otherwise the digits are
    ///   parsed.
    package var nearestDouble: Double {
        guard isFinite else { return isNaN ? .nan : isNegative ? -.infinity : .infinity }
        let (coefficient, exponent) = parts
        // Within these bounds, both operands are exact, and the operation rounds once (William D.
        // Clinger, "How to read floating point numbers accurately", 1990).
        if coefficient <= 1 << 53, abs(exponent) <= 22 {
            let power = Double(Decimal128.powerOfTen(abs(exponent)))
            let magnitude = Double(UInt64(truncatingIfNeeded: coefficient))
            let result = exponent < 0 ? magnitude / power : magnitude * power
            return isNegative ? -result : result
        }
        return Double(description) ?? .nan
    }
}
